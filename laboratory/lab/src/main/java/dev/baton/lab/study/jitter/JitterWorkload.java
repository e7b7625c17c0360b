package dev.baton.lab.study.jitter;

import dev.baton.lab.engines.ReferenceEngine;
import dev.baton.lab.results.Findings;
import dev.baton.lab.trial.ChainWorkload;
import dev.baton.lab.trial.ends.Instruments;
import dev.baton.measuring.machine.CoreWatch;
import dev.baton.measuring.machine.Cores;
import dev.baton.measuring.machine.Evidence;
import dev.baton.measuring.machine.KernelThread;
import dev.baton.operations.line.Checks;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntConsumer;

/**
 * The chain of one hop between two threads, watched by all instruments that may explain delays. The cause of each event is determined after
 * the measurement. Called by the trial's thread, as every workload.
 */
public final class JitterWorkload extends ChainWorkload {
    /** The shortest event that can be attributed: the kernel alone takes as long to wake a thread. */
    private static final long LEAST_NANOS = 10_000;

    private final Instruments instruments;
    private final JitterStudy study;
    private final RingThreads threads;
    private final WorstEvents worst;
    private CoreWatch watch; // null until started
    private Evidence evidence; // null until stopped

    private JitterWorkload(Instruments instruments, JitterStudy study, RingThreads threads, WorstEvents worst) {
        super(instruments, ReferenceEngine.timeRing(instruments.plan(), threads.place(), threads), null, worst);
        this.instruments = instruments;
        this.study = study;
        this.threads = threads;
        this.worst = worst;
    }

    static JitterWorkload open(Instruments instruments, JitterStudy study) {
        WorstEvents worst = new WorstEvents(JitterStudy.MOST_WORST, LEAST_NANOS, instruments.window()::measureNanos);
        return Checks.allowed("", () -> new JitterWorkload(instruments, study, new RingThreads(study), worst));
    }

    @Override
    public void start(int part) {
        super.start(part);
        watch = CoreWatch.start(threads.tasks());
    }

    @Override
    public void stop(Duration limit) {
        if (watch != null && evidence == null) {
            evidence = watch.stop();
        }
        super.stop(limit);
    }

    @Override
    public Findings findings() {
        return evidence == null
                ? null
                : Attribution.findings(
                        worst.longestFirst(),
                        evidence,
                        instruments.window().measureNanos(),
                        instruments.window().endNanos(),
                        study.worst());
    }

    @Override
    public void close() {
        try {
            super.close();
        } finally {
            if (watch != null) {
                watch.close();
            }
        }
    }

    /**
     * The producer's thread and the accumulator's: each pins itself where that was asked for, and notes its number with the
     * kernel. {@link #accept} is called by each thread as it starts, everything else by the trial's when both have.
     */
    static final class RingThreads implements IntConsumer {
        private final int[] cores; // of the producer and of the accumulator; empty when they are not pinned
        private final AtomicLongArray tasks = new AtomicLongArray(2);

        /**
         * Creates the threads.
         *
         * @throws IllegalArgumentException when two cores are requested and not available
         */
        RingThreads(JitterStudy study) {
            cores = study.isPinned() ? Cores.ofThisThread() : new int[0];
            if (study.isPinned() && cores.length < 2) {
                throw new IllegalArgumentException(
                        "--pin needs two cores, this process may use " + cores.length + "; leave it out");
            }
        }

        @Override
        public void accept(int part) {
            if (cores.length > 0) {
                Cores.pinThisThread(cores[part]);
            }
            tasks.set(part, KernelThread.number());
        }

        /** The kernel's numbers of the two, the producer first; 0 or -1 for one that has none. */
        List<Long> tasks() {
            return List.of(tasks.get(0), tasks.get(1));
        }

        /** {@return their cores, for a person} */
        String place() {
            return cores.length == 0 ? "not pinned" : "pinned to cores " + cores[0] + " and " + cores[1];
        }
    }
}
