/// The engine of Yieldstar for Java.
///
/// An application needs `dev.yieldstar`; the other exported packages are for those who extend it. A
/// module whose records go through the codec opens their packages to `tools.jackson.databind`.
module dev.yieldstar.core {
  requires transitive org.slf4j;
  requires transitive tools.jackson.databind;
  requires static transitive org.jspecify;

  exports dev.yieldstar;
  exports dev.yieldstar.codec;
  exports dev.yieldstar.execution;
  exports dev.yieldstar.memory;
  exports dev.yieldstar.spi;
}
