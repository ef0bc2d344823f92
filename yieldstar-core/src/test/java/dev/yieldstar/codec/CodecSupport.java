package dev.yieldstar.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.yieldstar.TypeRef;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What tests of values have in common: one codec that judges every value.
abstract class CodecSupport {
  static final JacksonCodec CODEC = JacksonCodec.standard().checkingAlways();

  static @Nullable Object there(@Nullable Object value, Type type) {
    return CODEC.decode(CODEC.encode(value, type), type);
  }

  @SuppressWarnings("unchecked") // what was encoded as a T
  static <T> T thereAndBack(T value, TypeRef<T> type) {
    return (T) Objects.requireNonNull(there(value, type.type()));
  }

  static void comesBack(@Nullable Object value, TypeRef<?> type) {
    assertThat(there(value, type.type())).isEqualTo(value);
  }

  static void comesBack(Object value) {
    Object back = there(value, value.getClass());
    assertThat(back).isEqualTo(value).hasSameClassAs(value);
  }

  static String json(@Nullable Object value, Type type) {
    return CODEC.text(CODEC.encode(value, type));
  }

  static @Nullable Object read(String json, Type type) {
    return CODEC.decode(payload(json), type);
  }

  static Payload payload(String json) {
    return Payload.of(JacksonCodec.FORMAT, json.getBytes(StandardCharsets.UTF_8));
  }

  static ValueRefused refusedToEncode(@Nullable Object value, Type type) {
    ValueRefused refused =
        catchThrowableOfType(ValueRefused.class, () -> CODEC.encode(value, type));
    assertThat(refused).as("encode as %s", type).isNotNull();
    assertThat(refused.code()).as(refused.getMessage()).isEqualTo(ValueRefused.NOT_DURABLE);
    return refused;
  }

  static ValueRefused refusedToDecode(String json, Type type) {
    ValueRefused refused = catchThrowableOfType(ValueRefused.class, () -> read(json, type));
    assertThat(refused).as("decode %s as %s", Texts.clipped(json, 100), type).isNotNull();
    assertThat(refused.code()).as(refused.getMessage()).isEqualTo(ValueRefused.UNDECODABLE);
    return refused;
  }

  static ValueRefused refusedType(Type type) {
    ValueRefused refused = catchThrowableOfType(ValueRefused.class, () -> CODEC.check(type));
    assertThat(refused).as("check %s", type).isNotNull();
    assertThat(refused.code()).as(refused.getMessage()).isEqualTo(ValueRefused.TYPE_NOT_REIFIED);
    return refused;
  }
}
