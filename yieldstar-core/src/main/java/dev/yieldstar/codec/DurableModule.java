package dev.yieldstar.codec;

import com.fasterxml.jackson.annotation.JsonFormat;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.Version;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.deser.Deserializers;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.Serializers;

/// What durable values need beside Jackson's own: exact classes and recorded errors.
final class DurableModule extends SimpleModule {
  private static final long serialVersionUID = 1;
  private final transient ErrorRebuilder rebuilder;

  DurableModule(ErrorRebuilder rebuilder) {
    super("yieldstar-durable-values", Version.unknownVersion());
    this.rebuilder = rebuilder;
  }

  @Override
  public void setupModule(SetupContext context) {
    context.addSerializerModifier(new ExactClasses());
    context.addDeserializerModifier(new PlainConstants());
    context.addSerializers(new ErrorSerializers(rebuilder));
    context.addDeserializers(new ErrorDeserializers(rebuilder));
  }

  private static final class ErrorSerializers extends Serializers.Base {
    private final ErrorRebuilder rebuilder;

    ErrorSerializers(ErrorRebuilder rebuilder) {
      this.rebuilder = rebuilder;
    }

    @Override
    public @Nullable ValueSerializer<?> findSerializer(
        SerializationConfig config,
        JavaType type,
        BeanDescription.Supplier description,
        JsonFormat.Value format) {
      return type.isTypeOrSubTypeOf(Throwable.class)
          ? new ErrorForm.Writer(type.getRawClass(), rebuilder)
          : null;
    }
  }

  private static final class ErrorDeserializers extends Deserializers.Base {
    private final ErrorRebuilder rebuilder;

    ErrorDeserializers(ErrorRebuilder rebuilder) {
      this.rebuilder = rebuilder;
    }

    @Override
    public @Nullable ValueDeserializer<?> findBeanDeserializer(
        JavaType type, DeserializationConfig config, BeanDescription.Supplier description) {
      return type.isTypeOrSubTypeOf(Throwable.class)
          ? new ErrorForm.Reader(type.getRawClass(), rebuilder)
          : null;
    }

    @Override
    public boolean hasDeserializerFor(DeserializationConfig config, Class<?> type) {
      return Throwable.class.isAssignableFrom(type);
    }
  }
}
