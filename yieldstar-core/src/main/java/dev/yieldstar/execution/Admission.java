package dev.yieldstar.execution;

import dev.yieldstar.codec.Payload;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What an execution was admitted with; never changes.
///
/// @param execution the internal id, made by the client: it tells after an uncertain commit whether
///   the admission that is found is its own
/// @param id the id that users know
/// @param version what the author calls this version of the workflow's code, if anything
/// @param params the encoded params; null where there were none, which differs from an empty object
/// @param fingerprint of the canonical params: equal where the params are equal
/// @param context the encoded context; null in a child's start, which takes its caller's
/// @param parent who started it from within a workflow
/// @param forkedFrom the id of the execution that it repeats
/// @param admittedAt set by the backend
public record Admission(
    long execution,
    String id,
    String workflow,
    @Nullable String version,
    @Nullable Payload params,
    String fingerprint,
    @Nullable Payload context,
    Map<String, String> attributes,
    @Nullable ParentLink parent,
    @Nullable String forkedFrom,
    Instant admittedAt) {
  public Admission {
    attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
  }

  /// One that is yet to be sent: without parent and origin, admitted by whoever applies it.
  public static Admission request(
      long execution,
      String id,
      String workflow,
      @Nullable String version,
      @Nullable Payload params,
      String fingerprint,
      @Nullable Payload context,
      Map<String, String> attributes) {
    return new Admission(
        execution,
        id,
        workflow,
        version,
        params,
        fingerprint,
        context,
        attributes,
        null,
        null,
        Instant.EPOCH);
  }

  /// The same under another internal id, where the first was taken.
  public Admission withInternalId(long other) {
    return new Admission(
        other,
        id,
        workflow,
        version,
        params,
        fingerprint,
        context,
        attributes,
        parent,
        forkedFrom,
        admittedAt);
  }

  boolean asksForTheSameAs(Admission first) {
    return workflow.equals(first.workflow) && fingerprint.equals(first.fingerprint);
  }

  Admission admittedAt(Instant now) {
    return new Admission(
        execution,
        id,
        workflow,
        version,
        params,
        fingerprint,
        context,
        attributes,
        parent,
        forkedFrom,
        now);
  }

  Admission asChildOf(Admission caller, String stepKey) {
    return new Admission(
        execution,
        id,
        workflow,
        version,
        params,
        fingerprint,
        context == null ? caller.context : context,
        attributes,
        new ParentLink(caller.id, stepKey),
        null,
        admittedAt);
  }

  Admission forkedInto(long newExecution, String newId, @Nullable Payload currentParams) {
    return new Admission(
        newExecution,
        newId,
        workflow,
        version,
        currentParams,
        fingerprint,
        context,
        attributes,
        null,
        id,
        admittedAt);
  }
}
