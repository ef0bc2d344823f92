package dev.yieldstar.codec;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;

/// How JSON is read and written here: strictly, and the same way wherever it comes from.
final class StrictJson {
  /// A plain number has its digits, a sign, a point, leading zeros and an exponent.
  private static final int NUMBER_LENGTH = Limits.DIGITS + 64;

  static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Limits.DEPTH)
                  .maxNumberLength(NUMBER_LENGTH)
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .build())
          .streamWriteConstraints(
              StreamWriteConstraints.builder().maxNestingDepth(Limits.DEPTH).build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(StreamWriteFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  private StrictJson() {}

  /// Reads bytes to their end, and refuses what is no JSON text.
  static void check(byte[] json) {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
      if (parser.nextToken() == null) {
        throw notJson("it is empty");
      }
      parser.skipChildren();
      if (parser.nextToken() != null) {
        throw notJson("something follows its end");
      }
    } catch (JacksonException e) {
      throw notJson(e);
    }
  }

  static ValueRefused notJson(String why) {
    return new ValueRefused(ValueRefused.UNDECODABLE, "This is no JSON text: " + why + ".", null);
  }

  static ValueRefused notJson(JacksonException e) {
    String at = e.getLocation() == null ? "" : " (at offset " + offset(e) + ")";
    return new ValueRefused(
        ValueRefused.UNDECODABLE,
        "This is no JSON text: " + Texts.clipped(e.getOriginalMessage(), 300) + at,
        e);
  }

  private static long offset(JacksonException e) {
    long bytes = e.getLocation().getByteOffset();
    return bytes >= 0 ? bytes : e.getLocation().getCharOffset();
  }
}
