package dev.baton.lab.trial;

import dev.baton.lab.protocol.Event;
import dev.baton.lab.protocol.Event.Phase;
import dev.baton.lab.protocol.OmittedFlags;
import dev.baton.lab.request.Limit;
import dev.baton.lab.request.Observers;
import dev.baton.lab.request.Place;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.request.Study;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Explanation;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.ResultFolder;
import dev.baton.lab.results.Second;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.trial.ends.Instruments;
import dev.baton.lab.trial.ends.Window;
import dev.baton.measuring.LatencyHistograms;
import dev.baton.measuring.data.Histograms;
import dev.baton.measuring.data.HostActivity;
import dev.baton.measuring.data.Latency;
import dev.baton.measuring.data.Machine;
import dev.baton.measuring.data.TrialEnvironment;
import dev.baton.measuring.machine.EnvironmentProbe;
import dev.baton.measuring.machine.MachineWatch;
import dev.baton.measuring.statistics.Percentiles;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.settings.Secrets;
import dev.baton.operations.settings.Subject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * One trial from its first topic to its files. The phases are called in order, each once; an interruption or a chain that
 * stops makes those that remain short. Confined to one thread.
 */
final class Trial implements AutoCloseable {
    private static final long TICK_NANOS = 500_000_000;
    private static final long DRAIN_CHECK_NANOS = 2_000_000;
    private static final long LEAD_NANOS = 100_000_000;
    private static final long BEGIN_EARLY_NANOS = 20_000_000;
    private static final long MILLI = 1_000_000;

    /** The shortest warm-up in which a full collection follows the first messages. */
    private static final long LEAST_WITH_COLLECTION = 3_000_000_000L;

    private static final long CUT_DRAIN_NANOS = 1_000_000_000;
    private static final Duration STOP_LIMIT = Duration.ofSeconds(5);
    private static final Duration CUT_STOP_LIMIT = Duration.ofSeconds(1);

    private final TrialPlan plan;
    private final Place place;
    private final Observers observers;
    private final Supplier<String> interruption;
    private final String startedAt = Instant.now().toString();
    private final long openedAtNanos = System.nanoTime();
    private final ResultFolder folder;
    private final TrialEnvironment environment;
    private final Workload workload;
    private final MachineWatch watch;
    private final Window window;
    private final Recording recording;
    private final Consumer<? super Event> events;
    private Phase phase = Phase.OPENING;
    private long phaseNanos = openedAtNanos; // when it began
    private Long phaseEndNanos; // as expected; null when nobody knows
    private int opened;
    private long nextReportNanos = System.nanoTime();
    private boolean isMeasured;
    private Limit broken; // the limit that ended the measurement; null for none
    private Explanation explanation = Explanation.NONE;
    private long openNanos;
    private long warmupNanos;
    private long drainNanos;

    private Trial(
            Instruments instruments,
            Recording recording,
            Workload workload,
            Consumer<? super Event> events,
            Supplier<String> interruption) {
        this.plan = instruments.plan();
        this.place = instruments.trial().place();
        this.observers = plan.watching();
        this.window = instruments.window();
        this.recording = recording;
        this.workload = workload;
        this.interruption = interruption;
        this.events = events;
        folder = new ResultFolder(Path.of(place.resultDirectory()));
        environment = EnvironmentProbe.look(
                place.queueDirectory() == null ? null : Path.of(place.queueDirectory()), Secrets::redacted);
        watch = observers.isOn()
                ? MachineWatch.start(place.brokerPids())
                : MachineWatch.countingOnly(place.brokerPids());
        if (OmittedFlags.sentence() != null) {
            watch.lacks(OmittedFlags.sentence());
        }
        if (place.spread() != null) {
            watch.team(place.spread().pids());
        }
    }

    /** Opens the workload. Blocks; on failure nothing is left open. */
    static Trial open(
            PlacedTrial trial, Workload.Source source, Consumer<? super Event> events, Supplier<String> interruption) {
        Path results = Path.of(trial.place().resultDirectory());
        if (!Files.isDirectory(results) || !Files.isWritable(results)) {
            throw CommandException.environment("cannot write results into " + results);
        }
        Recording recording = Recording.of(trial.plan());
        Instruments instruments = new Instruments(
                trial, Window.of(trial.plan()), recording.recorders(), recording.gaps(), recording.highestNanos());
        Workload workload = source.open(instruments);
        try {
            return new Trial(instruments, recording, workload, events, interruption);
        } catch (RuntimeException | Error failure) {
            workload.close();
            throw failure;
        }
    }

    void startInstances() {
        report(null);
        workload.prepare();
        if (hasTopicsToSpread()) {
            TopicPlacement.spread(place);
        }
        while (opened < workload.size() && !isStopped()) {
            workload.start(opened);
            opened++;
            reportIfDue();
        }
        openNanos = System.nanoTime() - openedAtNanos;
        // what opening made and left is tenured or freed now, not by a first long collection amid the measurement
        System.gc();
    }

    /**
     * Returns whether the topics are on several brokers of the laboratory. Where several processes share a trial, they stay where
     * Kafka has put them, as other processes may use them already.
     */
    private boolean hasTopicsToSpread() {
        return place.options().containsKey(Subject.BROKERS)
                && place.brokerPids().size() > 1
                && place.meeting() == null
                && place.spread() == null;
    }

    void warmUp() {
        meetTheOthers();
        if (isStopped()) {
            return;
        }
        long start = System.nanoTime() + LEAD_NANOS;
        window.start(
                start,
                plan.phases().warmupNanos(),
                plan.phases().measureNanos(),
                plan.phases().drainNanos());
        recording.begin(window, workload, folder.intervalFile(plan.id()), "Baton trial " + plan.id());
        enter(Phase.WARMUP, start, window.measureNanos());
        long end = window.measureNanos() - BEGIN_EARLY_NANOS;
        boolean isRehearsed = false;
        for (long tick = start + TICK_NANOS; tick - end < 0 && sleepUntil(tick); tick += TICK_NANOS) {
            takeInterval();
            if (!isRehearsed && tick - start >= plan.phases().warmupNanos() / 3) {
                isRehearsed = true;
                rehearse();
            }
        }
        sleepUntil(end);
        warmupNanos = Math.max(0, Math.min(System.nanoTime() + BEGIN_EARLY_NANOS, window.measureNanos()) - start);
    }

    /** Does what the beginning of the window does, which then takes little of the processors' time. */
    private void rehearse() {
        watch.rehearse();
        recording.beginWindow();
        if (plan.study().equals(Study.CHAINS) && plan.phases().warmupNanos() >= LEAST_WITH_COLLECTION) {
            System.gc(); // tenures what the first messages have allocated, as the one after opening does
        }
    }

    private void meetTheOthers() {
        if (place.meeting() == null) {
            watch.siblings(workload.companions());
            return;
        }
        MeetingPoint point =
                new MeetingPoint(place.meeting(), ProcessHandle.current().pid());
        watch.siblings(point.await(this::isStopped, this::reportIfDue));
    }

    private void reportIfDue() {
        if (isReportDue()) {
            report(null);
        }
    }

    private boolean isReportDue() {
        if (System.nanoTime() - nextReportNanos < 0) {
            return false;
        }
        nextReportNanos = System.nanoTime() + TICK_NANOS;
        return true;
    }

    void measure() {
        if (isStopped()) {
            cut();
            return;
        }
        isMeasured = true;
        watch.generators(workload.generatorTasks());
        watch.begin(window.measureNanos(), workload.receivedCount());
        recording.beginWindow();
        long start = window.measureNanos();
        enter(Phase.MEASURING, start, window.endNanos());
        BrokenLimits limits = BrokenLimits.of(plan);
        boolean isHalf = true;
        for (long tick = start + TICK_NANOS; tick - window.endNanos() < 0 && sleepUntil(tick); tick += TICK_NANOS) {
            takeInterval();
            broken = limits.first(recording.total()).orElse(null);
            if (broken != null) {
                window.cut(System.nanoTime(), plan.phases().drainNanos());
                break;
            }
            if (!isHalf && observers.isOn()) {
                recording.endSecond(watch.sample());
            }
            isHalf = !isHalf;
        }
        if (!sleepUntil(window.endNanos())) {
            cut();
        }
        takeInterval();
        if (observers.isOn()) {
            recording.endSecond(watch.sample());
        }
        watch.end(workload.receivedCount());
    }

    void drain() {
        if (!window.isStarted()) {
            return;
        }
        enter(Phase.DRAINING, window.endNanos(), window.deadlineNanos());
        while (!workload.isDone()
                && System.nanoTime() - window.deadlineNanos() < 0
                && workload.failure().isEmpty()) {
            if (interruption.get() != null) {
                cut();
            }
            LockSupport.parkNanos(DRAIN_CHECK_NANOS);
            if (isReportDue()) {
                takeInterval();
            }
        }
        window.close(System.nanoTime());
        drainNanos = Math.max(0, System.nanoTime() - window.endNanos());
    }

    /** Closes everything, settles, judges and writes. */
    TrialResult finish() {
        long closing = System.nanoTime();
        enter(Phase.CLOSING, closing, null);
        report(null);
        workload.stop(interruption.get() == null ? STOP_LIMIT : CUT_STOP_LIMIT);
        FinalCounts finalCounts = recording.finish(workload);
        Machine machine = isMeasured ? watch.result() : null;
        if (isMeasured && observers.isOn()) {
            explanation = recording.explain(
                    observers.tailPercentile(), watch.disturbances(), workload.stages(), budgetOfSenders());
        }
        closeWorkload();
        long closeNanos = System.nanoTime() - closing;
        enter(Phase.BESIDE, System.nanoTime(), null);
        workload.measureBeside(this::isStopped);
        return write(finalCounts, machine, closeNanos);
    }

    private long budgetOfSenders() {
        return plan.load().isSentFromThread() ? 0 : plan.loops().latencyBudgetNanos();
    }

    private TrialResult write(FinalCounts finalCounts, Machine machine, long closeNanos) {
        try {
            boolean hasLog = recording.publish();
            TrialResult result = result(finalCounts, machine, closeNanos, hasLog);
            folder.write(result);
            return result;
        } catch (IOException unwritable) {
            throw CommandException.environment(
                    "cannot write results: " + CommandException.reason(unwritable), unwritable);
        }
    }

    private TrialResult result(FinalCounts finalCounts, Machine machine, long closeNanos, boolean hasLog) {
        LatencyHistograms total = recording.total();
        List<Second> seconds = workload.timeline(recording.seconds());
        Outcome outcome = workload.judge(
                workload.failure().orElse(null), interruption.get(), finalCounts, total, judgedHost(machine));
        Secrets secrets = plan.secrets();
        return new TrialResult(
                TrialResult.SCHEMA,
                plan.redacted(),
                place,
                explained(Judge.withLog(watched(outcome), watch.failure())).without(secrets),
                workload.properties().shown(value -> Secrets.redacted(secrets.hiddenIn(value))),
                new TrialResult.Span(startedAt, openNanos, warmupNanos, window.measuredNanos(), drainNanos, closeNanos),
                finalCounts.rate(),
                finalCounts.delivery(),
                latency(total.response(), total.clampedResponses(), total.highestNanos()),
                latency(total.service(), total.clampedServices(), total.highestNanos()),
                latency(total.sendDelay(), total.clampedSendDelays(), total.highestNanos()),
                finalCounts.worstInstances(),
                machine,
                seconds,
                environment,
                hasLog ? folder.intervalFile(plan.id()).getFileName().toString() : null,
                workload.findings(),
                Histograms.of(total.response(), total.service(), total.sendDelay()),
                explanation,
                List.of());
    }

    /** Returns the activity of the host: without observers the kernel's counters, and no stall. */
    private HostActivity judgedHost(Machine machine) {
        if (machine == null) {
            return null;
        }
        return machine.host() == null ? watch.counted() : machine.host();
    }

    /** Returns the outcome, which is not a pass without a watch. */
    private Outcome watched(Outcome outcome) {
        return observers.isOn() || outcome.verdict() != Verdict.PASS
                ? outcome
                : new Outcome(
                        Verdict.INCONCLUSIVE,
                        List.of("measured without observers: a stall of the host would not have been detected"));
    }

    /** Says why the measurement was shorter than planned, where a limit ended it. */
    private Outcome explained(Outcome outcome) {
        return broken == null
                ? outcome
                : outcome.and("measured for " + Limit.time(window.measuredNanos() / MILLI * MILLI) + " of "
                        + Limit.time(plan.phases().measureNanos()) + ": more messages were late by then than " + broken
                        + " allows in all of it");
    }

    private Latency latency(Histogram histogram, long clamped, long highestNanos) {
        double rate = plan.load().ratePerSecond() * plan.shape().instances();
        long backlog = (long) plan.load().backlog() * plan.shape().instances();
        return Percentiles.of(histogram, clamped, highestNanos, window.measuredNanos(), rate, backlog);
    }

    private void cut() {
        if (window.isStarted()) {
            window.cut(
                    System.nanoTime(), Math.min(CUT_DRAIN_NANOS, plan.phases().drainNanos()));
        }
    }

    private void enter(Phase next, long startNanos, Long expectedEndNanos) {
        phase = next;
        phaseNanos = startNanos;
        phaseEndNanos = expectedEndNanos;
    }

    /** Reports the progress. @param interval what was recorded since the last report; null for nothing */
    private void report(LatencyHistograms interval) {
        long now = System.nanoTime();
        Histogram responses = interval == null
                ? null
                : interval.response().getTotalCount() > 0 ? interval.response() : interval.warmup();
        boolean isEmpty = responses == null || responses.getTotalCount() == 0;
        events.accept(new Event.Progress(
                phase,
                Math.max(0, now - phaseNanos),
                phaseEndNanos == null ? null : Math.max(0, phaseEndNanos - now),
                opened,
                isEmpty ? null : responses.getValueAtPercentile(50),
                isEmpty ? null : responses.getValueAtPercentile(99)));
    }

    private void takeInterval() {
        report(observers.isOn() ? recording.take() : null);
    }

    private boolean isStopped() {
        return interruption.get() != null || workload.failure().isPresent();
    }

    /** Sleeps until a time; false when the trial stops meanwhile. */
    private boolean sleepUntil(long nanos) {
        for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
            if (isStopped()) {
                return false;
            }
            LockSupport.parkNanos(Math.min(left, TICK_NANOS));
        }
        return !isStopped();
    }

    private void closeWorkload() {
        try {
            workload.close();
        } catch (RuntimeException atClose) {
            System.getLogger("dev.baton.lab")
                    .log(
                            System.Logger.Level.WARNING,
                            "while closing " + plan.subject().transport(),
                            atClose);
        }
    }

    @Override
    public void close() {
        watch.close();
        closeWorkload();
        recording.close();
    }
}
