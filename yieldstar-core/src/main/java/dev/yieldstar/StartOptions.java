package dev.yieldstar;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How an execution starts. Immutable: `StartOptions.id("order-42").delay(ofHours(1))`.
public final class StartOptions {
  private static final StartOptions NONE = new StartOptions(null, null, null, Map.of(), Map.of());

  private final @Nullable String id;
  private final @Nullable Duration delay;
  private final @Nullable Instant at;
  private final Map<String, @Nullable Object> context;
  private final Map<String, String> attributes;

  private StartOptions(
      @Nullable String id,
      @Nullable Duration delay,
      @Nullable Instant at,
      Map<String, @Nullable Object> context,
      Map<String, String> attributes) {
    this.id = id;
    this.delay = delay;
    this.at = at;
    this.context = Collections.unmodifiableMap(new LinkedHashMap<>(context));
    this.attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
  }

  /// At once, under an id that the library makes (a UUID of version 7).
  public static StartOptions none() {
    return NONE;
  }

  /// Under an id of one's own: 1 to 255 characters. It makes the start idempotent: the same
  /// workflow and params give the execution that is there, anything else is
  /// `EXECUTION_ID_CONFLICT`.
  public static StartOptions id(String id) {
    return new StartOptions(id, null, null, Map.of(), Map.of());
  }

  /// Not before so long after it was admitted.
  public StartOptions delay(Duration wait) {
    return new StartOptions(id, wait, null, context, attributes);
  }

  /// Not before then, by the backend's clock.
  public StartOptions at(Instant instant) {
    return new StartOptions(id, null, instant, context, attributes);
  }

  /// Values that travel with the execution and what it starts: text, numbers, booleans, null, lists
  /// and maps of them. The order is kept.
  public StartOptions context(Map<String, ? extends @Nullable Object> values) {
    return new StartOptions(id, delay, at, new LinkedHashMap<>(values), attributes);
  }

  /// Texts to find executions by.
  public StartOptions attributes(Map<String, String> texts) {
    return new StartOptions(id, delay, at, context, texts);
  }

  public Optional<String> id() {
    return Optional.ofNullable(id);
  }

  public Optional<Duration> delay() {
    return Optional.ofNullable(delay);
  }

  public Optional<Instant> at() {
    return Optional.ofNullable(at);
  }

  public Map<String, @Nullable Object> context() {
    return context;
  }

  public Map<String, String> attributes() {
    return attributes;
  }
}
