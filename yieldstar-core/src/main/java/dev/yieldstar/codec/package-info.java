/// Durable values: how what workflows take and return becomes bytes and comes back the same.
///
/// [Codec] is what an extender may bring (to encrypt, to compress); [JacksonCodec] is the one that
/// comes with the library. [Payload] is an encoded value. Recorded errors have a form of their own.
@org.jspecify.annotations.NullMarked
package dev.yieldstar.codec;
