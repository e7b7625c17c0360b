package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.engine.chain.GuardedListener;
import dev.baton.fixtures.HostileTransport;
import dev.baton.fixtures.ShiftedClock;
import dev.baton.run.Loops;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a listener is told, and that it can do no harm. */
class ChainListenerTest {
    private final HostileTransport transport = new HostileTransport();
    private final List<String> told = new ArrayList<>();
    private final List<Long> received = new ArrayList<>();
    private final List<ChainListener> listeners = new ArrayList<>();
    private ErrorPolicy errors = ErrorPolicy.stop();
    private OutputHandler output = in -> received.add(in.getLong(0));

    ChainListenerTest() {
        transport.room = 64;
        listeners.add(new Noting());
    }

    @Test
    void retriesAndDeadLettersAreTold() {
        errors = ErrorPolicy.retry(2).thenDeadLetter();
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            send(running, 1, 2, 3);
            turn(loops);
        }
        assertThat(told)
                .contains(
                        "retry s1 c-0 2 after 1: no 2",
                        "retry s1 c-0 2 after 2: no 2",
                        "dead letter s1 c-0 2 after 3: no 2");
        assertThat(received).containsExactly(1L, 3L);
    }

    @Test
    void aLetterIsToldWhenItIsStored() {
        errors = ErrorPolicy.deadLetter();
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            transport.storesLate = true;
            send(running, 2);
            transport.topic("c-0").stored = 1;
            turn(loops);
            assertThat(told).noneMatch(line -> line.startsWith("dead letter"));
            transport.store();
            turn(loops);
            assertThat(told).contains("dead letter s1 c-0 1 after 1: no 2");
        }
    }

    @Test
    void busyConcurrentCallsAreNoBackPressure() {
        ShiftedClock clock = new ShiftedClock();
        List<Runnable> calls = new ArrayList<>();
        clock.workers = calls::add;
        try (Loops loops = Loops.manual().in(clock);
                RunningChain running = Chain.named("c")
                        .then("s1", () -> (in, out) -> out.forward(in), Concurrency.perKey(1))
                        .build()
                        .on(transport)
                        .with(loops)
                        .listen(listeners.get(0))
                        .onOutput(output)
                        .start()) {
            send(running, 1, 2);
            turn(loops);
            assertThat(calls).hasSize(1);
            assertThat(told).noneMatch(line -> line.contains("blocked"));
            calls.remove(0).run();
            turn(loops);
            calls.remove(0).run();
            turn(loops);
            assertThat(received).containsExactly(1L, 2L);
        }
    }

    @Test
    void batchReportsItsInputsAndOutputs() {
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            send(running, 1, 3, 5);
            turn(loops);
        }
        assertThat(told).containsExactly("batch s1 c-0 3 3", "batch sink c-1 3 0");
    }

    @Test
    void theBatchesOfASourceAreTold() {
        List<Long> left = new ArrayList<>(List.of(1L, 3L));
        try (Loops loops = loops();
                RunningChain running = Chain.named("c")
                        .build()
                        .on(transport)
                        .with(loops)
                        .listen(listeners.get(0))
                        .from(out -> {
                            for (Long each : left) {
                                out.claim(8).putLong(0, each).commit(8);
                            }
                            int sent = left.size();
                            left.clear();
                            return sent;
                        })
                        .start()) {
            turn(loops);
            assertThat(running.failure()).isEmpty();
        }
        assertThat(told).containsExactly("batch source c-0 0 2");
    }

    @Test
    void beginAndEndOfBackPressureAreReported() {
        transport.room = 2;
        output = null;
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            transport.topic("c-1").acknowledged.put("late", 0L);
            for (long value : new long[] {1, 3, 5}) {
                send(running, value);
                turn(loops);
            }
            turn(loops);
            assertThat(told).containsExactly("batch s1 c-0 1 1", "batch s1 c-0 1 1", "blocked s1 c-1");
            transport.topic("c-1").acknowledged.put("late", 2L);
            turn(loops);
            assertThat(told).endsWith("unblocked s1 c-1", "batch s1 c-0 1 1");
        }
    }

    @Test
    void listenerExceptionsAreLoggedOnceAndHarmless() {
        ChainListener throwing = new ChainListener() {
            @Override
            public void onBatch(String service, String topic, int inputs, int outputs) {
                throw new AssertionError("a listener's own");
            }

            @Override
            public void onRetry(String service, String topic, long sequence, int attempts, Throwable thrown) {
                throw new IllegalStateException("a listener's own");
            }
        };
        List<Throwable> logged = new ArrayList<>();
        ChainListener guarded = new GuardedListener(List.of(throwing, listeners.get(0)), logged::add);
        listeners.set(0, guarded);
        errors = ErrorPolicy.retry(1).thenDeadLetter();
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            send(running, 1, 2, 3);
            turn(loops);
            assertThat(running.failure()).isEmpty();
        }
        assertThat(received).containsExactly(1L, 3L);
        assertThat(told).as("the listener behind it").contains("retry s1 c-0 2 after 1: no 2");
        assertThat(logged).hasSize(1);
    }

    @Test
    void listenerWithoutBatchMethodReceivesNoBatches() {
        ChainListener ofBatches = new ChainListener() {
            @Override
            public void onBatch(String service, String topic, int inputs, int outputs) {
                told.add("batch");
            }
        };
        ChainListener ofRetries = new ChainListener() {
            @Override
            public void onRetry(String service, String topic, long sequence, int attempts, Throwable thrown) {}
        };

        assertThat(new GuardedListener(List.of(ofRetries), thrown -> {}).takesBatches())
                .isFalse();
        GuardedListener both = new GuardedListener(List.of(ofRetries, ofBatches), thrown -> {});
        assertThat(both.takesBatches()).isTrue();
        both.onBatch("s1", "c-0", 1, 1);
        assertThat(told).containsExactly("batch");
    }

    @Test
    void anUnguardedListenerIsGuardedByTheDeployment() {
        listeners.add(0, new ChainListener() {
            @Override
            public void onBatch(String service, String topic, int inputs, int outputs) {
                throw new IllegalStateException("logged by this test");
            }
        });
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            send(running, 1, 3);
            turn(loops);
            assertThat(running.failure()).isEmpty();
        }
        assertThat(told).contains("batch s1 c-0 2 2");
    }

    /** Loops whose batches end with their inputs: a batch that takes a millisecond, as in a stalled JVM, would end before. */
    private static Loops loops() {
        return Loops.manual().in(new ShiftedClock().stop());
    }

    private RunningChain start(Loops loops) {
        Deployment deployment = Chain.named("c")
                .then("s1", () -> (in, out) -> {
                    if (in.getLong(0) == 2) {
                        throw new IllegalStateException("no 2");
                    }
                    out.forward(in);
                })
                .build()
                .on(transport)
                .with(loops)
                .onError(errors);
        listeners.forEach(deployment::listen);
        return (output == null ? deployment : deployment.onOutput(output)).start();
    }

    private static void send(RunningChain running, long... values) {
        for (long value : values) {
            running.inlet().tryClaim(8).putLong(0, value).commit(8);
        }
    }

    private static void turn(Loops loops) {
        for (int i = 0; i < 10; i++) {
            loops.turn();
        }
    }

    /** As lines of text. */
    private final class Noting implements ChainListener {
        @Override
        public void onRetry(String service, String topic, long sequence, int attempts, Throwable thrown) {
            note("retry", service, topic, sequence, "after " + attempts + ": " + thrown.getMessage());
        }

        @Override
        public void onDeadLetter(String service, String topic, long sequence, int attempts, Throwable thrown) {
            note("dead letter", service, topic, sequence, "after " + attempts + ": " + thrown.getMessage());
        }

        @Override
        public void onBackPressure(String service, String topic) {
            note("blocked", service, topic);
        }

        @Override
        public void onBackPressureEnded(String service, String topic, long nanos) {
            assertThat(nanos).isPositive();
            note("unblocked", service, topic);
        }

        @Override
        public void onBatch(String service, String topic, int inputs, int outputs) {
            note("batch", service, topic, inputs, outputs);
        }

        private void note(Object... words) {
            List<String> line = new ArrayList<>();
            for (Object word : words) {
                line.add(word.toString());
            }
            told.add(String.join(" ", line));
        }
    }
}
