package dev.yieldstar.codec;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/// Turns values of declared types into payloads and back.
///
/// An extender may bring another, usually one that wraps [JacksonCodec] to encrypt or compress.
/// Then [#encode] need not be deterministic: values are compared by [#text]. Implementations are
/// thread-safe.
public interface Codec {

  /// Refuses a declared type that could not be decoded again (raw containers, `Object`, type
  /// variables).
  ///
  /// @throws ValueRefused with code `TYPE_NOT_REIFIED`, before anything has run
  void check(Type type);

  /// The value as a payload.
  ///
  /// @throws ValueRefused if the value is not durable: it can't be encoded, or would not come back
  ///   the same
  Payload encode(@Nullable Object value, Type type);

  /// The value that was encoded, as `type`.
  ///
  /// @throws ValueRefused with code `UNDECODABLE_VALUE` if the payload is no value of that type
  @Nullable Object decode(Payload payload, Type type);

  /// The JSON text of what was encoded, for people and for comparison.
  ///
  /// @throws ValueRefused with code `UNDECODABLE_VALUE` if the payload can't be read
  String text(Payload payload);
}
