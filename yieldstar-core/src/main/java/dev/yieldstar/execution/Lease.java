package dev.yieldstar.execution;

/// The right to advance one incarnation of an execution. Sent with every fenced command.
///
/// The token grows with each claim. The id is random, made by the claimer before it claims: where a
/// database loses its last commits a process could get the same token twice, never the same id.
public record Lease(long execution, int incarnation, long token, long id) {
  /// What the id column holds where nobody holds a lease.
  public static final long NONE = 0;

  public Lease {
    if (id == NONE) {
      throw new IllegalArgumentException("0 stands for no lease");
    }
  }
}
