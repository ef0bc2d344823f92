package dev.yieldstar.codec;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// How recorded errors get their own class again: which classes are registered, where others are
/// looked for, and whether they may be at all. Immutable.
///
/// The function of a registered class is given the recorded message, null where there was none, and
/// returns the error; its stack, cause and suppressed errors are put in afterwards.
public final class ErrorTypes {
  private final Map<String, Registered> registered;
  private final ClassLoader loader;
  private final boolean trusting;

  /// A class, and how it is rebuilt from a message.
  record Registered(
      Class<? extends Throwable> type, Function<@Nullable String, ? extends Throwable> rebuild) {}

  private ErrorTypes(Map<String, Registered> registered, ClassLoader loader, boolean trusting) {
    this.registered = registered;
    this.loader = loader;
    this.trusting = trusting;
  }

  /// No class registered; any Throwable that the thread's context class loader sees, else the
  /// library's, is rebuilt by its public constructor.
  public static ErrorTypes standard() {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return of(Map.of(), context != null ? context : ErrorTypes.class.getClassLoader());
  }

  /// These classes registered; others are looked for in this class loader.
  public static ErrorTypes of(
      Map<Class<? extends Throwable>, ? extends Function<@Nullable String, ? extends Throwable>>
          registered,
      ClassLoader loader) {
    Map<String, Registered> byName = new LinkedHashMap<>();
    registered.forEach(
        (type, rebuild) -> byName.put(type.getName(), new Registered(type, rebuild)));
    return new ErrorTypes(Map.copyOf(byName), loader, true);
  }

  /// The same, with one more class registered.
  public <T extends Throwable> ErrorTypes with(
      Class<T> type, Function<@Nullable String, ? extends T> rebuild) {
    Map<String, Registered> byName = new LinkedHashMap<>(registered);
    byName.put(type.getName(), new Registered(type, rebuild));
    return new ErrorTypes(Map.copyOf(byName), loader, trusting);
  }

  /// For data that strangers may have written: only registered classes and the library's own errors
  /// are rebuilt; no other class is so much as looked for.
  public ErrorTypes untrusting() {
    return new ErrorTypes(registered, loader, false);
  }

  /// For the engine's own records: the default.
  public ErrorTypes trusting() {
    return new ErrorTypes(registered, loader, true);
  }

  Optional<Registered> registered(String name) {
    return Optional.ofNullable(registered.get(name));
  }

  ClassLoader loader() {
    return loader;
  }

  boolean isTrusting() {
    return trusting;
  }
}
