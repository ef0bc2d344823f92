package dev.yieldstar.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.yieldstar.TypeRef;
import java.lang.reflect.Type;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/// Types that a module of the application teaches.
class FurtherModulesTest {

  static final class Writer extends StdSerializer<BitSet> {
    Writer() {
      super(BitSet.class);
    }

    @Override
    public void serialize(BitSet bits, JsonGenerator generator, SerializationContext context) {
      generator.writePOJO(bits.toLongArray());
    }
  }

  static final class Reader extends StdDeserializer<BitSet> {
    Reader() {
      super(BitSet.class);
    }

    @Override
    public BitSet deserialize(JsonParser parser, DeserializationContext context) {
      return BitSet.valueOf(context.readValue(parser, long[].class));
    }
  }

  /// Writes large sets one larger than they are.
  static final class Wrong extends StdSerializer<BitSet> {
    Wrong() {
      super(BitSet.class);
    }

    @Override
    public void serialize(BitSet bits, JsonGenerator generator, SerializationContext context) {
      BitSet written = (BitSet) bits.clone();
      if (bits.length() > 100) {
        written.set(bits.length());
      }
      generator.writePOJO(written.toLongArray());
    }
  }

  record Row(BitSet bits) {}

  private static JacksonCodec with(StdSerializer<BitSet> writer) {
    return JacksonCodec.standard()
        .withModules(
            List.of(
                new SimpleModule("bits")
                    .addSerializer(BitSet.class, writer)
                    .addDeserializer(BitSet.class, new Reader())));
  }

  @Test
  void aTypeThatAModuleTeachesComesBack() {
    JacksonCodec codec = with(new Writer());
    Type type = new TypeRef<List<Row>>() {}.type();
    List<Row> value = List.of(new Row(BitSet.valueOf(new long[] {1, 7, Long.MIN_VALUE})));
    assertThat(codec.decode(codec.encode(value, type), type)).isEqualTo(value);
    assertThat(catchThrowableOfType(ValueRefused.class, () -> JacksonCodec.standard().check(type)))
        .hasMessageContaining("BitSet");
  }

  @Test
  void everyValueOfSuchATypeIsJudged() {
    JacksonCodec codec = with(new Wrong());
    for (int i = 0; i < 200; i++) {
      codec.encode(new Row(BitSet.valueOf(new long[] {i})), Row.class);
    }
    BitSet large = new BitSet();
    large.set(100);
    assertThat(
            catchThrowableOfType(ValueRefused.class, () -> codec.encode(new Row(large), Row.class)))
        .hasMessageContaining("$.bits")
        .hasMessageContaining("another value");
  }
}
