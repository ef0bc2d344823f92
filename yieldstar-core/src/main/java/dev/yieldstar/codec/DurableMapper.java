package dev.yieldstar.codec;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.cfg.MutableCoercionConfig;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.ser.BeanSerializerFactory;
import tools.jackson.databind.type.LogicalType;

/// Jackson, set up so that what it writes comes back: by declared types, exactly, or not at all.
final class DurableMapper {
  private DurableMapper() {}

  static JsonMapper of(ErrorRebuilder rebuilder, List<JacksonModule> modules) {
    return JsonMapper.builder(StrictJson.FACTORY)
        .serializerFactory(BeanSerializerFactory.instance.withNullKeySerializer(Guards.NO_NULL_KEY))
        .annotationIntrospector(new FamilyIntrospector())
        .addModules(modules)
        .addModule(new DurableModule(rebuilder))
        // values are written as what is declared, in the order in which it is declared
        .enable(
            MapperFeature.USE_STATIC_TYPING,
            MapperFeature.REQUIRE_SETTERS_FOR_GETTERS,
            MapperFeature.INFER_RECORD_GETTERS_FROM_COMPONENTS_ONLY)
        .disable(
            MapperFeature.SORT_PROPERTIES_ALPHABETICALLY, MapperFeature.ALLOW_COERCION_OF_SCALARS)
        .disable(
            SerializationFeature.EAGER_SERIALIZER_FETCH) // else roots lose their type arguments
        // nothing is guessed when reading
        .enable(
            DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
            DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
            DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
            DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY,
            DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
        .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
        .withCoercionConfigDefaults(
            config -> config.setCoercion(CoercionInputShape.EmptyString, CoercionAction.Fail))
        .withCoercionConfig(
            LogicalType.Textual,
            config ->
                config
                    .setCoercion(CoercionInputShape.EmptyString, CoercionAction.TryConvert)
                    .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                    .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                    .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
        .withCoercionConfig(URI.class, DurableMapper::emptyTextIsAValue)
        .withCoercionConfig(Locale.class, DurableMapper::emptyTextIsAValue)
        // constants by their names, numbers and times as they are
        .disable(EnumFeature.READ_ENUMS_USING_TO_STRING, EnumFeature.WRITE_ENUMS_USING_TO_STRING)
        .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
        .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
        .enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
        .disable(
            DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE,
            DateTimeFeature.WRITE_DATES_WITH_CONTEXT_TIME_ZONE,
            DateTimeFeature.NORMALIZE_DESERIALIZED_ZONE_ID,
            DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS,
            DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
        .build();
  }

  private static void emptyTextIsAValue(MutableCoercionConfig config) {
    config.setCoercion(CoercionInputShape.EmptyString, CoercionAction.AsEmpty);
  }
}
