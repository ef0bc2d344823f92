package dev.yieldstar.engine;

import dev.yieldstar.InvalidStepValue;
import dev.yieldstar.codec.Codec;
import dev.yieldstar.codec.ErrorCodec;
import dev.yieldstar.codec.Payload;
import dev.yieldstar.codec.ValueRefused;
import java.lang.reflect.Type;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Values and errors on their way into the journal and back: the codec, with the limit on size and
/// with errors that say which step they belong to. Thread-safe.
///
/// @param codec for what executions recorded
/// @param foreign for params and context, which anybody may have written: no class is looked up by
///   a name in them
/// @param errors for what executions threw
/// @param maxPayload the largest encoded value in bytes
public record Values(Codec codec, Codec foreign, ErrorCodec errors, int maxPayload) {
  static final String TOO_LARGE = ValueRefused.TOO_LARGE;

  /// What a step returned, encoded.
  ///
  /// @param owner who it belongs to, for the message: `Step 'charge' of execution 'order-42'`
  /// @throws InvalidStepValue if it is not durable or too large
  Payload encode(Supplier<String> owner, String stepKey, @Nullable Object value, Type type) {
    Payload payload;
    try {
      payload = codec.encode(value, type);
    } catch (ValueRefused e) {
      throw new InvalidStepValue(
          e.code(),
          stepKey,
          "%s returned a value that is not durable: %s".formatted(owner.get(), e.getMessage()),
          null);
    }
    if (payload.size() > maxPayload) {
      throw new InvalidStepValue(
          TOO_LARGE,
          stepKey,
          "%s returned a value of %,d bytes; the limit is %,d. Keep large values elsewhere and return where they are, or raise maxPayload."
              .formatted(owner.get(), payload.size(), maxPayload),
          null);
    }
    return payload;
  }

  /// An error, encoded; never fails.
  Payload encodeError(Throwable error) {
    return errors.encode(error);
  }

  /// An error, with another one beside it that says something of it. The error itself is left as it
  /// is: it may be a constant that others throw too.
  Payload encodeError(Throwable error, Throwable note) {
    return errors.encode(error, note);
  }

  @Nullable Object decode(Payload payload, Type type) {
    return codec.decode(payload, type);
  }

  Throwable decodeError(Payload payload) {
    return errors.decode(payload);
  }

  /// For people: the JSON text, or why there is none.
  String text(Payload payload) {
    try {
      return codec.text(payload);
    } catch (RuntimeException e) {
      return "(unreadable: " + e.getMessage() + ")";
    }
  }

  /// For people: an error in one line, whatever it does when it is asked.
  String summary(Throwable error) {
    return errors.record(error).summary();
  }

  /// For people: an error in one line.
  String summary(Payload error) {
    try {
      return errors.read(error).summary();
    } catch (RuntimeException e) {
      return "(unreadable: " + e.getMessage() + ")";
    }
  }
}
