package dev.yieldstar.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.yieldstar.Coded;
import dev.yieldstar.InvalidStepValue;
import dev.yieldstar.RecordedFailure;
import dev.yieldstar.YieldstarException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/// Recorded errors.
class ErrorCodecTest extends CodecSupport {
  private static final ErrorTypes TRUSTING =
      ErrorTypes.of(Map.of(), ErrorCodecTest.class.getClassLoader());
  private static final ErrorCodec ERRORS = new ErrorCodec(CODEC, TRUSTING);

  private static Throwable back(Throwable error) {
    return ERRORS.decode(ERRORS.encode(error));
  }

  private static RecordedFailure backAsFailure(Throwable error) {
    Throwable back = back(error);
    assertThat(back).isInstanceOf(RecordedFailure.class);
    return (RecordedFailure) back;
  }

  private static String printed(Throwable error) {
    StringWriter text = new StringWriter();
    error.printStackTrace(new PrintWriter(text, true));
    return text.toString();
  }

  private static List<String> lines(Throwable error) {
    return Arrays.stream(error.getStackTrace()).map(StackTraceElement::toString).toList();
  }

  public static class CardDeclined extends Exception implements Coded {
    private static final long serialVersionUID = 1;

    public CardDeclined(String message) {
      super(message);
    }

    @Override
    public String code() {
      return "DECLINED";
    }
  }

  /// The class of the fault case: no constructor of a shape that is known.
  static class Declined extends Exception {
    private static final long serialVersionUID = 1;
    private final String reason;

    Declined(String reason, int number) {
      super(reason);
      if (number < 0) {
        throw new IllegalArgumentException("negative");
      }
      this.reason = reason;
    }

    public String getCode() {
      return "D-" + reason.length();
    }
  }

  @Nested
  class Kept {
    @Test
    @DisplayName("S10 a failure keeps class, message, code, stack text and cause")
    void aFailureKeepsWhatItSays() {
      CardDeclined error = new CardDeclined("no funds");
      error.initCause(new IllegalStateException("limit", new IOException("line")));
      error.addSuppressed(new FileNotFoundException("log"));
      Throwable back = back(error);
      assertThat(back).isExactlyInstanceOf(CardDeclined.class).hasMessage("no funds");
      assertThat(printed(back)).isEqualTo(printed(error));
      assertThat(back.getSuppressed()).hasOnlyElementsOfType(FileNotFoundException.class);
      assertThat(ERRORS.read(ERRORS.encode(error)).code()).isEqualTo("DECLINED");
    }

    @Test
    @DisplayName("S10 an unregistered cause keeps name, message and code")
    void anUnregisteredCauseKeepsNameMessageAndCode() {
      Throwable back = back(new IllegalStateException("outer", new Problem("P-1", "inner")));
      assertThat(back).isExactlyInstanceOf(IllegalStateException.class);
      assertThat(back.getCause())
          .asInstanceOf(InstanceOfAssertFactories.type(RecordedFailure.class))
          .satisfies(
              cause -> {
                assertThat(cause.originalClass()).isEqualTo(Problem.class.getName());
                assertThat(cause).hasMessage("inner");
                assertThat(cause.originalCode()).contains("P-1");
              });
    }

    static final class Problem extends RuntimeException {
      private static final long serialVersionUID = 1;
      private final String number;

      Problem(String number, String message) {
        super(message);
        this.number = number;
      }

      public String code() {
        return number;
      }
    }

    @Test
    void theSameErrorComesBackTwiceAndOverAgain() {
      Throwable error = new IllegalStateException("outer", new Problem("P-1", "inner"));
      error.addSuppressed(new Declined("x", 1));
      Payload first = ERRORS.encode(error);
      Payload second = ERRORS.encode(ERRORS.decode(first));
      assertThat(CODEC.text(second)).isEqualTo(CODEC.text(first));
    }

    @Test
    void stackElementsOfAnyKindComeBack() {
      Exception error = new Exception("s");
      StackTraceElement[] elements = {
        new StackTraceElement("dev.Foo", "bar", "Foo.java", 12),
        new StackTraceElement("dev.Foo$Bar", "<init>", "Foo.java", -1),
        new StackTraceElement("dev.Foo", "lambda$main$0", null, -1),
        new StackTraceElement("dev.Foo", "nat", "Foo.java", -2),
        new StackTraceElement("Foo", "bar", "My File (1).java", 3),
        new StackTraceElement("app", "mod", "1.2", "dev.Foo", "bar", "Foo.java", 1),
        new StackTraceElement(null, "java.base", null, "java.lang.Thread", "run", "Thread.java", 1),
        new StackTraceElement(
            null, "java.base", "25.0.1", "java.lang.Thread", "run", "Thread.java", 1),
        new StackTraceElement("loader", null, null, "dev.Foo", "bar", "Foo.java", 1),
        new StackTraceElement("dev.Foo$$Lambda/0x00007f", "run", null, -1),
        new StackTraceElement("", "", "", 0),
        new StackTraceElement("no dots", "no dots", "(((", 5),
      };
      error.setStackTrace(elements);
      Throwable back = back(error);
      for (int i = 0; i < elements.length; i++) {
        assertThat(back.getStackTrace()[i]).hasToString(elements[i].toString());
      }
      for (int i = 0; i < 10; i++) {
        assertThat(back.getStackTrace()[i].getClassName()).isEqualTo(elements[i].getClassName());
        assertThat(back.getStackTrace()[i].getMethodName()).isEqualTo(elements[i].getMethodName());
        assertThat(back.getStackTrace()[i].getLineNumber()).isEqualTo(elements[i].getLineNumber());
      }
    }

    @Test
    void aSummaryIsOneLine() {
      assertThat(ERRORS.record(new IOException("a\n  b")).summary())
          .isEqualTo("java.io.IOException: a b");
      assertThat(ERRORS.record(new IOException()).summary()).isEqualTo("java.io.IOException");
      assertThat(ERRORS.record(new IOException("x".repeat(10_000))).summary()).hasSizeLessThan(400);
    }

    @Test
    @DisplayName("COD-10 NUL and half characters in message, code and cause become U+FFFD")
    void whatDatabasesRefuseIsReplaced() {
      class Odd extends RuntimeException {
        private static final long serialVersionUID = 1;

        Odd() {
          super("bad \u0000 byte \ud800!", new IOException("\u0000"));
        }

        @SuppressWarnings({"UnusedMethod", "EffectivelyPrivate"}) // found by its name
        public String getCode() {
          return "C\u0000";
        }
      }
      RecordedError recorded = ERRORS.read(ERRORS.encode(new Odd()));
      assertThat(recorded.message()).isEqualTo("bad \uFFFD byte \uFFFD!");
      assertThat(recorded.code()).isEqualTo("C\uFFFD");
      assertThat(recorded.cause()).isNotNull();
      assertThat(CODEC.text(ERRORS.encode(new Odd())))
          .doesNotContain("\\u0000")
          .doesNotContain("\\ud800");
      Throwable plain = back(new IllegalStateException("bad \u0000 byte"));
      assertThat(plain)
          .isExactlyInstanceOf(IllegalStateException.class)
          .hasMessage("bad \uFFFD byte");
    }
  }

  @Nested
  class Rebuilt {
    @Test
    void aVisibleClassIsRebuiltByItsConstructor() {
      assertThat(back(new IOException("m"))).isExactlyInstanceOf(IOException.class).hasMessage("m");
      assertThat(back(new IOException((String) null)))
          .isExactlyInstanceOf(IOException.class)
          .hasMessage(null);
      assertThat(back(new StackOverflowError())).isExactlyInstanceOf(StackOverflowError.class);
      assertThat(back(new Throwable("bare"))).isExactlyInstanceOf(Throwable.class);
      assertThat(back(new UncheckedIOException("u", new IOException("c"))))
          .isExactlyInstanceOf(UncheckedIOException.class)
          .hasCauseExactlyInstanceOf(IOException.class);
      assertThat(back(new CompletionException("c", new CardDeclined("d"))))
          .isExactlyInstanceOf(CompletionException.class)
          .hasCauseExactlyInstanceOf(CardDeclined.class);
      assertThat(back(new NoMessage()))
          .isExactlyInstanceOf(NoMessage.class)
          .hasMessage("always this");
      assertThat(back(new AssertionError("a", null))).isExactlyInstanceOf(AssertionError.class);
    }

    public static class NoMessage extends RuntimeException {
      private static final long serialVersionUID = 1;

      public NoMessage() {
        super("always this");
      }
    }

    @Test
    void errorsOfTheLibraryComeBackAsThemselves() {
      Throwable back = back(new YieldstarException("SOME_CODE", "m", new IOException("c")));
      assertThat(back).isExactlyInstanceOf(YieldstarException.class).hasMessage("m");
      assertThat(((YieldstarException) back).code()).isEqualTo("SOME_CODE");
      assertThat(back).hasCauseExactlyInstanceOf(IOException.class);
      ValueRefused refused = refusedToEncode(Double.NaN, double.class);
      assertThat(back(refused))
          .isExactlyInstanceOf(ValueRefused.class)
          .hasMessage(refused.getMessage());
      assertThat(((ValueRefused) back(refused)).code()).isEqualTo(ValueRefused.NOT_DURABLE);
    }

    @Test
    @DisplayName("S13 an invalid value comes back as such, with its code and step key")
    void anInvalidStepValueKeepsItsStepKey() {
      InvalidStepValue error =
          new InvalidStepValue(
              "INVALID_STEP_VALUE", InvalidStepValue.WORKFLOW_RESULT, "not durable", null);
      ErrorCodec untrusting = new ErrorCodec(CODEC, TRUSTING.untrusting());
      for (ErrorCodec codec : List.of(ERRORS, untrusting)) {
        assertThat(codec.decode(codec.encode(error)))
            .isInstanceOfSatisfying(
                InvalidStepValue.class,
                back -> {
                  assertThat(back).hasMessage("not durable");
                  assertThat(back.code()).isEqualTo("INVALID_STEP_VALUE");
                  assertThat(back.stepKey()).isEqualTo("$$workflow-result$$");
                });
      }
      Throwable broken =
          ERRORS.rebuild(
              new RecordedError(
                  InvalidStepValue.class.getName(),
                  "m",
                  "C",
                  Map.of(),
                  List.of(),
                  null,
                  List.of()));
      assertThat(broken).isInstanceOf(RecordedFailure.class);
    }

    @Test
    void aRecordedFailureStaysWhatItStandsFor() {
      RecordedFailure once = backAsFailure(new Declined("x", 1));
      RecordedFailure twice = backAsFailure(once);
      assertThat(twice.originalClass()).isEqualTo(Declined.class.getName());
      assertThat(twice).hasMessage("x");
      assertThat(twice.originalCode()).contains("D-1");
      assertThat(twice.getStackTrace()).isEqualTo(once.getStackTrace());
    }

    @Test
    @DisplayName(
        "COD-16 a registered class comes back as itself, another as RecordedFailure, the same each time")
    void aClassWithoutAUsableConstructor() {
      Declined error = new Declined("no", 1);
      error.initCause(new IOException("c"));
      RecordedFailure failure = backAsFailure(error);
      assertThat(failure.originalClass()).isEqualTo(Declined.class.getName());
      assertThat(failure.originalCode()).contains("D-2");
      assertThat(failure).hasMessage("no").hasCauseExactlyInstanceOf(IOException.class);
      assertThat(failure.getStackTrace())
          .extracting(StackTraceElement::toString)
          .containsExactlyElementsOf(lines(error));

      ErrorCodec registered =
          new ErrorCodec(
              CODEC, TRUSTING.with(Declined.class, m -> new Declined(String.valueOf(m), 0)));
      Throwable back = registered.decode(registered.encode(error));
      assertThat(back)
          .isExactlyInstanceOf(Declined.class)
          .hasMessage("no")
          .hasCauseExactlyInstanceOf(IOException.class);
      assertThat(((Declined) back).getCode()).isEqualTo("D-2");
      assertThat(printed(back)).isEqualTo(printed(error));

      ErrorCodec throwing =
          new ErrorCodec(CODEC, TRUSTING.with(Declined.class, m -> new Declined("no", -1)));
      assertThat(throwing.decode(throwing.encode(error))).isInstanceOf(RecordedFailure.class);
    }

    @Test
    @DisplayName(
        "COD-16 a class that is absent, abstract, private or no Throwable is RecordedFailure")
    void whatCannotBeMadeIsARecordedFailure() {
      for (String type :
          List.of(
              "no.such.Type",
              "java.lang.String",
              "java.lang.VirtualMachineError",
              "[I",
              "int",
              "",
              "java.lang.Runtime",
              "[Ljava.lang.Throwable;",
              Hidden.class.getName(),
              Half.class.getName())) {
        RecordedError recorded =
            new RecordedError(type, "m", "C", Map.of(), List.of(), null, List.of());
        assertThat(ERRORS.rebuild(recorded))
            .as(type)
            .isInstanceOfSatisfying(
                RecordedFailure.class,
                failure -> {
                  assertThat(failure.originalClass()).isEqualTo(type);
                  assertThat(failure.originalCode()).contains("C");
                  assertThat(failure).hasMessage("m");
                });
      }
    }

    @SuppressWarnings("UnusedMethod")
    private static final class Hidden extends Exception {
      private static final long serialVersionUID = 1;

      private Hidden(String message) {
        super(message);
      }
    }

    public abstract static class Half extends Exception {
      private static final long serialVersionUID = 1;

      public Half(String message) {
        super(message);
      }
    }

    @Test
    void aMessageThatAConstructorAltersIsNotLost() {
      RecordedFailure failure = backAsFailure(new Prefixed("m"));
      assertThat(failure).hasMessage("prefix: m");
      assertThat(failure.originalClass()).isEqualTo(Prefixed.class.getName());
    }

    public static class Prefixed extends RuntimeException {
      private static final long serialVersionUID = 1;

      public Prefixed(String message) {
        super("prefix: " + message);
      }
    }

    @Test
    void aCodeThatIsNotTakenUpIsNotLost() {
      RecordedFailure failure = backAsFailure(new WithStatus("m", 404));
      assertThat(failure.originalCode()).contains("404");
      assertThat(back(new WithStatus("m"))).isExactlyInstanceOf(WithStatus.class);
    }

    public static class WithStatus extends RuntimeException {
      private static final long serialVersionUID = 1;
      private final int status;

      public WithStatus(String message) {
        this(message, 500);
      }

      WithStatus(String message, int status) {
        super(message);
        this.status = status;
      }

      public int getCode() {
        return status;
      }
    }

    @Test
    void aConstructorThatThrowsOrAClassThatCannotBeInitialisedIsARecordedFailure() {
      RecordedError explosive =
          new RecordedError(
              Explosive.class.getName(), "m", null, Map.of(), List.of(), null, List.of());
      assertThat(ERRORS.rebuild(explosive)).isInstanceOf(RecordedFailure.class);
      RecordedError uninitialisable =
          new RecordedError(
              Uninitialisable.class.getName(), "m", null, Map.of(), List.of(), null, List.of());
      assertThat(ERRORS.rebuild(uninitialisable)).isInstanceOf(RecordedFailure.class);
      assertThat(ERRORS.rebuild(uninitialisable)).isInstanceOf(RecordedFailure.class);
      RecordedError bottomless =
          new RecordedError(
              Bottomless.class.getName(), "m", null, Map.of(), List.of(), null, List.of());
      assertThat(ERRORS.rebuild(bottomless)).isInstanceOf(RecordedFailure.class);
    }

    public static class Explosive extends RuntimeException {
      private static final long serialVersionUID = 1;

      public Explosive(String message) {
        throw new AssertionError(message);
      }
    }

    public static class Uninitialisable extends RuntimeException {
      private static final long serialVersionUID = 1;
      static final int NUMBER = Integer.parseInt("no number");

      public Uninitialisable(String message) {
        super(message + NUMBER);
      }
    }

    public static class Bottomless extends RuntimeException {
      private static final long serialVersionUID = 1;

      public Bottomless(String message) {
        super(new Bottomless(message).getMessage());
      }
    }

    @Test
    void noClassButAThrowableIsInitialised() {
      RecordedError recorded =
          new RecordedError(Trap.class.getName(), "m", null, Map.of(), List.of(), null, List.of());
      assertThat(ERRORS.rebuild(recorded)).isInstanceOf(RecordedFailure.class);
      assertThat(SPRUNG).hasValue(0);
    }

    @Test
    void untrustedDataRebuildsRegisteredClassesOnly() {
      ErrorCodec untrusting =
          new ErrorCodec(
              CODEC,
              TRUSTING
                  .with(CardDeclined.class, m -> new CardDeclined(String.valueOf(m)))
                  .untrusting());
      RecordedError recorded =
          new RecordedError(
              ThrowableTrap.class.getName(), "m", null, Map.of(), List.of(), null, List.of());
      assertThat(untrusting.rebuild(recorded)).isInstanceOf(RecordedFailure.class);
      assertThat(SPRUNG).hasValue(0);
      Throwable back =
          untrusting.decode(untrusting.encode(new CompletionException("o", new CardDeclined("i"))));
      assertThat(back).isInstanceOf(RecordedFailure.class);
      assertThat(back.getCause()).isExactlyInstanceOf(CardDeclined.class);
    }

    @Test
    void aCauseThatHasNoPlaceIsKeptAmongTheSuppressed() {
      Throwable error = new Closed("m");
      error.addSuppressed(new IOException("s"));
      RecordedError recorded =
          new RecordedError(
              Closed.class.getName(),
              "m",
              null,
              Map.of(),
              List.of(),
              new RecordedError(
                  "java.io.IOException", "c", null, Map.of(), List.of(), null, List.of()),
              List.of());
      Throwable back = ERRORS.rebuild(recorded);
      assertThat(back).isExactlyInstanceOf(Closed.class);
      assertThat(back.getSuppressed()).singleElement().isInstanceOf(IOException.class);
    }

    public static class Closed extends RuntimeException {
      private static final long serialVersionUID = 1;

      public Closed(String message) {
        super(message, null);
      }
    }
  }

  static final AtomicInteger SPRUNG = new AtomicInteger();

  public static class Trap {
    static {
      SPRUNG.incrementAndGet();
    }

    public Trap(String message) {}
  }

  public static class ThrowableTrap extends RuntimeException {
    private static final long serialVersionUID = 1;

    static {
      SPRUNG.incrementAndGet();
    }

    public ThrowableTrap(String message) {
      super(message);
    }
  }

  @Nested
  class Broken {
    static class ProblemException extends RuntimeException {
      private static final long serialVersionUID = 1;
      final transient Object status = new Thread();

      @Override
      public String getMessage() {
        throw new NullPointerException();
      }
    }

    @Test
    @DisplayName("COD-13 an error whose getMessage throws has a readable record under its own name")
    void anErrorWhoseGetMessageThrows() {
      RecordedFailure back = backAsFailure(new ProblemException());
      assertThat(back.originalClass()).isEqualTo(ProblemException.class.getName());
      assertThat(back).hasMessageContaining("getMessage() threw java.lang.NullPointerException");
    }

    @Test
    @DisplayName("S11 errors that break in every method are recorded all the same")
    void errorsThatBreakInEveryMethod() {
      class Worst extends RuntimeException implements Coded {
        private static final long serialVersionUID = 1;

        @Override
        @SuppressWarnings("InfiniteRecursion")
        public String getMessage() {
          return getMessage() + "!";
        }

        @Override
        public String code() {
          throw new AssertionError();
        }

        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized")
        public @Nullable Throwable getCause() {
          throw new Error();
        }

        @Override
        public StackTraceElement[] getStackTrace() {
          throw new StackOverflowError();
        }

        @Override
        public String toString() {
          throw new IllegalStateException();
        }
      }
      RecordedFailure back = backAsFailure(new Worst());
      assertThat(back.originalClass()).isEqualTo(Worst.class.getName());
      assertThat(back).hasMessageContaining("StackOverflowError");
    }

    @Test
    @SuppressWarnings("NullAway") // what a careless class does
    void nullsWhereNoneBelong() {
      class Nulls extends RuntimeException implements Coded {
        private static final long serialVersionUID = 1;

        @Override
        public String code() {
          return null;
        }

        @Override
        public StackTraceElement[] getStackTrace() {
          return null;
        }
      }
      RecordedFailure back = backAsFailure(new Nulls());
      assertThat(back.originalClass()).isEqualTo(Nulls.class.getName());
      assertThat(back.originalCode()).isEmpty();
      assertThat(ERRORS.read(ERRORS.encode(new Nulls())).message()).isNull();
    }

    @Test
    void anInterruptDuringGetMessageIsNotSwallowed() {
      class Sneaky extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
          throw ErrorCodecTest.<RuntimeException>sneaky(new InterruptedException());
        }
      }
      assertThat(backAsFailure(new Sneaky())).hasMessageContaining("InterruptedException");
      assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void outOfMemoryIsNoErrorOfTheStep() {
      class Full extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
          throw new OutOfMemoryError("for the test");
        }
      }
      assertThatThrownBy(() -> ERRORS.encode(new Full())).isInstanceOf(OutOfMemoryError.class);
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> E sneaky(Throwable error) throws E {
    throw (E) error;
  }

  @Nested
  class Bounds {
    @Test
    @DisplayName("COD-14 a cyclic cause is cut with a marker, and codes are kept")
    void aCyclicCauseIsCut() {
      Exception a = new Exception("a");
      Exception b = new CardDeclined("b");
      b.initCause(a);
      a.initCause(b);
      a.addSuppressed(b);
      RecordedError recorded = ERRORS.read(ERRORS.encode(a));
      RecordedError cause = Objects.requireNonNull(recorded.cause());
      assertThat(cause.code()).isEqualTo("DECLINED");
      RecordedError marker = Objects.requireNonNull(cause.cause());
      assertThat(marker.type()).isEqualTo(RecordedError.CIRCULAR);
      assertThat(marker.message()).contains("java.lang.Exception");
      Throwable back = back(a);
      assertThat(back).isExactlyInstanceOf(Exception.class);
      Throwable backCause = Objects.requireNonNull(back.getCause());
      assertThat(backCause).isExactlyInstanceOf(CardDeclined.class);
      assertThat(backCause.getCause()).isInstanceOf(RecordedFailure.class).hasNoCause();
    }

    @Test
    @DisplayName(
        "COD-14 a chain of 5,000 causes and a tree of 10^20 suppressed errors are small and quick")
    void enormousErrorsAreSmallAndQuick() {
      Exception chain = new Exception("0");
      for (int i = 1; i < 5_000; i++) {
        chain = new Exception("cause " + i, chain);
      }
      Exception tree = new Exception("leaf");
      for (int i = 0; i < 20; i++) {
        Exception above = new Exception("level " + i);
        for (int child = 0; child < 10; child++) {
          above.addSuppressed(tree);
        }
        tree = above;
      }
      ERRORS.encode(chain); // warm
      for (Exception error : List.of(chain, tree)) {
        long before = System.nanoTime();
        Payload payload = ERRORS.encode(error);
        assertThat(Duration.ofNanos(System.nanoTime() - before))
            .isLessThan(Duration.ofMillis(100 * 5));
        assertThat(payload.size()).isLessThan(1 << 20);
        assertThat(CODEC.text(payload)).contains(RecordedError.OMITTED);
        assertThat(ERRORS.decode(payload))
            .isExactlyInstanceOf(Exception.class)
            .hasMessage(error.getMessage());
      }
    }

    @Test
    void anErrorIsNeverTooLargeForAPayload() {
      String wide = "\u0001".repeat(50_000);
      List<Exception> errors = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        Exception error = new Exception(wide);
        StackTraceElement[] stack = new StackTraceElement[1_000];
        Arrays.setAll(stack, n -> new StackTraceElement(wide, "m", "f", n));
        error.setStackTrace(stack);
        errors.forEach(error::addSuppressed);
        errors.add(error);
      }
      Payload payload = ERRORS.encode(errors.getLast());
      assertThat(payload.size()).isLessThan(2 * 1024 * 1024);
      assertThat(ERRORS.read(payload).message()).contains("more characters");
    }

    @Test
    void aLongMessageIsClippedAndStillItsOwnClass() {
      Throwable back = back(new IllegalStateException("\ud83d\ude00".repeat(20_000)));
      assertThat(back).isExactlyInstanceOf(IllegalStateException.class);
      assertThat(back.getMessage()).hasSizeLessThan(20_000).contains("more characters");
    }

    @Test
    void sharedErrorsAreNotCycles() {
      Exception shared = new Exception("shared");
      Exception error = new Exception("e", shared);
      error.addSuppressed(shared);
      Throwable back = back(error);
      assertThat(back.getCause()).hasMessage("shared");
      assertThat(back.getSuppressed()[0]).hasMessage("shared").isExactlyInstanceOf(Exception.class);
    }

    @Test
    void aHostileRecordIsReadWithoutHarm() {
      String deep =
          "{\"type\":\"java.lang.Exception\",\"cause\":".repeat(200) + "null" + "}".repeat(200);
      assertThat(ERRORS.decode(payload(deep))).isInstanceOf(Exception.class);
      String line = "a/".repeat(100_000) + "b.c(";
      assertThat(
              ERRORS.decode(
                  payload("{\"type\":\"java.lang.Exception\",\"stack\":[\"" + line + "\"]}")))
          .isExactlyInstanceOf(Exception.class);
    }
  }

  @Test
  void whatIsNoRecordedErrorIsRefused() {
    for (String json :
        List.of("null", "{}", "[]", "1", "{\"type\":null}", "{\"type\":\"x\",\"stack\":[1]}")) {
      ValueRefused refused =
          catchThrowableOfType(ValueRefused.class, () -> ERRORS.decode(payload(json)));
      assertThat(refused).as(json).isNotNull();
      assertThat(refused.code()).isEqualTo(ValueRefused.UNDECODABLE);
    }
  }

  @Test
  void aRecordOfALaterVersionIsRead() {
    assertThat(ERRORS.read(payload("{\"type\":\"x\",\"later\":{\"a\":1}}")).type()).isEqualTo("x");
  }
}
