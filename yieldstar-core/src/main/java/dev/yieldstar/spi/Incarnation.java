package dev.yieldstar.spi;

/// One history of an execution, known by its internal id.
public record Incarnation(long execution, int incarnation) implements Comparable<Incarnation> {
  @Override
  public int compareTo(Incarnation other) {
    int byExecution = Long.compare(execution, other.execution);
    return byExecution != 0 ? byExecution : Integer.compare(incarnation, other.incarnation);
  }
}
