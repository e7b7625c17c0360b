package dev.baton.lab.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.baton.lab.request.Observers;
import dev.baton.lab.request.Observers.Stages;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Explanation;
import dev.baton.lab.results.ResultFolder;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.measuring.data.Disturbance;
import dev.baton.measuring.data.Stage;
import dev.baton.measuring.data.Tail;
import dev.baton.measuring.data.Tail.Cause;
import dev.baton.measuring.data.Tail.Share;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole trials whose tails are known to be somebody's fault, and what watching costs. */
@Tag("long")
class ExplanationTest {
    private static final long STOP_NANOS = 150_000_000;
    private static final int MOST_ATTEMPTS = 5;

    /** Longer than any backlog of a busy machine: what is unsent at the deadline is charged, and cannot be joined. */
    private static final long DRAIN_NANOS = 60_000_000_000L;

    private static final Observers TWO_PERCENT = new Observers(true, 98, Stages.AUTO);

    @TempDir
    Path results;

    @AfterEach
    void nothingIsLeftBehind() {
        assertThat(LossyTransport.LEFT_BEHIND).isEmpty();
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("baton-"));
    }

    private PlacedTrial plan(String threading, int instances, Observers observers) {
        return plan(threading, instances, observers, 2_000);
    }

    private PlacedTrial plan(String threading, int instances, Observers observers, long millis) {
        Shape shape = new Shape(3, instances, 0);
        PlacedTrial usual = Plans.of(results, "memory", Map.of(), shape, Plans.EVEN_1000, threading, millis);
        TrialPlan plan = usual.plan();
        return new PlacedTrial(
                new TrialPlan(
                        plan.id(),
                        plan.subject(),
                        shape,
                        plan.load(),
                        plan.loops(),
                        new Phases(plan.phases().warmupNanos(), plan.phases().measureNanos(), DRAIN_NANOS),
                        plan.limits(),
                        null,
                        observers),
                usual.place());
    }

    /** A trial in which something happens whenever a message has been received. */
    private static TrialResult run(PlacedTrial plan, LongConsumer atMessage) {
        return new TrialRunner(
                        plan,
                        instruments ->
                                new ChainWorkload(instruments, new MeddlingRig(Transports.rig(instruments), atMessage)),
                        event -> {})
                .run();
    }

    private static double part(TrialResult result, Cause cause) {
        return result.explanation().tail().shares().stream()
                .filter(share -> share.cause() == cause)
                .mapToDouble(Share::part)
                .sum();
    }

    private static void isWhole(Tail tail) {
        assertThat(tail.joined()).isEqualTo(tail.messages());
        assertThat(tail.shares().stream().mapToDouble(Share::part).sum()).isCloseTo(1, within(1e-9));
        assertThat(tail.shares().stream().mapToLong(Share::messages).sum()).isEqualTo(tail.joined());
    }

    @Test
    void collectionsAppearInTheTail() throws IOException {
        long before = System.nanoTime();
        TrialResult result = run(plan("cooperative:1", 1, TWO_PERCENT), number -> {
            if (number > 600 && number % 200 == 0) {
                System.gc();
            }
        });
        long elapsed = System.nanoTime() - before;
        Explanation explanation = result.explanation();

        isWhole(explanation.tail());
        assertThat(explanation.tail().percentile()).isEqualTo(98);
        assertThat(explanation.tail().thresholdNanos())
                .isBetween(
                        result.response().at(90).nanos(),
                        result.response().at(99).nanos());
        assertThat(explanation.tail().messages()).isBetween(30L, 40L);
        assertThat(part(result, Cause.GC)).isGreaterThan(0.1);
        assertThat(explanation.disturbances())
                .filteredOn(each -> each.kind() == Disturbance.Kind.GC)
                .hasSizeGreaterThanOrEqualTo(7)
                .allMatch(each -> each.nanos() > 0
                        && each.endNanos() > 0
                        && each.startNanos() < elapsed
                        && each.what().contains(" us to reach"));
        assertThat(explanation.disturbances())
                .isSortedAccordingTo((one, other) -> Long.compare(one.startNanos(), other.startNanos()));
        assertThat(ResultFolder.readTrial(results.resolve("memory-1.trial.json")))
                .isEqualTo(result);
    }

    @Test
    void stoppedLoopMakesSendsLate() {
        TrialResult result = run(plan("cooperative:1", 1, TWO_PERCENT), ExplanationTest::stopOnce);

        isWhole(result.explanation().tail());
        assertThat(part(result, Cause.GENERATOR_PARKED)).isGreaterThan(0.5);
        assertThat(part(result, Cause.QUEUEING)).isLessThan(0.3);
    }

    @Test
    void aStopOfOneServiceMakesMessagesQueue() {
        TrialResult result = run(plan("per-service", 1, TWO_PERCENT), ExplanationTest::stopOnce);

        isWhole(result.explanation().tail());
        assertThat(part(result, Cause.QUEUEING)).isGreaterThan(0.5);
        assertThat(part(result, Cause.GENERATOR) + part(result, Cause.GENERATOR_PARKED))
                .isLessThan(0.3);
    }

    private static void stopOnce(long number) {
        if (number == 1_500) {
            long until = System.nanoTime() + STOP_NANOS;
            for (long left = STOP_NANOS; left > 0; left = until - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }
    }

    @Test
    void stagesContainEveryMeasuredMessage() {
        TrialResult result = run(plan("cooperative:1", 1, null, 1_000), number -> {});

        assertThat(result.explanation().stages())
                .extracting(Stage::name)
                .containsExactly("topic 0", "s1", "topic 1", "s2", "topic 2", "s3", "topic 3");
        assertThat(result.explanation().stages())
                .allMatch(stage -> stage.samples() == result.response().count())
                .allMatch(stage -> stage.p50Nanos() <= stage.p999Nanos() && stage.p999Nanos() <= stage.maxNanos())
                .allMatch(stage ->
                        (stage.kind() == Stage.Kind.TOPIC) == stage.name().startsWith("topic"));
        assertThat(LongStream.of(result.explanation().stages().stream()
                                .mapToLong(Stage::maxNanos)
                                .toArray())
                        .max()
                        .orElseThrow())
                .isLessThanOrEqualTo(result.service().maxNanos() * 103 / 100);
    }

    @Test
    void severalChainsAreTimedOnlyOnRequest() {
        Observers asked = new Observers(true, 99, Stages.ON);

        assertThat(run(plan("cooperative:2", 3, null, 500), number -> {})
                        .explanation()
                        .stages())
                .isEmpty();
        assertThat(run(plan("per-service", 3, asked, 500), number -> {})
                        .explanation()
                        .stages())
                .hasSize(7)
                .allMatch(stage -> stage.samples() > 1_400);
    }

    @Test
    void trialWithoutObserversNeverPasses() {
        Observers off = new Observers(false, 99.9, Stages.ON);
        TrialResult watched = run(plan("cooperative:1", 1, null, 1_000), number -> {});
        TrialResult result = run(plan("cooperative:1", 1, off, 1_000), number -> {});

        assertThat(result.explanation()).isEqualTo(Explanation.NONE);
        assertThat(result.timeline()).isEmpty();
        assertThat(result.machine().host()).isNull();
        assertThat(result.machine().safepointNanos()).isNull();
        assertThat(result.machine().absent()).contains("stalls and pauses: measured without observers");
        assertThat(result.outcome().verdict()).isNotEqualTo(Verdict.PASS);
        assertThat(result.response().count()).isEqualTo(watched.response().count());
        assertThat(result.plan().observers()).isEqualTo(off);
        assertThat(result.machine().observersCpuCores())
                .isLessThan(watched.machine().observersCpuCores());
    }

    /** The best of a few short trials: code still to be compiled and a busy machine only add. */
    @Test
    void observersTakeLessThanFiftiethOfCore() {
        double allowed = Math.max(0.02, 1_500 * wakeUpSeconds());
        double least = 1;
        for (int attempt = 0; attempt < MOST_ATTEMPTS && least >= allowed; attempt++) {
            TrialResult result = run(plan("cooperative:1", 1, null), number -> {});
            least = Math.min(least, result.machine().observersCpuCores());
        }

        assertThat(least).isPositive().isLessThan(allowed);
    }

    /** The CPU time of a timed wait: some virtual machines need 40 us for it, more than all other work of the observers. */
    private static double wakeUpSeconds() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();
        int waits = 300;
        for (int i = 0; i < waits; i++) {
            LockSupport.parkNanos(2_000_000);
        }
        return (threads.getCurrentThreadCpuTime() - before) / 1e9 / waits;
    }
}
