package dev.yieldstar;

import java.lang.reflect.Type;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A named function with a parameter type and a result type. Immutable, meant to be a constant.
///
/// It comes with its body, or is only the name and the types that callers need; then the body is
/// given where it is registered. The name is 1 to 255 characters; `$$` is reserved.
public final class Workflow<P extends @Nullable Object, R extends @Nullable Object> {
  private final String name;
  private final Type params;
  private final Type result;
  private final @Nullable WorkflowFunction<? super P, ? extends R> body;
  private final @Nullable String version;
  private final Retry retry;

  private Workflow(
      String name,
      Type params,
      Type result,
      @Nullable WorkflowFunction<? super P, ? extends R> body,
      @Nullable String version,
      Retry retry) {
    this.name = name;
    this.params = params;
    this.result = result;
    this.body = body;
    this.version = version;
    this.retry = retry;
  }

  /// A workflow with its body.
  public static <P extends @Nullable Object, R extends @Nullable Object> Workflow<P, R> of(
      String name,
      Class<P> params,
      Class<R> result,
      WorkflowFunction<? super P, ? extends R> body) {
    return new Workflow<>(name, params, result, body, null, Retry.never());
  }

  /// A workflow without a result, with its body.
  public static <P extends @Nullable Object> Workflow<P, Void> of(
      String name, Class<P> params, WorkflowAction<? super P> body) {
    return new Workflow<>(name, params, Void.class, returningNothing(body), null, Retry.never());
  }

  /// Name and types only: what a caller needs.
  public static <P extends @Nullable Object, R extends @Nullable Object> Workflow<P, R> of(
      String name, Class<P> params, Class<R> result) {
    return new Workflow<>(name, params, result, null, null, Retry.never());
  }

  /// Name and types only, of a workflow without a result.
  public static <P extends @Nullable Object> Workflow<P, Void> of(String name, Class<P> params) {
    return new Workflow<>(name, params, Void.class, null, null, Retry.never());
  }

  /// For generic types: `Workflow.of("sum", new TypeRef<List<Line>>() {},
  /// TypeRef.of(Integer.class), Sums::run)`.
  public static <P extends @Nullable Object, R extends @Nullable Object> Workflow<P, R> of(
      String name,
      TypeRef<P> params,
      TypeRef<R> result,
      WorkflowFunction<? super P, ? extends R> body) {
    return new Workflow<>(name, params.type(), result.type(), body, null, Retry.never());
  }

  /// Name and generic types only.
  public static <P extends @Nullable Object, R extends @Nullable Object> Workflow<P, R> of(
      String name, TypeRef<P> params, TypeRef<R> result) {
    return new Workflow<>(name, params.type(), result.type(), null, null, Retry.never());
  }

  /// The policy of steps that name none; [Retry#never] unless said.
  public Workflow<P, R> retry(Retry standard) {
    return new Workflow<>(name, params, result, body, version, standard);
  }

  /// What the author calls this version of the definition. It is recorded on each execution and
  /// shown. An execution that was blocked under one version is tried again as soon as another is
  /// registered.
  public Workflow<P, R> version(String name) {
    return new Workflow<>(this.name, params, result, body, name, retry);
  }

  /// The same workflow with this body.
  public Workflow<P, R> body(WorkflowFunction<? super P, ? extends R> function) {
    return new Workflow<>(name, params, result, function, version, retry);
  }

  @SuppressWarnings("NullAway") // plain Void, so that users need not write @Nullable Void
  static <P extends @Nullable Object> WorkflowFunction<P, Void> returningNothing(
      WorkflowAction<? super P> body) {
    return (step, params) -> {
      body.run(step, params);
      return null;
    };
  }

  public String name() {
    return name;
  }

  /// The declared type of its parameter.
  public Type params() {
    return params;
  }

  /// The declared type of its result.
  public Type result() {
    return result;
  }

  public Optional<WorkflowFunction<? super P, ? extends R>> body() {
    return Optional.ofNullable(body);
  }

  public Optional<String> version() {
    return Optional.ofNullable(version);
  }

  public Retry retry() {
    return retry;
  }

  @Override
  public String toString() {
    return "Workflow[" + name + "]";
  }
}
