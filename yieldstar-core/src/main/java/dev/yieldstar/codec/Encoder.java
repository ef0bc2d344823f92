package dev.yieldstar.codec;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonEncoding;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamWriteException;
import tools.jackson.databind.ObjectWriter;

/// Writes values as JSON, and says in one sentence where a value is not durable, and why.
final class Encoder {
  private static final Pattern CAST =
      Pattern.compile("class (\\S+) cannot be cast to class (\\S+).*", Pattern.DOTALL);

  private final ObjectWriter plain;
  private final int most;

  Encoder(ObjectWriter plain, int most) {
    this.plain = plain;
    this.most = most;
  }

  byte[] encode(@Nullable Object value, BoundType type) {
    BoundedBytes out = new BoundedBytes(most);
    ObjectWriter writer = type.writer();
    JsonGenerator target =
        (writer == null ? plain : writer).createGenerator(out, JsonEncoding.UTF8);
    try {
      StrictGenerator generator = new StrictGenerator(target);
      if (writer == null) {
        NaturalValues.write(value, generator);
      } else {
        writer.writeValue(generator, value);
      }
      target.close();
      return out.toBytes();
    } catch (Throwable e) {
      Causes.passOn(e);
      ValueRefused refused = refused(e, target, type);
      discard(target);
      throw refused;
    }
  }

  /// Gives the generator's buffers back; what it still holds goes nowhere.
  private static void discard(JsonGenerator target) {
    try {
      target.close();
    } catch (RuntimeException e) {
      return; // it was in the middle of something
    }
  }

  private ValueRefused refused(Throwable e, JsonGenerator target, BoundType type) {
    for (Throwable at : Causes.of(e)) {
      switch (at) {
        case ValueRefused refused -> {
          return refused;
        }
        case BoundedBytes.Full full -> {
          return new ValueRefused(
              ValueRefused.TOO_LARGE,
              "The value (%s) is larger than %,d bytes once encoded. Keep it elsewhere, and record where."
                  .formatted(type.name(), most),
              null);
        }
        case NotDurable what -> {
          return refused(ValuePath.ofNext(target.streamWriteContext()), what.what(), type, null);
        }
        case ClassCastException cast -> {
          return refused(ValuePath.ofNext(target.streamWriteContext()), cast(cast), type, e);
        }
        case StreamConstraintsException deep -> {
          return refused(ValuePath.ofNext(target.streamWriteContext()), TOO_DEEP, type, null);
        }
        case StackOverflowError deep -> {
          return refused(ValuePath.ofNext(target.streamWriteContext()), TOO_DEEP, type, null);
        }
        case StreamWriteException duplicate
            when String.valueOf(duplicate.getMessage()).startsWith("Duplicate") -> {
          return refused(
              ValuePath.ofNext(target.streamWriteContext()),
              "has two keys that are written alike: " + duplicate.getOriginalMessage(),
              type,
              e);
        }
        default -> {}
      }
    }
    String path = e instanceof JacksonException failure ? ValuePath.of(failure) : ValuePath.ROOT;
    return refused(path, "can't be encoded: " + Causes.text(e), type, e);
  }

  private static final String TOO_DEEP =
      "is nested more than " + Limits.DEPTH + " levels deep, or contains itself";

  private static ValueRefused refused(
      String path, String what, BoundType type, @Nullable Throwable cause) {
    return new ValueRefused(
        ValueRefused.NOT_DURABLE,
        "The value (%s) is not durable: %s %s.".formatted(type.name(), path, what),
        cause);
  }

  private static String cast(ClassCastException e) {
    Matcher classes = CAST.matcher(String.valueOf(e.getMessage()));
    return classes.matches()
        ? "is a %s where %s is declared".formatted(classes.group(1), classes.group(2))
        : "has another class than declared: " + e.getMessage();
  }
}
