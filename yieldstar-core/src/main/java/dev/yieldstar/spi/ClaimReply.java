package dev.yieldstar.spi;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a claim got.
///
/// @param claims earliest due first
/// @param now the backend's time
/// @param next when the next of the registered workflows' executions is due, as far as is known: a
///   time in the past where more is due than was asked for; null where nothing is
public record ClaimReply(List<Claim> claims, Instant now, @Nullable Instant next) {
  public ClaimReply {
    claims = List.copyOf(claims);
  }

  public Optional<Instant> nextDue() {
    return Optional.ofNullable(next);
  }
}
