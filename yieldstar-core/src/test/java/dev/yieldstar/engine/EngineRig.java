package dev.yieldstar.engine;

import dev.yieldstar.Workflow;
import dev.yieldstar.codec.Codec;
import dev.yieldstar.codec.ErrorCodec;
import dev.yieldstar.codec.ErrorTypes;
import dev.yieldstar.codec.JacksonCodec;
import dev.yieldstar.spi.Backend;
import java.time.Duration;
import java.util.List;

/// Whole engines, whose closes do not wait long.
final class EngineRig {
  private EngineRig() {}

  static EngineSettings settings() {
    return DispatcherRig.patient()
        .withPollInterval(Duration.ofMillis(5))
        .withShutdownTimeout(Duration.ofMillis(200));
  }

  static Engine engine(Backend backend, EngineSettings settings, Workflow<?, ?>... workflows) {
    Codec codec = JacksonCodec.standard().withErrors(ErrorTypes.standard().trusting());
    var values =
        new Values(
            codec,
            JacksonCodec.standard().withErrors(ErrorTypes.standard().untrusting()),
            new ErrorCodec(codec, ErrorTypes.standard().trusting()),
            settings.maxPayload());
    return new Engine(backend, true, values, settings, List.of(workflows), Duration.ofMillis(200));
  }

  /// One that has been started.
  static Engine started(Backend backend, EngineSettings settings, Workflow<?, ?>... workflows) {
    Engine engine = engine(backend, settings, workflows);
    engine.start();
    return engine;
  }
}
