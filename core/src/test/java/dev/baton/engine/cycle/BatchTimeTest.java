package dev.baton.engine.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Chain;
import dev.baton.Deployment;
import dev.baton.ErrorPolicy;
import dev.baton.RunningChain;
import dev.baton.Service;
import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Environment;
import dev.baton.run.Idle;
import dev.baton.run.Loops;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The hand-over of a service whose calls take time. */
class BatchTimeTest {
    private static final long MILLIS = 1_000_000;
    private static final long HOUR = 3_600_000 * MILLIS;

    private final Clock clock = new Clock();
    private final HostileTransport transport = new HostileTransport();
    private Loops loops = Loops.cooperative(1).idle(Idle.spin()).in(clock);
    private final List<Long> arrivals = new ArrayList<>(); // of outputs, by the clock
    private final List<Integer> flushes = new ArrayList<>(); // frames in the output topic before each
    private long callNanos;
    private int calls;
    private long sentAt;
    private RunningChain running;

    @AfterEach
    void close() {
        if (running != null) {
            running.close();
        }
        loops.close();
    }

    @Test
    void finishedOutputIsHandedOverDuringBatch() {
        callNanos = 5 * MILLIS;
        start(this::timed);
        send(100);
        clock.sweep();
        assertThat(arrivals).as("outputs after one turn").containsExactly(5 * MILLIS);
        assertThat(transport.topic("c-0").acknowledged.get("s")).isEqualTo(1);
        clock.sweep();
        clock.sweep();
        assertThat(arrivals).containsExactly(5 * MILLIS, 10 * MILLIS, 15 * MILLIS);
    }

    @Test
    void batchOfShortCallsEndsAfterMillisecond() {
        callNanos = 10_000;
        start(this::timed);
        send(600);
        clock.sweep();
        assertThat(arrivals.size()).as("outputs of 10 us each after one turn").isBetween(100, 132);
        clock.sweep();
        assertThat(arrivals.size()).isBetween(200, 264);
    }

    @Test
    void batchAfterRefusedInputHasItsWholeTime() {
        BatchTime time = new BatchTime(clock);
        time.begin();
        assertThat(time.isOver()).isFalse(); // its input is refused, so no call ends
        clock.advance(5 * MILLIS);
        time.begin();
        assertThat(time.isOver()).isFalse();
        time.callEnded();
        clock.advance(10_000);
        assertThat(time.isOver()).as("over after 10 us").isFalse();
    }

    @Test
    void batchOfFastCallsStaysWhole() {
        callNanos = 1_000;
        start(this::timed);
        send(512);
        clock.readings = 0;
        clock.sweep();
        clock.sweep();
        assertThat(arrivals).hasSize(512);
        assertThat(flushes).containsExactly(0, 256);
        assertThat(clock.readings).as("of the clock for 512 calls").isLessThan(50);
    }

    @Test
    void fastServiceThatBecomesSlowIsNoticed() {
        callNanos = 1_000;
        start(() -> (in, out) -> {
            callNanos = ++calls > 300 ? 5 * MILLIS : 1_000;
            timed().onMessage(in, out);
        });
        send(600);
        clock.sweep();
        clock.sweep();
        assertThat(arrivals.size()).as("outputs when calls became slow").isLessThanOrEqualTo(300 + 33);
        int before = arrivals.size();
        clock.sweep();
        clock.sweep();
        assertThat(arrivals).as("one call for each turn").hasSize(before + 2);
    }

    @Test
    void pauseWithinBatchDelaysNoInput() {
        start(() -> (in, out) -> {
            callNanos = ++calls == 420 ? 20 * MILLIS : 1_000;
            timed().onMessage(in, out);
        });
        send(512);
        clock.sweep();
        clock.sweep();
        assertThat(arrivals).as("outputs after two turns").hasSize(512);
        assertThat(flushes).as("one flush more, after the pause").hasSize(3);
    }

    @Test
    void pauseInAnyCallDelaysNoInput() {
        int batch = 40;
        int[] pausing = {0}; // number of the call that a pause interrupts
        start(() -> (in, out) -> {
            callNanos = ++calls == pausing[0] ? 20 * MILLIS : 1_000;
            timed().onMessage(in, out);
        });
        SplittableRandom random = new SplittableRandom(7);
        for (int round = 0; round < 1_000; round++) {
            pausing[0] = round % 2 == 0 ? 0 : calls + 1 + random.nextInt(batch);
            clock.advance(40 * MILLIS); // as a loop with a latency budget rests
            send(batch);
            clock.sweep();
            assertThat(arrivals).as("outputs after round %d", round).hasSize((round + 1) * batch);
        }
    }

    @Test
    void pauseBeforeMessageEndsNoBatch() {
        start(this::timed);
        send(10);
        clock.sweep();
        clock.advance(50 * MILLIS);
        send(10);
        clock.sweep();
        assertThat(arrivals).hasSize(20);
    }

    @Test
    void pacedLoopRestsOnlyWithoutInputs() {
        loops.close();
        loops = Loops.cooperative(1).latencyBudget(Duration.ofMillis(130)).in(clock);
        callNanos = 5 * MILLIS;
        start(this::timed);
        clock.rested = 0;
        send(20);
        for (int turn = 0; turn < 20; turn++) {
            assertThat(clock.rested).as("rest before turn " + turn).isZero();
            clock.sweep();
        }
        clock.sweep();
        assertThat(arrivals).hasSize(20);
        assertThat(clock.rested).as("rest without inputs").isPositive();
    }

    @Test
    void retriesThatTakeTimeAreHandedOver() {
        callNanos = 5 * MILLIS;
        boolean[] isBroken = {true};
        running = chain(() -> (in, out) -> {
                    if (isBroken[0]) {
                        throw new IllegalStateException("not yet");
                    }
                    timed().onMessage(in, out);
                })
                .onError(ErrorPolicy.retry(100).after(Duration.ofMillis(1)).perKey())
                .start();
        send(20);
        clock.sweep();
        clock.sweep(); // sets the others aside
        isBroken[0] = false;
        clock.advance(10 * MILLIS);
        clock.sweep();
        assertThat(arrivals).as("retries after one turn").hasSize(1);
    }

    @Test
    void turnOfManualLoopTakesWholeBatch() {
        callNanos = 5 * MILLIS;
        try (Loops manual = Loops.manual().in(clock)) {
            running = chain(this::timed).with(manual).start();
            send(20);
            manual.turn();
            assertThat(arrivals).hasSize(20);
            assertThat(flushes).as("frames handed over before each call").hasSize(20);
            running.close();
        }
    }

    private Service timed() {
        return (in, out) -> {
            clock.advance(callNanos);
            out.forward(in);
        };
    }

    private void start(Supplier<Service> service) {
        running = chain(service).start();
    }

    private Deployment chain(Supplier<Service> service) {
        transport.room = 1_000;
        transport.duringFlush = topic -> {
            if (topic == transport.topic("c-1")) {
                flushes.add(topic.size());
            }
        };
        return Chain.named("c")
                .then("s", service)
                .build()
                .on(transport)
                .with(loops)
                .onOutput(in -> arrivals.add(clock.now - sentAt));
    }

    private void send(int count) {
        sentAt = clock.now;
        for (int i = 0; i < count; i++) {
            running.inlet().send(new byte[8]);
        }
    }

    /** A clock that calls of services advance, and a loop that has its sweeps from the test's thread. */
    private static final class Clock implements Environment {
        private final Thread loop = new Thread("loop");
        private Worker worker;
        private boolean isSweeping;
        long now = HOUR;
        long rested; // nanoseconds, of the loop
        int readings;

        void advance(long nanos) {
            now += nanos;
        }

        @Override
        public long nanoTime() {
            readings++;
            return now;
        }

        @Override
        public long wallNanos() {
            return now;
        }

        @Override
        public Thread thread() {
            return isSweeping ? loop : Thread.currentThread();
        }

        /** One sweep of the loop. */
        void sweep() {
            isSweeping = true;
            try {
                worker.turn();
            } finally {
                isSweeping = false;
            }
        }

        /** The loop rests, or the caller waits for the loop. */
        @Override
        public void park(long nanos) {
            if (isSweeping) {
                rested += nanos;
                now += nanos;
                return;
            }
            now += Math.min(nanos, 1_000);
            sweep();
        }

        @Override
        public void unpark(Thread thread) {}

        @Override
        public void yield() {}

        @Override
        public void spin() {}

        @Override
        public Thread start(String name, ThreadFactory threads, Worker body) {
            worker = body;
            return loop;
        }

        @Override
        public boolean join(Thread thread, long nanos) {
            return true;
        }
    }
}
