package dev.yieldstar.codec;

import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.SerializableString;
import tools.jackson.core.util.JsonGeneratorDelegate;

/// Writes only what comes back: no NaN, no infinity, no half characters, no raw text, no number out
/// of bounds; and `-0.0` as `0.0`. Everything that is encoded goes through it, whoever serializes
/// it.
final class StrictGenerator extends JsonGeneratorDelegate {
  StrictGenerator(JsonGenerator target) {
    super(target, false);
  }

  @Override
  public JsonGenerator writeNumber(double number) {
    if (!Double.isFinite(number)) {
      throw new NotDurable("is " + number + "; NaN and infinities are not durable");
    }
    delegate.writeNumber(number == 0 ? 0.0 : number);
    return this;
  }

  @Override
  public JsonGenerator writeNumber(float number) {
    if (!Float.isFinite(number)) {
      throw new NotDurable("is " + number + "; NaN and infinities are not durable");
    }
    delegate.writeNumber(number == 0 ? 0.0f : number);
    return this;
  }

  @Override
  public JsonGenerator writeNumber(@Nullable BigDecimal number) {
    if (number == null) {
      return writeNull();
    }
    refuse(Limits.complaint(number));
    delegate.writeNumber(number);
    return this;
  }

  @Override
  public JsonGenerator writeNumber(@Nullable BigInteger number) {
    if (number == null) {
      return writeNull();
    }
    refuse(Limits.complaint(number));
    delegate.writeNumber(number);
    return this;
  }

  @Override
  public JsonGenerator writeNumber(String encoded) {
    try {
      return writeNumber(new BigDecimal(encoded));
    } catch (NumberFormatException e) {
      throw new NotDurable(
          "is written as the number " + Texts.clipped(encoded, 60) + ", which is none");
    }
  }

  @Override
  public JsonGenerator writeNumber(char[] encoded, int offset, int length) {
    return writeNumber(new String(encoded, offset, length));
  }

  @Override
  public JsonGenerator writeArray(double[] numbers, int offset, int length) {
    writeStartArray(numbers, length);
    for (int i = offset; i < offset + length; i++) {
      writeNumber(numbers[i]);
    }
    return writeEndArray();
  }

  @Override
  public JsonGenerator writeArray(String[] texts, int offset, int length) {
    writeStartArray(texts, length);
    for (int i = offset; i < offset + length; i++) {
      writeString(texts[i]);
    }
    return writeEndArray();
  }

  @Override
  public JsonGenerator writeString(@Nullable String text) {
    if (text == null) {
      return writeNull();
    }
    whole(text);
    delegate.writeString(text);
    return this;
  }

  @Override
  public JsonGenerator writeString(char[] text, int offset, int length) {
    return writeString(new String(text, offset, length));
  }

  @Override
  public JsonGenerator writeString(SerializableString text) {
    return writeString(text.getValue());
  }

  @Override
  public JsonGenerator writeString(Reader reader, int length) {
    try {
      StringWriter text = new StringWriter();
      reader.transferTo(text);
      return writeString(text.toString());
    } catch (IOException e) {
      throw new NotDurable("could not be read: " + e);
    }
  }

  @Override
  public JsonGenerator writeName(String name) {
    whole(name);
    delegate.writeName(name);
    return this;
  }

  @Override
  public JsonGenerator writeRaw(String text) {
    throw raw();
  }

  @Override
  public JsonGenerator writeRaw(String text, int offset, int length) {
    throw raw();
  }

  @Override
  public JsonGenerator writeRaw(SerializableString text) {
    throw raw();
  }

  @Override
  public JsonGenerator writeRaw(char[] text, int offset, int length) {
    throw raw();
  }

  @Override
  public JsonGenerator writeRaw(char c) {
    throw raw();
  }

  @Override
  public JsonGenerator writeRawValue(String text) {
    throw raw();
  }

  @Override
  public JsonGenerator writeRawValue(String text, int offset, int length) {
    throw raw();
  }

  @Override
  public JsonGenerator writeRawValue(char[] text, int offset, int length) {
    throw raw();
  }

  @Override
  public JsonGenerator writeRawUTF8String(byte[] text, int offset, int length) {
    throw raw();
  }

  @Override
  public JsonGenerator writeUTF8String(byte[] text, int offset, int length) {
    throw raw();
  }

  private static void whole(String text) {
    int at = Texts.loneSurrogate(text);
    if (at >= 0) {
      throw new NotDurable(
          "is a text with half a character (a lone surrogate) at index "
              + at
              + "; only whole Unicode text is durable. Keep bytes as byte[]");
    }
  }

  private static void refuse(@Nullable String complaint) {
    if (complaint != null) {
      throw new NotDurable("is " + complaint);
    }
  }

  private static NotDurable raw() {
    return new NotDurable(
        "is written as raw JSON text (@JsonRawValue), which doesn't come back; declare a JsonNode");
  }
}
