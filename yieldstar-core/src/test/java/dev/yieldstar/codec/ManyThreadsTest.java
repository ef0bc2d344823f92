package dev.yieldstar.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.TypeRef;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.RepeatedTest;

class ManyThreadsTest {

  sealed interface Result<T> {}

  record Success<T>(T value) implements Result<T> {}

  record Failure<T>(Exception why) implements Result<T> {}

  record Line(String sku, List<Result<Long>> results) {}

  @RepeatedTest(5)
  void aFreshCodecMayMeetItsFirstTypeInManyThreadsAtOnce() throws Exception {
    JacksonCodec codec = JacksonCodec.standard();
    Type type = new TypeRef<Result<List<Line>>>() {}.type();
    Result<List<Line>> value = new Success<>(List.of(new Line("a", List.of(new Success<>(1L)))));
    CountDownLatch ready = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Object>> all = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        all.add(
            threads.submit(
                () -> {
                  ready.await();
                  return codec.decode(codec.encode(value, type), type);
                }));
      }
      ready.countDown();
      for (Future<Object> one : all) {
        assertThat(one.get()).isEqualTo(value);
      }
    }
  }
}
