package dev.baton.test;

import static dev.baton.test.Numbers.bytes;
import static dev.baton.test.Numbers.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Chain;
import dev.baton.Concurrency;
import dev.baton.Message;
import dev.baton.MessageFields;
import dev.baton.Outlet;
import dev.baton.Service;
import dev.baton.async.AsyncService;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Chains with concurrent calls in the test kit. */
class ConcurrentChainTest {
    private static final int MESSAGES = 12;

    /** Sends the message that its object was called for before. */
    private static final class Remembering implements Service {
        private long before;

        @Override
        public void onMessage(Message in, Outlet out) {
            send(out, before);
            before = in.getLong(0);
        }
    }

    private static ChainTester tester(Supplier<Service> factory) {
        ChainTester tester = ChainTester.of(Chain.named("c")
                        .then("slow", factory, Concurrency.perKey(4))
                        .build())
                .start();
        for (long i = 1; i <= MESSAGES; i++) {
            ByteBuffer key = ByteBuffer.wrap(new byte[] {(byte) (i % 3)});
            tester.inlet().send(ByteBuffer.wrap(bytes(i)), new MessageFields().key(key));
        }
        return tester.advance(Duration.ofMillis(1));
    }

    @Test
    void callsAreMadeInTheOrderOfMessages() {
        try (ChainTester tester = tester(() -> (in, out) -> out.forward(in))) {
            List<Output> outputs = tester.take();
            assertThat(outputs).hasSize(MESSAGES);
            assertThat(tester.acknowledgedBy("slow")).isEqualTo(MESSAGES);
        }
    }

    @Test
    void concurrentCallsAreRepeatable() {
        try (ChainTester tester = tester(() -> (in, out) -> out.forward(in))) {
            tester.assertRepeatable();
        }
    }

    @Test
    void stagesOfOtherThreadsAreAwaited() {
        Chain chain = Chain.named("c")
                .then(
                        "later",
                        AsyncService.of(
                                Numbers.CODEC, Numbers.CODEC, value -> CompletableFuture.supplyAsync(() -> value)),
                        Concurrency.perKey(4))
                .build();
        try (ChainTester tester = ChainTester.of(chain)) {
            tester.send(1L, Numbers.CODEC).send(2L, Numbers.CODEC);
            assertThat(tester.take(Numbers.CODEC)).containsExactly(1L, 2L);
            tester.assertRepeatable();
        }
    }

    @Test
    void callsThatDependOnTheirOrderAreFound() {
        try (ChainTester tester = tester(Remembering::new)) {
            assertThatThrownBy(() -> tester.assertRepeatable(Hostility.all().only(Hardship.CALLS)))
                    .isInstanceOf(NotRepeatableError.class)
                    .hasMessageContaining("CALLS")
                    .hasMessageContaining("fields of the service");
        }
    }
}
