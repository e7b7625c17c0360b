package dev.baton.lab.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.request.Shape;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.trial.ends.ClaimingSender;
import dev.baton.measuring.rig.GeneratorThread;
import dev.baton.measuring.rig.MessageSource;
import dev.baton.measuring.rig.SourceSender;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GeneratorThreadTest {
    private static final double TICK = 0.01; // of the process's CPU time, 10 ms, in a window of 1 s
    private static final Duration LIMIT = Duration.ofSeconds(10);

    @TempDir
    Path results;

    private final BlockingQueue<String> failures = new LinkedBlockingQueue<>();

    @AfterEach
    void noThreadIsLeft() {
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().equals("baton-lab-generator"));
    }

    private GeneratorThread thread() {
        return new GeneratorThread((cause, instance) -> failures.add(instance + ": " + cause.getMessage()));
    }

    private static final class NoSender extends ClaimingSender {
        @Override
        public boolean trySend(long number, long originNanos, int tag) {
            return true;
        }
    }

    private static MessageSource source(Runnable onTurn) {
        return source(onTurn, Long.MAX_VALUE);
    }

    private static MessageSource source(Runnable onTurn, long deadlineNanos) {
        return new MessageSource() {
            @Override
            public int onTurn(SourceSender sender) {
                onTurn.run();
                return 0;
            }

            @Override
            public long deadlineNanos() {
                return deadlineNanos;
            }
        };
    }

    @Test
    void roomIsAwaitedDespiteDistantSlot() throws InterruptedException {
        CountDownLatch turns = new CountDownLatch(300);
        long begin = System.nanoTime();
        try (GeneratorThread generators = thread()) {
            long inAnHour = begin + Duration.ofHours(1).toNanos();
            generators.add(0, source(() -> {}, inAnHour), new NoSender(), () -> {}, LIMIT);
            generators.add(1, source(turns::countDown), new NoSender(), () -> {}, LIMIT);
            assertThat(turns.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(2)); // was 3 s
    }

    @Test
    void refusedOpeningsAreThrownToTheCaller() {
        try (GeneratorThread generators = thread()) {
            Runnable refusing = () -> {
                throw new IllegalArgumentException("no such topic");
            };
            assertThatThrownBy(() -> generators.add(0, source(() -> {}), new NoSender(), refusing, LIMIT))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("no such topic");
        }
    }

    @Test
    void sourceWithNothingLeftGetsNoTurn() throws InterruptedException {
        BlockingQueue<String> turns = new LinkedBlockingQueue<>();
        try (GeneratorThread generators = thread()) {
            MessageSource done = new MessageSource() {
                @Override
                public int onTurn(SourceSender sender) {
                    turns.add("done");
                    return 0;
                }

                @Override
                public long deadlineNanos() {
                    return Long.MAX_VALUE;
                }

                @Override
                public boolean isDone() {
                    return true;
                }
            };
            generators.add(0, done, new NoSender(), () -> {}, LIMIT);
            generators.add(1, source(() -> turns.add("waiting")), new NoSender(), () -> {}, LIMIT);
            for (int turn = 0; turn < 3; turn++) {
                assertThat(turns.poll(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo("waiting");
            }
        }
    }

    @Test
    void oneFailureLeavesTheOtherInstances() throws InterruptedException {
        BlockingQueue<String> turns = new LinkedBlockingQueue<>();
        try (GeneratorThread generators = thread()) {
            Runnable failing = () -> {
                throw new IllegalStateException("the chain has failed");
            };
            generators.add(0, source(failing), new NoSender(), () -> {}, LIMIT);
            generators.add(1, source(() -> turns.offer("turn")), new NoSender(), () -> {}, LIMIT);

            assertThat(failures.poll(10, TimeUnit.SECONDS)).isEqualTo("0: the chain has failed");
            turns.clear();
            assertThat(turns.poll(10, TimeUnit.SECONDS)).isEqualTo("turn");
        }
        assertThat(failures).isEmpty();
    }

    @Test
    void turnsAllocateNothing() throws InterruptedException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long[] allocated = new long[2];
        CountDownLatch counted = new CountDownLatch(1);
        MessageSource counting = new MessageSource() {
            private int turns;

            @Override
            public int onTurn(SourceSender sender) {
                turns++;
                if (turns == 1_000 || turns == 2_000) { // before C2 compiles the turn, which could hide an allocation
                    allocated[turns / 1_000 - 1] = threads.getThreadAllocatedBytes(
                            Thread.currentThread().getId());
                    if (turns == 2_000) {
                        counted.countDown();
                    }
                }
                return 1;
            }

            @Override
            public long deadlineNanos() {
                return Long.MAX_VALUE;
            }
        };
        try (GeneratorThread generators = thread()) {
            generators.add(0, counting, new NoSender(), () -> {}, LIMIT);
            assertThat(counted.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }
        assertThat(allocated[1] - allocated[0]).isLessThan(1_000); // of 1,000 turns; an iterator takes 32 a turn
    }

    @Test
    void itsUseIsAccountedForByItself() {
        PlacedTrial plan = Plans.of(
                results,
                "memory",
                Map.of(),
                new Shape(3, 2, 20),
                Plans.EVEN_1000.sentFrom(Load.Generator.THREAD),
                "cooperative:1",
                1_000);
        TrialResult result = new TrialRunner(plan, ChainWorkload::open, event -> {}).run();

        assertThat(result.delivery().isFaultless()).as("%s", result.outcome()).isTrue();
        assertThat(result.response().count()).isEqualTo(2_000);
        assertThat(result.machine().generator().cpuCores()).isBetween(0.001, 1.0);
        assertThat(result.machine().generator().runQueueShare()).isBetween(0.0, 1.0);
        assertThat(result.machine().chainCpuCores()).isLessThan(result.machine().jvmCpuCores());
        assertThat(result.machine().programCpuCores())
                .as("of the loop, without compilers and the generator")
                .isBetween(0.001, result.machine().chainCpuCores() + 2 * TICK);
        assertThat(result.plan().load().generator()).isEqualTo(Load.Generator.THREAD);
    }

    @Test
    void generatorsOnLoopsHaveNoSeparateUse() {
        PlacedTrial plan =
                Plans.of(results, "memory", Map.of(), new Shape(3, 1, 0), Plans.EVEN_1000, "cooperative:1", 500);
        TrialResult result = new TrialRunner(plan, ChainWorkload::open, event -> {}).run();

        assertThat(result.machine().generator()).isNull();
        assertThat(result.machine().chainCpuCores())
                .as("without the instruments alone")
                .isEqualTo(Math.max(
                        0, result.machine().jvmCpuCores() - result.machine().observersCpuCores()));
    }
}
