package dev.yieldstar.codec;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/// Reads values from JSON, and says in one sentence where a text is no value of a type, and why.
final class Decoder {
  private static final Pattern MISSING =
      Pattern.compile("^Missing required creator property '(.*?)'");

  private final Encoder encoder;

  Decoder(Encoder encoder) {
    this.encoder = encoder;
  }

  @Nullable Object decode(byte[] json, BoundType type) {
    JsonBytes.Look look = JsonBytes.look(json);
    if (look.complaint() != null) {
      throw refused(type, ValuePath.ROOT, "it is no JSON text: " + look.complaint(), null);
    }
    Object value = read(json, type);
    if (type.floating() && look.maybeInfinite()) {
      finite(value, type);
    }
    return value;
  }

  private static @Nullable Object read(byte[] json, BoundType type) {
    try {
      return type.reader().readValue(json);
    } catch (JacksonException e) {
      throw refused(type, ValuePath.of(e), why(e), e);
    } catch (StackOverflowError e) {
      throw refused(type, ValuePath.ROOT, "it is nested too deep", null);
    } catch (Throwable e) {
      Causes.passOn(e);
      throw refused(type, ValuePath.ROOT, Causes.text(e), e);
    }
  }

  /// Refuses values in which a number became infinite: what can't be written wasn't written.
  private void finite(@Nullable Object value, BoundType type) {
    try {
      encoder.encode(value, type);
    } catch (ValueRefused e) {
      throw new ValueRefused(ValueRefused.UNDECODABLE, String.valueOf(e.getMessage()), e);
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
    for (Throwable at : Causes.of(e)) {
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
    Matcher missing = MISSING.matcher(String.valueOf(e.getOriginalMessage()));
    if (missing.find()) {
      return ("it has no %s, and a primitive has no value for that. Declare its box (then it is null),"
              + " or let it be 0 by @JsonProperty(isRequired = OptBoolean.FALSE)")
          .formatted(missing.group(1));
    }
    return Causes.text(e);
  }
}
