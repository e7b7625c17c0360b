package dev.baton.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Chain;
import dev.baton.ErrorPolicy;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Retries per key in the test kit. */
class RetriedKeysTest {
    private static final Duration PAUSE = Duration.ofMinutes(1);

    private boolean isDown;

    private ChainTester tester() {
        Chain chain = Chain.named("c")
                .then("add", () -> (in, out) -> {
                    if (isDown && in.getLong(0) % 2 == 0) {
                        throw new IllegalStateException("down");
                    }
                    out.send(in.getLong(0) + 100, Numbers.CODEC, in.key());
                })
                .build();
        return ChainTester.of(chain)
                .onError(ErrorPolicy.retry(3).after(PAUSE).perKey().thenDeadLetter());
    }

    private static ChainTester sent(ChainTester tester) {
        for (long value = 1; value <= 6; value++) {
            tester.send(value, Numbers.CODEC, ByteBuffer.wrap(new byte[] {(byte) (value % 2)}));
        }
        return tester;
    }

    @Test
    void retriesHoldUpTheirKeyOnly() {
        isDown = true;
        try (ChainTester tester = sent(tester())) {
            assertThat(tester.take(Numbers.CODEC)).containsExactly(101L, 103L, 105L);
            isDown = false;
            tester.advance(PAUSE.minusSeconds(1));
            assertThat(tester.take()).isEmpty();
            tester.advance(Duration.ofSeconds(1));
            assertThat(tester.take(Numbers.CODEC)).containsExactly(102L, 104L, 106L);
        }
    }

    @Test
    void orderOfDifferentKeysMayDiffer() {
        Chain chain = Chain.named("c")
                .then("add", () -> (in, out) -> {
                    if (in.getLong(0) == 1) {
                        throw new IllegalStateException("never");
                    }
                    out.send(in.getLong(0) + 100, Numbers.CODEC, in.key());
                })
                .then("pass", () -> (in, out) -> out.forward(in))
                .build();
        try (ChainTester tester = ChainTester.of(chain)
                .onError(ErrorPolicy.retry(1).after(PAUSE).perKey().thenDeadLetter())) {
            ByteBuffer key = ByteBuffer.wrap(new byte[] {7});
            tester.send(1L, Numbers.CODEC, key).send(2L, Numbers.CODEC, key).advance(PAUSE);
            tester.send(3L, Numbers.CODEC, ByteBuffer.wrap(new byte[] {8}));
            tester.advance(Duration.ofHours(1));
            assertThat(tester.take(Numbers.CODEC)).containsExactly(102L, 103L);
            tester.assertRepeatable();
        }
    }

    @Test
    void crashKeepsMessagesThatAreSetAside() {
        isDown = true;
        try (ChainTester tester = sent(tester())) {
            tester.take();
            isDown = false;
            tester.crash().start();
            assertThat(tester.take(Numbers.CODEC)).containsExactly(102L, 104L, 106L);
        }
    }

    @Test
    void keysBehindDeadLettersAreRepeatable() {
        Chain chain = Chain.named("c")
                .then("add", () -> (in, out) -> {
                    if (in.getLong(0) == 1) {
                        throw new IllegalStateException("never");
                    }
                    out.send(in.getLong(0) + 100, Numbers.CODEC, in.key());
                })
                .build();
        try (ChainTester tester = ChainTester.of(chain)
                .onError(ErrorPolicy.retry(1).after(PAUSE).perKey().thenDeadLetter())) {
            ByteBuffer key = ByteBuffer.wrap(new byte[] {7});
            tester.send(1L, Numbers.CODEC, key).send(2L, Numbers.CODEC, key).advance(PAUSE);
            assertThat(tester.take(Numbers.CODEC)).containsExactly(102L);
            tester.assertRepeatable();
        }
    }

    @Test
    void retriedKeysAreRepeatable() {
        try (ChainTester tester = sent(tester())) {
            tester.assertRepeatable();
        }
    }
}
