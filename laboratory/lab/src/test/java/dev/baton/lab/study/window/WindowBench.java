package dev.baton.lab.study.window;

import dev.baton.Chain;
import dev.baton.ErrorPolicy;
import dev.baton.RunningChain;
import dev.baton.Service;
import dev.baton.disruptor.DisruptorOptions;
import dev.baton.disruptor.DisruptorTransport;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.study.window.WindowStudy.Aggregate;
import dev.baton.lab.study.window.WindowStudy.State;
import dev.baton.lab.trial.FinalCounts;
import dev.baton.lab.trial.StartedWindow;
import dev.baton.lab.trial.ends.Window;
import dev.baton.measuring.InstanceHistogram;
import dev.baton.measuring.LatencyHistograms;
import dev.baton.measuring.RecorderPool;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** The whole job on a manual clock and a manual loop: 1,000 events per second, steps of 10 ms, windows of 5 steps. */
final class WindowBench implements AutoCloseable {
    static final long MILLI = 1_000_000;
    static final long STEP = 10 * MILLI;
    static final long START = 1_000 * MILLI;
    static final int FRAMES = 5;
    static final int WARMUP_STEPS = 10;
    private static final long HIGHEST = 3_600_000 * MILLI;
    static final Load EVEN = new Load(1_000, Load.Arrivals.EVEN, 7);

    final Window window;
    final WindowStudy study;
    final StepBoard board;
    final List<JobPart> parts = new ArrayList<>();
    final LatencyHistograms figures = LatencyHistograms.upTo(HIGHEST);
    final AtomicReference<Throwable> failure = new AtomicReference<>();
    long now = START;

    private final RecorderPool recorders = new RecorderPool(HIGHEST);
    private final InstanceHistogram responses = new InstanceHistogram(HIGHEST);
    private final Loops loops = Loops.manual();
    private final Transport transport;
    private final List<RunningChain> running = new ArrayList<>();

    WindowBench(State state, int keys, int parts, int measuredSteps, int slots) {
        this(state, keys, parts, measuredSteps, slots, null);
    }

    WindowBench(State state, int keys, int parts, int measuredSteps, int slots, Supplier<Service> tamper) {
        this(state, Aggregate.COUNT, EVEN, keys, parts, measuredSteps, slots, tamper);
    }

    /**
     * @param load of all parts together
     * @param tamper a service between window and sink; null for none
     */
    WindowBench(
            State state,
            Aggregate aggregate,
            Load load,
            int keys,
            int parts,
            int measuredSteps,
            int slots,
            Supplier<Service> tamper) {
        window = StartedWindow.at(START, WARMUP_STEPS * STEP, measuredSteps * STEP, 1_000 * MILLI);
        study = new WindowStudy(state, keys, FRAMES * STEP, STEP, List.of(), false, null, aggregate);
        TrialPlan plan = new TrialPlan(
                "bench",
                new Subject(Subject.BATON, "disruptor", Map.of()),
                new Shape(1, parts, Wire.RESULT_BYTES),
                new Load(load.ratePerSecond() / parts, Load.Arrivals.EVEN, load.seed())
                        .arriving(load.arrivals(), load.burst()),
                new LoopPlan("cooperative:1", null, 0),
                new Phases(WARMUP_STEPS * STEP, measuredSteps * STEP, 1_000 * MILLI),
                List.of(),
                study,
                null);
        board = new StepBoard(parts, (int) WindowHeap.steps(study, plan.phases()));
        transport = DisruptorTransport.create(DisruptorOptions.defaults()
                .with(DisruptorOptions.SLOTS, slots)
                .with(DisruptorOptions.MAX_PAYLOAD, Wire.RESULT_BYTES));
        for (int i = 0; i < parts; i++) {
            this.parts.add(started(
                    new JobPart(i, plan, (WindowStudy) plan.study(), window, recorders, board, () -> now), tamper));
        }
    }

    private JobPart started(JobPart part, Supplier<Service> tamper) {
        Chain.Builder chain = Chain.named("bench").then("window", () -> part.service);
        if (tamper != null) {
            chain.then("tamper", tamper);
        }
        running.add(chain.build()
                .on(transport)
                .instance(part.index)
                .with(loops)
                .from(part.source)
                .onOutput(part.sink)
                .onError(ErrorPolicy.retry(Integer.MAX_VALUE))
                .onFailure(failure::set)
                .start());
        return part;
    }

    /** The end of a step. */
    static long endOf(int step) {
        return START + step * STEP;
    }

    /** Turns the loop every millisecond until a moment, and once then. */
    void runUntil(long nanos) {
        while (now < nanos) {
            turn();
            now = Math.min(nanos, now + MILLI);
        }
        turn();
    }

    void turn() {
        loops.turn();
    }

    /** Turns the loop until there is nothing to do, without any time passing. */
    void settleDown() {
        for (int turns = 0; turns < 100_000 && loops.turn() > 0; turns++) {
            // again
        }
    }

    boolean isDone() {
        return parts.stream().allMatch(JobPart::isDone);
    }

    /** Adds up. */
    FinalCounts settle() {
        recorders.takeInterval(figures);
        return new WindowWorkload.WindowAccounting(parts, window, study, board, part -> true)
                .settle(figures, responses);
    }

    @Override
    public void close() {
        running.forEach(RunningChain::close);
        loops.close();
        transport.close();
    }
}
