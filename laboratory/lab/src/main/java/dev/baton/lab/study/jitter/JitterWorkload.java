package dev.baton.lab.study.jitter;

import dev.baton.lab.engines.ReferenceEngine;
import dev.baton.lab.results.Findings;
import dev.baton.lab.trial.ChainWorkload;
import dev.baton.lab.trial.Instruments;
import dev.baton.measuring.machine.CoreWatch;
import dev.baton.measuring.machine.Evidence;
import dev.baton.operations.line.CommandException;
import java.time.Duration;

/**
 * The chain of one hop between two threads, watched by everything that can tell what held them up. What each event was
 * due to is found out when nothing is measured any more. Called by the trial's thread, as every workload is.
 */
public final class JitterWorkload extends ChainWorkload {
    /** Below that no instrument can say anything: the kernel alone takes as long to wake a thread. */
    private static final long LEAST_NANOS = 10_000;

    private final Instruments instruments;
    private final JitterStudy study;
    private final RingThreads threads;
    private final WorstEvents worst;
    private CoreWatch watch; // null until started
    private Evidence evidence; // null until stopped

    private JitterWorkload(Instruments instruments, JitterStudy study, RingThreads threads, WorstEvents worst) {
        super(instruments, ReferenceEngine.timeRing(instruments.plan(), threads.place(), threads), worst);
        this.instruments = instruments;
        this.study = study;
        this.threads = threads;
        this.worst = worst;
    }

    /** Of a plan whose study is a {@link JitterStudy}. */
    public static JitterWorkload open(Instruments instruments) {
        JitterStudy study = (JitterStudy) instruments.plan().study();
        WorstEvents worst = new WorstEvents(JitterStudy.MOST_WORST, LEAST_NANOS, instruments.window()::measureNanos);
        try {
            return new JitterWorkload(instruments, study, RingThreads.of(study), worst);
        } catch (IllegalArgumentException refused) {
            throw CommandException.usage(refused.getMessage(), refused);
        }
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
}
