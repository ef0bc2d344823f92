package dev.yieldstar.codec;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/// Reads values from JSON, and says in one sentence where a text is no value of a type, and why.
final class Decoder {
  private Decoder() {}

  static @Nullable Object decode(byte[] json, BoundType type) {
    String complaint = JsonBytes.complaint(json);
    if (complaint != null) {
      throw refused(type, ValuePath.ROOT, "it is no JSON text: " + complaint, null);
    }
    try {
      return type.reader().readValue(json);
    } catch (JacksonException e) {
      throw refused(type, ValuePath.of(e), why(e), e);
    } catch (RuntimeException e) {
      throw refused(type, ValuePath.ROOT, String.valueOf(e), e);
    } catch (StackOverflowError e) {
      throw refused(type, ValuePath.ROOT, "it is nested too deep", null);
    }
  }

  private static ValueRefused refused(
      BoundType type, String path, String why, @Nullable Throwable cause) {
    return new ValueRefused(
        ValueRefused.UNDECODABLE,
        "What was recorded is no %s, at %s: %s.".formatted(type.name(), path, why),
        cause);
  }

  private static String why(JacksonException e) {
    for (Throwable at = e; at != null; at = at.getCause()) {
      if (at instanceof ValueRefused refused) {
        return String.valueOf(refused.getMessage());
      }
    }
    if (e instanceof UnrecognizedPropertyException unknown) {
      return ("it has the property %s, which %s has not. Where that is no mistake, say so:"
              + " @JsonIgnoreProperties(\"%s\") on the class")
          .formatted(
              unknown.getPropertyName(),
              unknown.getReferringClass().getName(),
              unknown.getPropertyName());
    }
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String message =
        root instanceof JacksonException failure ? failure.getOriginalMessage() : root.toString();
    return Texts.clipped(String.valueOf(message).replaceAll("\\s+", " "), 400);
  }
}
