package dev.yieldstar.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.yieldstar.RecordedFailure;
import dev.yieldstar.TypeRef;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Throwables that are part of values.
class ErrorsInValuesTest extends CodecSupport {

  record Answer(boolean ok, Throwable error, @Nullable String extra, Optional<Exception> second) {}

  sealed interface Result<T> {}

  record Success<T>(T value) implements Result<T> {}

  record Failure<T>(Throwable error) implements Result<T> {}

  static final class Unbuildable extends Exception {
    private static final long serialVersionUID = 1;

    Unbuildable(int number) {
      super("n" + number);
    }
  }

  @Test
  @DisplayName("S12 a result keeps errors and nulls nested inside it")
  void aResultKeepsErrorsAndNulls() {
    Answer back =
        thereAndBack(
            new Answer(
                false,
                new IllegalArgumentException("r", new IOException("c")),
                null,
                Optional.of(new FileNotFoundException("f"))),
            new TypeRef<Answer>() {});
    assertThat(back.error())
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage("r")
        .hasCauseExactlyInstanceOf(IOException.class);
    assertThat(back.second()).containsInstanceOf(FileNotFoundException.class);
    assertThat(back.extra()).isNull();
  }

  @Test
  @DisplayName("S12 errors come back in lists, maps, arrays and sealed results")
  void errorsComeBackEverywhere() {
    List<Throwable> errors =
        thereAndBack(
            List.of(new IOException("a"), new AssertionError("b")),
            new TypeRef<List<Throwable>>() {});
    assertThat(errors.get(0)).isExactlyInstanceOf(IOException.class);
    Map<String, RuntimeException> map =
        thereAndBack(
            Map.of("k", new IllegalStateException("m")),
            new TypeRef<Map<String, RuntimeException>>() {});
    assertThat(map.get("k")).isExactlyInstanceOf(IllegalStateException.class);
    Result<String> result =
        thereAndBack(new Failure<String>(new IOException("x")), new TypeRef<Result<String>>() {});
    assertThat(result)
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.error()).isInstanceOf(IOException.class));
    Object root = there(new FileNotFoundException("f"), IOException.class);
    assertThat(root).isExactlyInstanceOf(FileNotFoundException.class);
  }

  @Test
  @DisplayName(
      "S12 an error that can't be rebuilt is a RecordedFailure where one fits, else refused")
  void anErrorThatCannotBeRebuilt() {
    assertThat(there(new Unbuildable(1), Exception.class))
        .isInstanceOfSatisfying(
            RecordedFailure.class,
            failure -> assertThat(failure.originalClass()).isEqualTo(Unbuildable.class.getName()));
    assertThat(refusedToEncode(new Unbuildable(1), Unbuildable.class))
        .hasMessageContaining("register");
    JacksonCodec registered =
        CODEC.withErrors(
            ErrorTypes.standard()
                .with(
                    Unbuildable.class,
                    m ->
                        new Unbuildable(Integer.parseInt(Objects.requireNonNull(m).substring(1)))));
    assertThat(
            registered.decode(
                registered.encode(new Unbuildable(7), Unbuildable.class), Unbuildable.class))
        .isInstanceOf(Unbuildable.class);
  }

  sealed interface Outcome {}

  record Done(int number) implements Outcome {}

  public static final class Failed extends Exception implements Outcome {
    private static final long serialVersionUID = 1;

    public Failed(String message) {
      super(message);
    }
  }

  @Test
  void anExceptionMayBeAMemberOfASealedFamily() {
    List<Outcome> back =
        thereAndBack(List.of(new Done(1), new Failed("f")), new TypeRef<List<Outcome>>() {});
    assertThat(back.get(1))
        .isInstanceOfSatisfying(Failed.class, f -> assertThat(f).hasMessage("f"));
    assertThat(there(new Failed("g"), Failed.class)).isInstanceOf(Failed.class);
  }

  @Test
  void anUntrustingCodecRebuildsRegisteredClassesOnly() {
    JacksonCodec untrusting = CODEC.withErrors(ErrorTypes.standard().untrusting());
    Payload payload =
        CODEC.encode(List.of(new IOException("a")), new TypeRef<List<Exception>>() {}.type());
    assertThat((List<?>) untrusting.decode(payload, new TypeRef<List<Exception>>() {}.type()))
        .hasOnlyElementsOfType(RecordedFailure.class);
    ValueRefused refused =
        catchThrowableOfType(
            ValueRefused.class,
            () -> untrusting.decode(payload, new TypeRef<List<IOException>>() {}.type()));
    assertThat(refused.code()).isEqualTo(ValueRefused.UNDECODABLE);
  }

  @Test
  @DisplayName("COD-13 a broken error inside a value does not break the value")
  void aBrokenErrorInsideAValue() {
    class Broken extends RuntimeException {
      private static final long serialVersionUID = 1;

      @Override
      public String getMessage() {
        throw new IllegalStateException();
      }
    }
    assertThat(there(List.of(new Broken()), new TypeRef<List<Exception>>() {}.type()))
        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
        .singleElement()
        .isInstanceOf(RecordedFailure.class);
  }
}
