package dev.yieldstar.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PayloadTest {
  private static final byte[] BODY = {0, 1, -1, 0, 127, -128};

  @Test
  void itKeepsItsFormatAndItsBytes() {
    Payload payload = Payload.of((byte) -7, BODY);

    assertThat(payload.format()).isEqualTo((byte) -7);
    assertThat(payload.body()).isEqualTo(BODY);
    assertThat(payload.size()).isEqualTo(BODY.length + 1);
    assertThat(payload.stored()).startsWith(-7).endsWith(BODY);
  }

  @Test
  void whatIsStoredIsReadBackAsTheSame() {
    Payload payload = Payload.of((byte) 1, BODY);

    assertThat(Payload.ofStored(payload.stored())).isEqualTo(payload).hasSameHashCodeAs(payload);
  }

  @Test
  void anEmptyBodyIsAPayload() {
    Payload empty = Payload.of((byte) 1, new byte[0]);

    assertThat(empty.body()).isEmpty();
    assertThat(Payload.ofStored(empty.stored())).isEqualTo(empty);
  }

  @Test
  void nothingAtAllIsNone() {
    assertThatIllegalArgumentException().isThrownBy(() -> Payload.ofStored(new byte[0]));
  }

  @Test
  void itIsEqualToOneOfTheSameFormatAndBytesAlone() {
    Payload payload = Payload.of((byte) 1, BODY);

    assertThat(payload)
        .isEqualTo(Payload.of((byte) 1, BODY.clone()))
        .isNotEqualTo(Payload.of((byte) 2, BODY))
        .isNotEqualTo(Payload.of((byte) 1, new byte[] {0, 1}))
        .isNotEqualTo("text");
  }

  @Test
  void nobodyCanChangeIt() {
    byte[] given = BODY.clone();
    Payload payload = Payload.of((byte) 1, given);
    byte[] stored = payload.stored();
    Payload read = Payload.ofStored(stored);

    given[0] = 9;
    stored[1] = 9;
    payload.body()[0] = 9;
    payload.stored()[1] = 9;

    assertThat(payload.body()).isEqualTo(BODY);
    assertThat(read.body()).isEqualTo(BODY);
  }

  @Test
  void itsTextTellsNothingOfItsValue() {
    assertThat(Payload.of((byte) 1, "secret".getBytes(StandardCharsets.UTF_8)))
        .hasToString("Payload[format 1, 7 bytes]");
  }
}
