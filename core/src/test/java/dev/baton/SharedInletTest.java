package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.SharedInlet.Offer;
import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TransportException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a shared inlet says of a message. */
class SharedInletTest {
    private static final int CAPACITY = 3;

    private final HostileTransport transport = new HostileTransport();
    private final Loops loops = Loops.manual();
    private final RunningChain running = Chain.named("c")
            .build()
            .on(transport)
            .with(loops)
            .onFailure(cause -> {})
            .start();
    private final SharedInlet inlet = running.sharedInlet(CAPACITY);

    @AfterEach
    void close() {
        running.close(Duration.ZERO);
        loops.close();
    }

    @Test
    void fullHandOverIsToldFromClosedChain() {
        for (int i = 0; i < CAPACITY; i++) {
            assertThat(inlet.offer(new byte[1])).isEqualTo(Offer.ACCEPTED);
        }
        assertThat(inlet.offer(new byte[1])).isEqualTo(Offer.FULL);
        running.close();
        assertThat(inlet.offer(new byte[1])).as("an offer to a closed chain").isEqualTo(Offer.CLOSED);
    }

    @Test
    void capacityWithoutMemoryIsRefused() {
        assertThatThrownBy(() -> running.sharedInlet(Integer.MAX_VALUE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 to 16777216 are allowed");
    }

    @Test
    void messageIsStoredWhenTransportVouchesForIt() {
        transport.storesLate = true;
        CompletableFuture<Long> first = inlet.offerStored(new byte[1]);
        inlet.offer(new byte[1]);
        CompletableFuture<Long> third = inlet.offerStored(new byte[1]);
        loops.turn();
        loops.turn();
        assertThat(first).as("the answer before the message is stored").isNotDone();
        transport.store();
        loops.turn();
        assertThat(first).isCompletedWithValue(1L);
        assertThat(third).isCompletedWithValue(3L);
    }

    @Test
    void pendingAnswersAreLimitedByCapacity() {
        transport.storesLate = true;
        List<CompletableFuture<Long>> taken = IntStream.range(0, CAPACITY)
                .mapToObj(i -> inlet.offerStored(new byte[1]))
                .toList();
        loops.turn();
        assertThat(inlet.offerStored(new byte[1])).isCompletedExceptionally();
        transport.store();
        loops.turn();
        assertThat(taken).allMatch(CompletableFuture::isDone);
        assertThat(inlet.offerStored(new byte[1])).isNotDone();
    }

    @Test
    void failedChainCompletesSentAndWaitingMessages() {
        transport.storesLate = true;
        CompletableFuture<Long> sent = inlet.offerStored(new byte[1]);
        loops.turn();
        CompletableFuture<Long> waiting = inlet.offerStored(new byte[1]);
        transport.backgroundFailure = new ReplacedException("c-0", "a newer writer is at work");
        loops.turn();
        for (CompletableFuture<Long> each : List.of(sent, waiting, inlet.offerStored(new byte[1]))) {
            assertThat(each).as("the answer of a chain that has failed").isCompletedExceptionally();
            assertThatThrownBy(each::join)
                    .hasCauseInstanceOf(ChainFailedException.class)
                    .hasRootCauseInstanceOf(ReplacedException.class);
        }
        assertThatThrownBy(() -> inlet.offer(new byte[1])).isInstanceOf(ChainFailedException.class);
        transport.backgroundFailure = null;
    }

    @Test
    void closedChainThatHadFailedOpensNoInlet() {
        transport.backgroundFailure = new TransportException("away");
        loops.turn();
        running.close();
        assertThatThrownBy(() -> running.sharedInlet(1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void closedChainCompletesMessagesItCutOff() {
        transport.storesLate = true;
        CompletableFuture<Long> sent = inlet.offerStored(new byte[1]);
        loops.turn();
        running.close(Duration.ofMillis(1));
        assertThat(sent).as("the answer for a message that the close cut off").isCompletedExceptionally();
        assertThatThrownBy(sent::join).hasCauseInstanceOf(ChainClosedException.class);
        assertThatThrownBy(() -> inlet.offerStored(new byte[1]).join()).hasCauseInstanceOf(ChainClosedException.class);
    }

    @Test
    void orderlyCloseWaitsForPromisedMessages() {
        CompletableFuture<Long> sent = inlet.offerStored(new byte[1]);
        assertThat(running.close(Duration.ofSeconds(5))).isTrue();
        assertThat(sent).isCompletedWithValue(1L);
    }

    @Test
    void codecThatAnswersWhatCannotBeIsNamed() {
        assertRefused(() -> inlet.offer("a", codec(-1, 0)), "maxLength returned -1; 0 or more is allowed");
        assertRefused(() -> inlet.offer("a", codec(4, -2)), "encode returned -2; 0 to 4, its maxLength, are allowed");
        assertRefused(() -> inlet.offerStored("a", codec(4, 5)), "encode returned 5");
        assertThatThrownBy(() -> inlet.offer("a", null))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("codec must not be null");
        assertThatThrownBy(() -> inlet.offer(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("payload");
    }

    private static void assertRefused(ThrowingCallable offer, String why) {
        assertThatThrownBy(offer)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("codec " + SharedInletTest.class.getName())
                .hasMessageContaining(why);
    }

    private static Codec<String> codec(int maxLength, int length) {
        return new Codec<>() {
            @Override
            public String newInstance() {
                return "";
            }

            @Override
            public int maxLength(String value) {
                return maxLength;
            }

            @Override
            public int encode(String value, Claim into) {
                return length;
            }

            @Override
            public void decode(Message from, String into) {}
        };
    }
}
