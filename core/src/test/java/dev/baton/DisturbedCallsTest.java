package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.fixtures.DisturbedTransport;
import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import dev.baton.spi.Frame;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.TransportException;
import dev.baton.state.SnapshotInput;
import dev.baton.state.SnapshotOutput;
import dev.baton.state.SnapshotPolicy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A disturbance of each call of the transport in turn: nothing is left open, lost, repeated or silent. */
@Timeout(60)
class DisturbedCallsTest {
    private static final Duration LIMIT = Duration.ofMillis(20);

    enum Disturbance {
        EXCEPTION,
        ERROR,
        INTERRUPT;

        void happen() {
            switch (this) {
                case EXCEPTION -> throw new TransportException("disturbed");
                case ERROR -> throw new StackOverflowError("disturbed");
                default -> Thread.currentThread().interrupt();
            }
        }
    }

    /** Sends each number with the sum so far. */
    private static final class Sum implements StatefulService {
        private long sum;

        @Override
        public int snapshotVersion() {
            return 1;
        }

        @Override
        public boolean saveState(SnapshotOutput out) {
            out.putLong(sum);
            return true;
        }

        @Override
        public void restoreState(SnapshotInput in, int version) {
            sum = in.getLong();
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            sum += in.getLong(0);
            out.claim(16).putLong(0, in.getLong(0)).putLong(8, sum).commit(16);
        }
    }

    private final Logger log = Logger.getLogger("dev.baton");
    private final List<Throwable> failures = new ArrayList<>();

    @BeforeEach
    void quiet() {
        log.setLevel(Level.OFF);
    }

    @AfterEach
    void loud() {
        log.setLevel(null);
        Thread.interrupted();
    }

    @ParameterizedTest
    @EnumSource
    void disturbedChainLosesNothing(Disturbance disturbance) {
        int calls = disturb(disturbance, 0);
        assertThat(calls).as("calls of an undisturbed run").isGreaterThan(50);
        for (int n = 1; n <= calls; n++) {
            disturb(disturbance, n);
        }
    }

    /** Runs a chain whose n-th call is disturbed, and then an undisturbed one. Returns the number of calls of the first. */
    private int disturb(Disturbance disturbance, int n) {
        HostileTransport storage = new HostileTransport();
        storage.room = 64;
        DisturbedTransport disturbed =
                new DisturbedTransport(storage, n, disturbance == Disturbance.ERROR, disturbance::happen);
        List<Long> received = new ArrayList<>();
        try (Loops loops = Loops.manual()) {
            Throwable thrown = runOnce(disturbed.transport(), loops, received, 1, 2, 3);
            String which = "call " + n + ", " + disturbed.disturbedCall();
            boolean isReached = !disturbed.disturbedCall().equals("none"); // a run may make fewer calls
            boolean isInterrupted = isReached && disturbance == Disturbance.INTERRUPT;
            assertThat(Thread.interrupted()).as("interrupt after " + which).isEqualTo(isInterrupted);
            if (n == 0 || isInterrupted) {
                assertThat(thrown).as("exception after " + which).isNull();
            }
            if (thrown != null) {
                assertThat(thrown).as("exception after " + which).hasStackTraceContaining("disturbed");
            } else {
                assertThat(received).as("output of a drained chain, " + which).containsExactly(1L, 2L, 3L);
            }
            assertThat(storage.openConnections)
                    .as("open connections after " + which)
                    .isZero();
            assertThat(storage.topics())
                    .as("topics with a writer after " + which)
                    .noneMatch(topic -> storage.topic(topic).hasWriter);
            long[] sent = numbers(storage, "c-0");

            assertThat(runOnce(storage, loops, received, 4))
                    .as("failure of the next start after " + which)
                    .isNull();
            assertThat(received).as("received after " + which).contains(4L);
            assertThat(numbers(storage, "c-2"))
                    .as("stored outputs after " + which)
                    .containsExactly(LongStream.concat(LongStream.of(sent), LongStream.of(4))
                            .toArray());
            Frame last = storage.frames("c-2").get(sent.length);
            assertThat(last.getLong(8))
                    .as("sum after " + which)
                    .isEqualTo(LongStream.of(sent).sum() + 4);
        }
        return disturbed.count();
    }

    /** Returns what the start or a send has thrown, or why the chain has failed or is not drained; null if all is well. */
    private Throwable runOnce(Transport transport, Loops loops, List<Long> received, long... numbers) {
        failures.clear();
        Throwable thrown = null;
        RunningChain running;
        try {
            running = Chain.named("c")
                    .then("s", () -> (in, out) -> out.forward(in))
                    .then("sum", Sum::new)
                    .build()
                    .on(transport)
                    .with(loops)
                    .snapshots(SnapshotPolicy.standard().orInputs(2))
                    .onOutput(in -> received.add(in.getLong(0)))
                    .onFailure(failures::add)
                    .start();
        } catch (RuntimeException | Error atStart) {
            return atStart;
        }
        try {
            for (long number : numbers) {
                running.inlet()
                        .send(
                                ByteBuffer.allocate(8)
                                        .order(ByteOrder.LITTLE_ENDIAN)
                                        .putLong(0, number),
                                new MessageFields());
                loops.turn();
            }
        } catch (RuntimeException | Error atSend) {
            thrown = atSend;
        }
        boolean isDrained = running.close(thrown == null ? RunningChain.CLOSE_LIMIT : LIMIT);
        assertThat(failures).isEqualTo(running.failure().map(List::of).orElse(List.of()));
        if (thrown == null && !isDrained) {
            thrown = running.failure().orElseGet(() -> new AssertionError("neither drained nor failed"));
        }
        return thrown;
    }

    private static long[] numbers(HostileTransport storage, String topic) {
        return storage.topic(topic) == null
                ? new long[0]
                : storage.frames(topic).stream()
                        .mapToLong(frame -> frame.getLong(0))
                        .toArray();
    }
}
