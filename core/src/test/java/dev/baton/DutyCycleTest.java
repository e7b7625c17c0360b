package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import dev.baton.spi.Frame;
import dev.baton.spi.errors.TransportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The rules of the hand-over, on a transport that makes them hard to keep. */
class DutyCycleTest {
    private static final Service PASS = (in, out) -> out.forward(in);

    private final HostileTransport transport = new HostileTransport();
    private final Loops loops = Loops.manual();
    private final List<Long> received = new ArrayList<>();
    private RunningChain running;

    @AfterEach
    void nothingIsLeftOpen() {
        if (running != null) {
            running.close();
        }
        loops.close();
        assertThat(transport.openConnections).isZero();
        assertThat(transport.openReaders).isZero();
    }

    @Test
    void oneSweepCarriesMessageThroughWholeChain() {
        start(() -> PASS, () -> PASS, () -> PASS);
        send(1, 3);
        loops.turn();
        assertThat(received).containsExactly(1L, 2L, 3L);
    }

    @Test
    void theHeaderTellsTheMessagesWay() {
        start(() -> PASS, () -> PASS);
        send(1, 2);
        loops.turn();
        Frame last = transport.frames("c-2").get(1);
        assertThat(last.sequence()).isEqualTo(2);
        assertThat(last.cause()).isEqualTo(2);
        assertThat(last.servicesPassed()).isEqualTo(2);
        assertThat(last.originNanos()).isEqualTo(transport.frames("c-0").get(1).originNanos());
        assertThat(last.sentNanos())
                .isGreaterThanOrEqualTo(transport.frames("c-0").get(1).sentNanos());
    }

    @Test
    void refusedClaimsAndShortPollsLoseNothing() {
        transport.cutsPollsToOne = true;
        transport.room = 3;
        start(() -> PASS, () -> PASS, () -> PASS);
        sendAll(200);
        assertThat(received)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, 200).boxed().toList());
    }

    @Test
    void aFullTopicHoldsBackEverythingUpstream() {
        transport.room = 4;
        boolean[] isBlocked = {true};
        start(() -> PASS, () -> (in, out) -> {
            if (isBlocked[0]) {
                throw new IllegalStateException("not yet");
            }
            out.forward(in);
        });
        running.close();
        isBlocked[0] = true;
        running = chain(() -> PASS, () -> (in, out) -> {
                    if (isBlocked[0]) {
                        throw new IllegalStateException("not yet");
                    }
                    out.forward(in);
                })
                .on(transport)
                .with(loops)
                .onError(ErrorPolicy.retry(1_000_000))
                .onOutput(in -> received.add(in.getLong(0)))
                .start();
        int accepted = 0;
        while (accepted < 100 && offer(accepted + 1)) {
            accepted++;
            loops.turn();
        }
        assertThat(accepted).isEqualTo(8); // four in each of the two topics before the service that stands still
        isBlocked[0] = false;
        turnUntilReceived(8);
        assertThat(offer(9)).isTrue();
    }

    @Test
    void inputIsAcknowledgedWhenItsOutputIsStored() {
        transport.storesLate = true;
        start(() -> PASS);
        send(1, 3);
        loops.turn();
        loops.turn();
        assertThat(transport.topic("c-0").acknowledged.get("s1")).isZero();
        transport.store();
        loops.turn();
        assertThat(transport.topic("c-0").acknowledged.get("s1")).isEqualTo(3);
    }

    @Test
    void aFilterAcknowledgesWhatItDrops() {
        start(() -> (in, out) -> {
            if (in.getLong(0) % 2 == 0) {
                out.forward(in);
            }
        });
        send(1, 5);
        loops.turn();
        assertThat(received).containsExactly(2L, 4L);
        assertThat(transport.topic("c-0").acknowledged.get("s1")).isEqualTo(5);
    }

    @Test
    void outputsPerInputAreLimitedToMaxOutputs() {
        Service doubling = new Service() {
            @Override
            public void onMessage(Message in, Outlet out) {
                out.forward(in);
                out.forward(in);
                assertThat(out.remainingCapacity()).isZero();
                assertThatThrownBy(() -> out.claim(8)).hasMessageContaining("maxOutputs is 2");
            }

            @Override
            public int maxOutputs() {
                return 2;
            }
        };
        start(() -> doubling);
        send(1, 8);
        turnUntilReceived(16);
        assertThat(transport.frames("c-1").get(3).cause()).isEqualTo(2);
    }

    @Test
    void serviceNeedingMoreThanCapacityIsRefused() {
        Service greedy = new Service() {
            @Override
            public void onMessage(Message in, Outlet out) {}

            @Override
            public int maxOutputs() {
                return 9;
            }
        };
        assertThatThrownBy(() -> start(() -> greedy))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("9 outputs")
                .hasMessageContaining("takes 8");
    }

    @Test
    void aGapInTheSequenceStopsTheChain() {
        start(() -> PASS);
        send(1, 2);
        loops.turn();
        byte[] frame = transport.topic("c-0").get(1).clone();
        HostileTransport.view(frame).sequence(7);
        transport.topic("c-0").add(frame);
        loops.turn();
        assertThat(running.failure()).containsInstanceOf(TransportException.class);
        assertThat(running.failure().orElseThrow()).hasMessageContaining("sequence 7 where 3 was due");
    }

    @Test
    void serviceMaySendOtherwiseWhenItsCodecThrows() {
        Serde<Long> fails = new Serde<>() {
            @Override
            public int maxLength(Long value) {
                return 8;
            }

            @Override
            public int encode(Long value, Claim into) {
                throw new IllegalStateException("cannot encode this");
            }

            @Override
            public Decoder<Long> decoder() {
                throw new UnsupportedOperationException();
            }
        };
        start(() -> (in, out) -> {
            try {
                out.send(in.getLong(0), fails);
            } catch (IllegalStateException unencodable) {
                out.forward(in);
            }
        });
        send(1, 2);
        turnUntilReceived(2);
        assertThat(running.failure()).isEmpty();
    }

    @Test
    void newerFrameVersionIsRefusedNamingTopicPosition() {
        start(() -> PASS);
        byte[] frame = new byte[Frame.HEADER_BYTES];
        frame[0] = 2;
        transport.topic("c-0").add(frame);
        loops.turn();
        assertThat(running.failure().orElseThrow())
                .hasMessageContaining("topic c-0, position 1")
                .hasMessageContaining("version 2");
    }

    @Test
    void skippedRecordsAreWork() {
        transport.cutsPollsToOne = true;
        running = chain(() -> PASS)
                .on(transport)
                .with(loops)
                .onUnreadable(Deployment.UnreadableFrames.SKIP)
                .start();
        send(1, 3);
        for (int i = 0; i < 3; i++) {
            transport.topic("c-0").get(i)[1] = 0x55; // an unknown flag
        }
        for (int turn = 1; turn <= 3; turn++) {
            assertThat(loops.turn()).as("work of turn " + turn).isPositive();
        }
        assertThat(running.status().parts().get(0).input().skipped()).isEqualTo(3);
        assertThat(loops.turn()).isZero();
    }

    @Test
    void failureOfTransportInBackgroundStopsChain() {
        start(() -> PASS);
        transport.backgroundFailure = new TransportException("the broker is gone");
        loops.turn();
        assertThat(running.failure()).containsSame(transport.backgroundFailure);
        assertThatThrownBy(() -> running.inlet().send(new byte[8]))
                .isInstanceOf(ChainFailedException.class)
                .hasMessageContaining("the broker is gone");
        transport.backgroundFailure = null;
    }

    @Test
    void tickUnderBackPressureAnswersTheLastInput() {
        int[] left = {20};
        Service ticking = new TickingService() {
            @Override
            public void onMessage(Message in, Outlet out) {}

            @Override
            public int onTick(Outlet out) {
                int sent = 0;
                while (left[0] > 0 && out.remainingCapacity() > 0) {
                    out.claim(8).putLong(0, left[0]--).commit(8);
                    sent++;
                }
                return sent;
            }
        };
        start(() -> ticking);
        send(1, 1);
        turnUntilReceived(20);
        assertThat(transport.frames("c-1")).allMatch(frame -> frame.cause() == ~1L && frame.servicesPassed() == 1);
    }

    @Test
    void noTickFollowsTheLastCall() {
        List<String> calls = new ArrayList<>();
        Service ticking = new TickingService() {
            @Override
            public void onMessage(Message in, Outlet out) {}

            @Override
            public int onTick(Outlet out) {
                calls.add("tick");
                return 0;
            }

            @Override
            public void onClosing(Outlet out) {
                calls.add("closing");
                out.claim(8).putLong(0, 1).commit(8);
            }
        };
        start(() -> ticking);
        loops.turn();
        transport.storesLate = true;
        int[] left = {500};
        transport.beforeCall = () -> {
            if (calls.contains("closing") && left[0]-- == 0) {
                transport.store();
            }
        };
        assertThat(running.close(Duration.ofSeconds(5))).isTrue();
        assertThat(calls).startsWith("tick").endsWith("closing");
    }

    @SafeVarargs
    private void start(Supplier<Service>... services) {
        running = chain(services)
                .on(transport)
                .with(loops)
                .onFailure(failure -> {})
                .onOutput(in -> received.add(in.getLong(0)))
                .start();
    }

    @SafeVarargs
    private static Chain chain(Supplier<Service>... services) {
        Chain.Builder builder = Chain.named("c");
        for (int i = 0; i < services.length; i++) {
            builder.then("s" + (i + 1), services[i]);
        }
        return builder.build();
    }

    private void send(long from, long to) {
        for (long value = from; value <= to; value++) {
            assertThat(offer(value)).isTrue();
        }
    }

    private boolean offer(long value) {
        Claim claim = running.inlet().tryClaim(8);
        if (claim == null) {
            return false;
        }
        claim.putLong(0, value).commit(8);
        return true;
    }

    private void sendAll(int count) {
        int sent = 0;
        for (int turns = 0; received.size() < count && turns < 100_000; turns++) {
            if (sent < count && offer(sent + 1)) {
                sent++;
            }
            loops.turn();
        }
    }

    private void turnUntilReceived(int count) {
        for (int turns = 0; received.size() < count && turns < 1_000; turns++) {
            loops.turn();
        }
        assertThat(received).hasSize(count);
    }
}
