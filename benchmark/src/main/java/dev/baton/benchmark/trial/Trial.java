package dev.baton.benchmark.trial;

import dev.baton.benchmark.machine.EnvironmentProbe;
import dev.baton.benchmark.machine.MachineWatch;
import dev.baton.benchmark.measure.LatencyHistograms;
import dev.baton.benchmark.measure.NanoClock;
import dev.baton.benchmark.plan.TrialPlan;
import dev.baton.benchmark.result.Environment;
import dev.baton.benchmark.result.Machine;
import dev.baton.benchmark.result.Outcome;
import dev.baton.benchmark.result.ResultFolder;
import dev.baton.benchmark.result.Span;
import dev.baton.benchmark.result.TransportFacts;
import dev.baton.benchmark.result.TrialResult;
import dev.baton.benchmark.rig.ChainRig;
import dev.baton.benchmark.trial.Event.Kind;
import dev.baton.benchmark.trial.Event.Phase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One trial from its first topic to its files. The phases are called in order, each once; an interruption or a chain that
 * stops makes those that remain short. Confined to one thread.
 */
final class Trial implements AutoCloseable {
    private static final long TICK_NANOS = 500_000_000;
    private static final long DRAIN_CHECK_NANOS = 2_000_000;
    private static final long LEAD_NANOS = 100_000_000;
    private static final long BEGIN_EARLY_NANOS = 20_000_000;
    private static final long CUT_DRAIN_NANOS = 1_000_000_000;
    private static final Duration STOP_LIMIT = Duration.ofSeconds(5);

    private final TrialPlan plan;
    private final Supplier<String> interruption;
    private final String startedAt = Instant.now().toString();
    private final long openedAtNanos = System.nanoTime();
    private final ResultFolder folder;
    private final Environment environment;
    private final ChainRig rig;
    private final TransportFacts facts;
    private final MachineWatch watch;
    private final Window window;
    private final Recording recording;
    private final Fleet fleet;
    private final LiveView live;
    private int opened;
    private boolean isMeasured;
    private long openNanos;
    private long warmupNanos;
    private long drainNanos;

    private Trial(TrialPlan plan, Consumer<? super Event> events, Supplier<String> interruption, ChainRig rig) {
        this.plan = plan;
        this.interruption = interruption;
        this.rig = rig;
        this.facts = rig.facts();
        folder = new ResultFolder(Path.of(plan.place().resultDirectory()));
        environment = EnvironmentProbe.look(
                plan.place().queueDirectory() == null
                        ? null
                        : Path.of(plan.place().queueDirectory()));
        window = Window.of(plan);
        recording = Recording.of(plan);
        fleet = fleet();
        live = new LiveView(events, fleet);
        live.enter(Phase.OPENING, openedAtNanos, null);
        watch = MachineWatch.start(plan.place().brokerPids());
    }

    /** Opens the transport. Blocks; on failure nothing is left open. */
    static Trial open(TrialPlan plan, Consumer<? super Event> events, Supplier<String> interruption) {
        Path results = Path.of(plan.place().resultDirectory());
        if (!Files.isDirectory(results) || !Files.isWritable(results)) {
            throw new TrialFailure(Kind.ENVIRONMENT, "cannot write results into " + results);
        }
        ChainRig rig = Engines.open(plan);
        try {
            return new Trial(plan, events, interruption, rig);
        } catch (RuntimeException | Error failure) {
            rig.close();
            throw failure;
        }
    }

    private Fleet fleet() {
        List<Instance> instances = new ArrayList<>();
        for (int i = 0; i < plan.shape().instances(); i++) {
            instances.add(
                    Instance.of(plan, i, window, NanoClock.SYSTEM, recording.recorders(), recording.highestNanos()));
        }
        return new Fleet(instances);
    }

    void startInstances() {
        live.report(System.nanoTime(), 0, null);
        rig.prepare(fleet.size());
        long nextReport = System.nanoTime() + TICK_NANOS;
        for (Instance instance : fleet.instances()) {
            if (isStopped()) {
                break;
            }
            rig.start(instance);
            opened++;
            if (System.nanoTime() - nextReport >= 0) {
                nextReport = System.nanoTime() + TICK_NANOS;
                live.report(System.nanoTime(), opened, null);
            }
        }
        openNanos = System.nanoTime() - openedAtNanos;
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
        recording.begin(window, fleet, folder.intervalFile(plan.id()), "Baton trial " + plan.id());
        live.enter(Phase.WARMUP, start, window.measureNanos());
        long end = window.measureNanos() - BEGIN_EARLY_NANOS;
        for (long tick = start + TICK_NANOS; tick - end < 0 && sleepUntil(tick); tick += TICK_NANOS) {
            takeInterval();
        }
        sleepUntil(end);
        warmupNanos = Math.max(0, Math.min(System.nanoTime() + BEGIN_EARLY_NANOS, window.measureNanos()) - start);
    }

    private void meetTheOthers() {
        if (plan.place().meeting() == null) {
            return;
        }
        MeetingPoint point =
                new MeetingPoint(plan.place().meeting(), ProcessHandle.current().pid());
        long[] nextReport = {System.nanoTime()};
        watch.siblings(point.await(this::isStopped, () -> {
            if (System.nanoTime() - nextReport[0] >= 0) {
                nextReport[0] = System.nanoTime() + TICK_NANOS;
                live.report(System.nanoTime(), opened, null);
            }
        }));
    }

    void measure() {
        if (isStopped()) {
            cut();
            return;
        }
        isMeasured = true;
        watch.begin(window.measureNanos(), fleet.receivedCount());
        recording.beginWindow();
        long start = window.measureNanos();
        live.enter(Phase.MEASURING, start, window.endNanos());
        boolean isHalf = true;
        for (long tick = start + TICK_NANOS; tick - window.endNanos() < 0 && sleepUntil(tick); tick += TICK_NANOS) {
            takeInterval();
            if (!isHalf) {
                recording.endSecond(watch.sample());
            }
            isHalf = !isHalf;
        }
        if (!sleepUntil(window.endNanos())) {
            cut();
        }
        takeInterval();
        recording.endSecond(watch.sample());
        watch.end(fleet.receivedCount());
    }

    void drain() {
        if (!window.isStarted()) {
            return;
        }
        live.enter(Phase.DRAINING, window.endNanos(), window.deadlineNanos());
        long nextReport = System.nanoTime() + TICK_NANOS;
        while (!fleet.isDone()
                && System.nanoTime() - window.deadlineNanos() < 0
                && rig.failure().isEmpty()) {
            if (interruption.get() != null) {
                cut();
            }
            LockSupport.parkNanos(DRAIN_CHECK_NANOS);
            if (System.nanoTime() - nextReport >= 0) {
                nextReport = System.nanoTime() + TICK_NANOS;
                takeInterval();
            }
        }
        window.close(System.nanoTime());
        drainNanos = Math.max(0, System.nanoTime() - window.endNanos());
    }

    /** Closes everything, settles, judges and writes. */
    TrialResult finish() {
        long closing = System.nanoTime();
        live.enter(Phase.CLOSING, closing, null);
        live.report(closing, opened, null);
        rig.stop(STOP_LIMIT);
        Reckoning reckoning = recording.finish(fleet, window);
        Machine machine = isMeasured ? watch.result() : null;
        closeRig();
        return write(reckoning, machine, System.nanoTime() - closing);
    }

    private TrialResult write(Reckoning reckoning, Machine machine, long closeNanos) {
        try {
            boolean hasLog = recording.publish();
            TrialResult result = result(reckoning, machine, closeNanos, hasLog);
            folder.write(result);
            return result;
        } catch (IOException unwritable) {
            throw new TrialFailure(Kind.ENVIRONMENT, "cannot write results: " + unwritable, unwritable);
        }
    }

    private TrialResult result(Reckoning reckoning, Machine machine, long closeNanos, boolean hasLog) {
        String stopped = rig.failure()
                .map(failure -> "instance " + failure.instance() + " stopped: " + failure.cause())
                .orElse(null);
        Judge judge = new Judge(
                plan.limits(),
                window.measuredNanos(),
                plan.loops().isCooperative(),
                machine == null ? null : machine.platform());
        LatencyHistograms total = recording.total();
        Outcome outcome =
                judge.decide(stopped, interruption.get(), reckoning.delivery(), reckoning.rate(), fleet, total.slip());
        return new TrialResult(
                TrialResult.SCHEMA,
                plan.redacted(),
                outcome,
                facts,
                new Span(startedAt, openNanos, warmupNanos, window.measuredNanos(), drainNanos, closeNanos),
                reckoning.rate(),
                reckoning.delivery(),
                reckoning.latency(plan, total.response(), total.clampedResponses(), total.highestNanos()),
                reckoning.latency(plan, total.service(), total.clampedServices(), total.highestNanos()),
                reckoning.latency(plan, total.slip(), total.clampedSlips(), total.highestNanos()),
                reckoning.worstInstances(),
                machine,
                recording.seconds(),
                environment,
                hasLog ? folder.intervalFile(plan.id()).getFileName().toString() : null);
    }

    private void cut() {
        if (window.isStarted()) {
            window.cut(
                    System.nanoTime(), Math.min(CUT_DRAIN_NANOS, plan.phases().drainNanos()));
        }
    }

    private void takeInterval() {
        live.report(System.nanoTime(), opened, recording.take());
    }

    private boolean isStopped() {
        return interruption.get() != null || rig.failure().isPresent();
    }

    /** False when the trial stops meanwhile. */
    private boolean sleepUntil(long nanos) {
        for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
            if (isStopped()) {
                return false;
            }
            LockSupport.parkNanos(Math.min(left, TICK_NANOS));
        }
        return !isStopped();
    }

    private void closeRig() {
        try {
            rig.close();
        } catch (RuntimeException atClose) {
            System.getLogger("dev.baton.benchmark")
                    .log(
                            System.Logger.Level.WARNING,
                            "while closing " + plan.subject().transport(),
                            atClose);
        }
    }

    @Override
    public void close() {
        watch.close();
        closeRig();
        recording.close();
    }
}
