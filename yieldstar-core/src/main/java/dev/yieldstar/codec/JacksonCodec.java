package dev.yieldstar.codec;

import java.lang.invoke.MethodType;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

/// The codec that comes with the library: JSON text in UTF-8, written and read by Jackson.
/// - **Declared types only.** A value is written as what is declared and read as that; no Java
///   class name is in the data (but in recorded errors), and none in the data is ever looked up
///   (see [ErrorTypes]).
/// - **The same value, or a refusal.** What [#encode] accepts comes back with the same canonical
///   form ([CanonicalJson]), in the classes that are declared. NaN, infinities, half characters,
///   cycles and subclasses of what is declared are refused; `-0.0` becomes `0.0`.
/// - **Sealed types** carry the simple name of their subtype, or what `@JsonTypeName` says, as the
///   property `@type`; also where the subtype itself is declared.
/// - **null is a value.** Only where an `Optional` is declared it is refused, since it would come
///   back empty.
/// - **Changed classes.** A recorded property that the class no longer has is refused, unless
///   `@JsonIgnoreProperties` allows it: to drop it in silence could lose what a newer version of
///   the application wrote. A component that was not recorded is null, or an empty Optional; a
///   primitive one is refused, since no number stands for "not recorded".
///
/// Each value of the first 100 of a type is decoded and encoded again to see that it comes back; by
/// [#checkingAlways] every one is. Immutable and thread-safe; types are looked through once and
/// kept.
public final class JacksonCodec implements Codec {
  /// The tag of payloads that are JSON text.
  public static final byte FORMAT = 1;

  /// Bytes that a value may have once encoded, unless [#withMaxBytes] says otherwise: 64 MiB. A
  /// payload limit of the engine's is usually far below; this one keeps a value from taking all
  /// memory.
  public static final int MAX_BYTES = 64 * 1024 * 1024;

  private static final int JUDGED_AT_FIRST = 100;
  private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

  private record Settings(
      ErrorTypes errors, List<JacksonModule> modules, int maxBytes, boolean always) {}

  private final Settings settings;
  private final JsonMapper mapper;
  private final Encoder encoder;
  private final Decoder decoder;
  private final RoundTrip roundTrip;

  /// A bound type, or why the type is refused.
  private final Map<Type, Object> types = new ConcurrentHashMap<>();

  private JacksonCodec(Settings settings) {
    this.settings = settings;
    this.mapper = DurableMapper.of(new ErrorRebuilder(settings.errors), settings.modules);
    this.encoder = new Encoder(mapper.writer(), settings.maxBytes);
    this.decoder = new Decoder(encoder);
    this.roundTrip = new RoundTrip(encoder, decoder, mapper);
    types.put(
        NaturalValues.CONTEXT,
        new BoundType(
            NaturalValues.CONTEXT.getTypeName(),
            Map.class,
            false,
            null,
            mapper.readerForMapOf(Object.class),
            false,
            false,
            new AtomicInteger()));
  }

  /// The codec as the engine uses it by default.
  public static JacksonCodec standard() {
    return new JacksonCodec(new Settings(ErrorTypes.standard(), List.of(), MAX_BYTES, false));
  }

  /// The same, rebuilding errors inside values as these settings say.
  public JacksonCodec withErrors(ErrorTypes errors) {
    return new JacksonCodec(
        new Settings(errors, settings.modules, settings.maxBytes, settings.always));
  }

  /// The same, with further Jackson modules (for Kotlin, for a library of collections).
  public JacksonCodec withModules(List<JacksonModule> modules) {
    return new JacksonCodec(
        new Settings(settings.errors, List.copyOf(modules), settings.maxBytes, settings.always));
  }

  /// The same, with another bound for one encoded value.
  public JacksonCodec withMaxBytes(int maxBytes) {
    if (maxBytes < 1) {
      throw new IllegalArgumentException("maxBytes must be at least 1, was " + maxBytes);
    }
    return new JacksonCodec(
        new Settings(settings.errors, settings.modules, maxBytes, settings.always));
  }

  /// The same, judging every value by its round trip, not only the first of a type. For tests, and
  /// for those who would rather pay twice.
  public JacksonCodec checkingAlways() {
    return new JacksonCodec(
        new Settings(settings.errors, settings.modules, settings.maxBytes, true));
  }

  @Override
  public void check(Type type) {
    bound(type);
  }

  @Override
  public Payload encode(@Nullable Object value, Type type) {
    BoundType bound = bound(type);
    if (value == null && bound.writer() != null) {
      refuseNull(bound);
      return Payload.of(FORMAT, NULL);
    }
    if (value != null && bound.writer() != null && !bound.raw().isInstance(value)) {
      throw new ValueRefused(
          ValueRefused.NOT_DURABLE,
          "The value is a %s, but %s is declared."
              .formatted(value.getClass().getName(), bound.name()),
          null);
    }
    byte[] encoded = encoder.encode(value, bound);
    if (settings.always || bound.judged() || bound.judgements().get() < JUDGED_AT_FIRST) {
      roundTrip.judge(encoded, bound);
      bound.judgements().incrementAndGet();
    }
    return Payload.of(FORMAT, encoded);
  }

  @Override
  public @Nullable Object decode(Payload payload, Type type) {
    BoundType bound = bound(type);
    Object value = decoder.decode(json(payload), bound);
    return value == null && bound.writer() == null ? Map.of() : value;
  }

  @Override
  public String text(Payload payload) {
    byte[] json = json(payload);
    String complaint = JsonBytes.complaint(json);
    if (complaint != null) {
      throw StrictJson.notJson(complaint);
    }
    StrictJson.check(json);
    return JsonBytes.text(json);
  }

  private static byte[] json(Payload payload) {
    if (payload.format() != FORMAT) {
      throw new ValueRefused(
          ValueRefused.UNDECODABLE,
          "The payload has the format %d; this codec reads %d (JSON). It was written by another codec."
              .formatted(payload.format(), FORMAT),
          null);
    }
    return payload.body();
  }

  private static void refuseNull(BoundType type) {
    if ((type.primitive() && type.raw() != Void.class) || ExactClasses.isOptional(type.raw())) {
      throw new ValueRefused(
          ValueRefused.NOT_DURABLE,
          "The value is null, which is no %s.%s"
              .formatted(type.name(), type.primitive() ? "" : " Use Optional.empty()."),
          null);
    }
  }

  private BoundType bound(Type type) {
    Object known = types.get(type);
    if (known == null) {
      known = bind(type);
      types.put(type, known);
    }
    if (known instanceof BoundType bound) {
      return bound;
    }
    throw new ValueRefused(ValueRefused.TYPE_NOT_REIFIED, (String) known, null);
  }

  private Object bind(Type type) {
    try {
      TypeCheck.Found found = TypeCheck.of(type, mapper);
      JavaType javaType = found.type();
      return new BoundType(
          Names.of(javaType),
          MethodType.methodType(javaType.getRawClass()).wrap().returnType(),
          javaType.isPrimitive(),
          mapper.writerFor(javaType),
          mapper.readerFor(javaType),
          found.judged(),
          found.floating() || found.judged(),
          new AtomicInteger());
    } catch (ValueRefused e) {
      return String.valueOf(e.getMessage());
    }
  }
}
