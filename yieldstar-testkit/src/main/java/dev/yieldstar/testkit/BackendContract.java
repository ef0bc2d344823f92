package dev.yieldstar.testkit;

import dev.yieldstar.spi.Backend;
import java.time.InstantSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/// What every backend must do, as tests: extend it, say how a backend is opened, and run it.
///
/// ```java
/// class MyBackendContractTest extends BackendContract {
///   @Override
///   protected Backend open(InstantSource clock) {
///     return new MyBackend(clock);
///   }
/// }
/// ```
///
/// A backend that passes answers as [dev.yieldstar.memory.MemoryBackend] does. What is beyond one
/// process (durability, several processes on one database) is for the backend's own tests.
public abstract class BackendContract {

  /// A fresh, empty backend whose time is this clock's. Called before each test; closed after it.
  protected abstract Backend open(InstantSource clock);

  @Nested
  @DisplayName("Admission")
  class Admissions extends AdmissionsContract {
    Admissions() {
      super(BackendContract.this::open);
    }
  }

  @Nested
  @DisplayName("Starts by steps")
  class ChildStarts extends ChildStartsContract {
    ChildStarts() {
      super(BackendContract.this::open);
    }
  }

  @Nested
  @DisplayName("Claims")
  class Claims extends ClaimsContract {
    Claims() {
      super(BackendContract.this::open);
    }
  }

  @Nested
  @DisplayName("Leases and fences")
  class LeaseRules extends LeaseRulesContract {
    LeaseRules() {
      super(BackendContract.this::open);
    }
  }

  @Nested
  @DisplayName("Step records")
  class Records extends RecordsContract {
    Records() {
      super(BackendContract.this::open);
    }
  }

  @Nested
  @DisplayName("Chains and batches")
  class Chains extends ChainsContract {
    Chains() {
      super(BackendContract.this::open);
    }
  }

  @Nested
  @DisplayName("Wakes and suspension")
  class Wakes extends WakesContract {
    Wakes() {
      super(BackendContract.this::open);
    }
  }

  @Nested
  @DisplayName("Awaiting other executions")
  class Awaiting extends AwaitingContract {
    Awaiting() {
      super(BackendContract.this::open);
    }
  }

  @Nested
  @DisplayName("Acknowledgements")
  class Acknowledgements extends AcknowledgementsContract {
    Acknowledgements() {
      super(BackendContract.this::open);
    }
  }

  @Nested
  @DisplayName("Continue as new")
  class Continuations extends ContinuationsContract {
    Continuations() {
      super(BackendContract.this::open);
    }
  }

  @Nested
  @DisplayName("Cancellation")
  class Cancellation extends CancellationContract {
    Cancellation() {
      super(BackendContract.this::open);
    }
  }

  @Nested
  @DisplayName("Pause and resume")
  class Pausing extends PausingContract {
    Pausing() {
      super(BackendContract.this::open);
    }
  }

  @Nested
  @DisplayName("Releases and redelivery")
  class Redeliveries extends RedeliveriesContract {
    Redeliveries() {
      super(BackendContract.this::open);
    }
  }

  @Nested
  @DisplayName("Retry and fork")
  class Forking extends ForkingContract {
    Forking() {
      super(BackendContract.this::open);
    }
  }

  @Nested
  @DisplayName("Journals")
  class Journals extends JournalsContract {
    Journals() {
      super(BackendContract.this::open);
    }
  }

  @Nested
  @DisplayName("Reads and closing")
  class Reads extends ReadsContract {
    Reads() {
      super(BackendContract.this::open);
    }
  }

  @Nested
  @DisplayName("Exact values")
  class Values extends ValuesContract {
    Values() {
      super(BackendContract.this::open);
    }
  }

  @Nested
  @DisplayName("Many at once")
  class Concurrency extends ConcurrencyContract {
    Concurrency() {
      super(BackendContract.this::open);
    }
  }

  @Nested
  @DisplayName("The answers of the reference")
  class ReferenceAnswers extends ReferenceAnswersContract {
    ReferenceAnswers() {
      super(BackendContract.this::open);
    }
  }
}
