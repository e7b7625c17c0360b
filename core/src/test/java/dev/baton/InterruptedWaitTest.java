package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.deadletters.Redrive;
import dev.baton.fixtures.HostileTransport;
import dev.baton.fixtures.ShiftedClock;
import dev.baton.run.Loops;
import dev.baton.spi.Guarantee;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Waits of a thread that was interrupted before: they park, for they would otherwise take a core until they end. */
@Timeout(60)
class InterruptedWaitTest {
    private static final Duration LIMIT = Duration.ofMillis(20);

    private final HostileTransport transport = new HostileTransport();
    private final ShiftedClock clock = new ShiftedClock();

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void closeParksOnInterruptedThread(boolean isRestarting) {
        transport.storesLate = true; // so that the chain never drains
        try (Loops loops = Loops.cooperative(1).in(clock)) {
            RunningChain running = start(loops, isRestarting);
            running.inlet().send(new byte[1]);
            interrupt();
            assertThat(running.close(LIMIT)).isFalse();
            assertParked();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void sendParksOnInterruptedThread(boolean isRestarting) {
        transport.room = 1;
        transport.withholdsFrames = true;
        try (Loops loops = Loops.cooperative(1).in(clock)) {
            RunningChain running = start(loops, isRestarting);
            Inlet inlet = running.inlet();
            inlet.send(new byte[1]);
            interrupt();
            assertThatThrownBy(() -> inlet.send(new byte[1])).isInstanceOf(BackPressureException.class);
            assertParked();
            running.close(LIMIT);
        }
    }

    /** A redrive reads the clock of the JVM, so the turns of its connection show whether it parks. */
    @Test
    void redriveParksOnInterruptedThread() {
        try (Loops loops = Loops.manual();
                RunningChain running = Chain.named("c")
                        .then("s", () -> (in, out) -> {
                            throw new IllegalArgumentException("poison");
                        })
                        .build()
                        .on(transport)
                        .with(loops)
                        .onError(ErrorPolicy.deadLetter())
                        .start()) {
            running.inlet().send(new byte[1]);
        }
        transport.with(Guarantee.EXCLUSIVE).storesLate = true;
        long[] begun = new long[2]; // time and turns at the flush
        transport.duringFlush = topic -> {
            begun[0] = System.nanoTime();
            begun[1] = transport.turns;
        };
        transport.beforeCall = () -> {
            if (begun[0] != 0 && System.nanoTime() - begun[0] > LIMIT.toNanos()) {
                transport.store();
            }
        };
        Thread.currentThread().interrupt();
        assertThat(Redrive.run(transport, "c-0.dead-letters", (letter, sequence) -> {})
                        .sent())
                .isEqualTo(1);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(transport.turns - begun[1]).as("turns within " + LIMIT).isLessThan(10 * LIMIT.toMillis());
    }

    private RunningChain start(Loops loops, boolean isRestarting) {
        Deployment deployment = Chain.named("c")
                .then("s", () -> (in, out) -> out.forward(in))
                .build()
                .on(transport)
                .with(loops)
                .sendWithin(LIMIT);
        if (isRestarting) {
            deployment.restart(RestartPolicy.backoff(LIMIT, LIMIT));
        }
        return deployment.start();
    }

    private void interrupt() {
        clock.earlyEnds = 0;
        Thread.currentThread().interrupt();
    }

    private void assertParked() {
        assertThat(Thread.interrupted()).as("restored interrupt").isTrue();
        assertThat(clock.earlyEnds).as("parks that ended before their time").isLessThan(5);
    }
}
