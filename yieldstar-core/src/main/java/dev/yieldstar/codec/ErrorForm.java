package dev.yieldstar.codec;

import dev.yieldstar.RecordedFailure;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.type.WritableTypeId;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.jsontype.TypeSerializer;
import tools.jackson.databind.ser.std.StdSerializer;

/// How Throwables inside values are written and read: in the form of recorded errors.
final class ErrorForm {
  private ErrorForm() {}

  static final class Writer extends StdSerializer<Throwable> {
    private final Class<?> declared;
    private final transient ErrorRebuilder rebuilder;

    Writer(Class<?> declared, ErrorRebuilder rebuilder) {
      super(Throwable.class);
      this.declared = declared;
      this.rebuilder = rebuilder;
    }

    @Override
    public void serialize(Throwable error, JsonGenerator generator, SerializationContext context) {
      RecordedError recorded = recorded(error);
      generator.writeStartObject(error);
      write(recorded, generator);
      generator.writeEndObject();
    }

    @Override
    public void serializeWithType(
        Throwable error,
        JsonGenerator generator,
        SerializationContext context,
        TypeSerializer type) {
      RecordedError recorded = recorded(error);
      WritableTypeId id =
          type.writeTypePrefix(generator, context, type.typeId(error, JsonToken.START_OBJECT));
      write(recorded, generator);
      type.writeTypeSuffix(generator, context, id);
    }

    /// The record of an error that can come back as what is declared.
    private RecordedError recorded(Throwable error) {
      RecordedError recorded = ErrorRecorder.record(error);
      if (!declared.isAssignableFrom(RecordedFailure.class)
          && !declared.isInstance(rebuilder.rebuild(recorded))) {
        throw new NotDurable(
            ("is a %s that can't be rebuilt as the %s that is declared: give it a public (String)"
                    + " constructor that keeps the message, register how it is rebuilt, or declare Exception")
                .formatted(error.getClass().getName(), declared.getName()));
      }
      return recorded;
    }

    private static void write(RecordedError error, JsonGenerator generator) {
      generator.writeStringProperty("type", error.type());
      if (error.message() != null) {
        generator.writeStringProperty("message", error.message());
      }
      if (error.code() != null) {
        generator.writeStringProperty("code", error.code());
      }
      if (!error.details().isEmpty()) {
        generator.writeObjectPropertyStart("details");
        error.details().forEach(generator::writeStringProperty);
        generator.writeEndObject();
      }
      if (!error.stack().isEmpty()) {
        generator.writeArrayPropertyStart("stack");
        error.stack().forEach(generator::writeString);
        generator.writeEndArray();
      }
      if (error.cause() != null) {
        generator.writeObjectPropertyStart("cause");
        write(error.cause(), generator);
        generator.writeEndObject();
      }
      if (!error.suppressed().isEmpty()) {
        generator.writeArrayPropertyStart("suppressed");
        for (RecordedError suppressed : error.suppressed()) {
          generator.writeStartObject();
          write(suppressed, generator);
          generator.writeEndObject();
        }
        generator.writeEndArray();
      }
    }
  }

  static final class Reader extends StdDeserializer<Throwable> {
    private final Class<?> declared;
    private final transient ErrorRebuilder rebuilder;

    Reader(Class<?> declared, ErrorRebuilder rebuilder) {
      super(declared);
      this.declared = declared;
      this.rebuilder = rebuilder;
    }

    @Override
    public @Nullable Throwable deserialize(JsonParser parser, DeserializationContext context) {
      RecordedError recorded = context.readValue(parser, RecordedError.class);
      Throwable error = rebuilder.rebuild(recorded);
      if (!declared.isInstance(error)) {
        return context.reportInputMismatch(
            this,
            "the recorded %s can't be rebuilt as the %s that is declared",
            recorded.type(),
            declared.getName());
      }
      return error;
    }
  }
}
