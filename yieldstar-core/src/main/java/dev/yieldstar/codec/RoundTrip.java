package dev.yieldstar.codec;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Judges a value by decoding what was encoded of it, and encoding that again: a durable value has
/// the same canonical form both times.
final class RoundTrip {
  private final Encoder encoder;
  private final Decoder decoder;
  private final JsonMapper mapper;

  RoundTrip(Encoder encoder, Decoder decoder, JsonMapper mapper) {
    this.decoder = decoder;
    this.encoder = encoder;
    this.mapper = mapper;
  }

  void judge(byte[] encoded, BoundType type) {
    byte[] again;
    try {
      again = encoder.encode(decoder.decode(encoded, type), type);
    } catch (ValueRefused e) {
      throw refused(type, "once encoded it can't be decoded again. " + e.getMessage(), e);
    }
    if (Arrays.equals(encoded, again)) {
      return;
    }
    String first = JsonBytes.text(encoded);
    String second = JsonBytes.text(again);
    if (!CanonicalJson.of(first).equals(CanonicalJson.of(second))) {
      throw refused(
          type,
          "decoded again it is another value, at "
              + difference(mapper.readTree(first), mapper.readTree(second), ValuePath.ROOT)
              + ".",
          null);
    }
  }

  private static ValueRefused refused(BoundType type, String why, @Nullable ValueRefused cause) {
    return new ValueRefused(
        ValueRefused.NOT_DURABLE,
        "The value (%s) is not durable: %s".formatted(type.name(), why),
        cause);
  }

  /// Where two different trees differ first, and how.
  private static String difference(JsonNode first, JsonNode second, String path) {
    if (first.isObject() && second.isObject()) {
      Set<String> names = new TreeSet<>();
      for (Map.Entry<String, JsonNode> member : first.properties()) {
        names.add(member.getKey());
      }
      for (Map.Entry<String, JsonNode> member : second.properties()) {
        names.add(member.getKey());
      }
      for (String name : names) {
        JsonNode one = first.get(name);
        JsonNode other = second.get(name);
        if (one == null || other == null || differ(one, other)) {
          String at = path + ValuePath.component(name);
          return one == null || other == null
              ? at + " (" + (one == null ? "new" : "lost") + ")"
              : difference(one, other, at);
        }
      }
    }
    if (first.isArray() && second.isArray() && first.size() == second.size()) {
      Iterator<JsonNode> others = second.iterator();
      int index = 0;
      for (JsonNode one : first) {
        JsonNode other = others.next();
        if (differ(one, other)) {
          return difference(one, other, path + ValuePath.element(index));
        }
        index++;
      }
    }
    return path
        + " (%s became %s)"
            .formatted(Texts.clipped(first.toString(), 100), Texts.clipped(second.toString(), 100));
  }

  private static boolean differ(JsonNode one, JsonNode other) {
    return !CanonicalJson.of(one.toString()).equals(CanonicalJson.of(other.toString()));
  }
}
