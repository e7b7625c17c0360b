package dev.baton.engine;

import dev.baton.RunningChain;
import dev.baton.engine.chain.ChainState;
import dev.baton.engine.chain.Wait;
import dev.baton.run.Environment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Closes chains together: first all of them stop their input, then all drain in-flight messages until a common deadline,
 * then all are released. A stalled chain therefore does not use up the time of the others. Stateless.
 */
public final class Closing {
    private static final long CHECK_NANOS = 200_000;
    private static final long LONG_CALL_NANOS = 100_000_000;

    private Closing() {}

    /** Closes runs together, and then the chains that are not a single run, within one limit. */
    public static void all(List<? extends RunningChain> chains, long limitNanos) {
        List<ChainRun> runs = new ArrayList<>();
        List<RunningChain> others = new ArrayList<>();
        for (RunningChain each : chains) {
            if (each instanceof ChainRun run) {
                runs.add(run);
            } else {
                others.add(each);
            }
        }
        long left = limitNanos;
        if (!runs.isEmpty()) {
            Environment environment = runs.get(0).environment();
            long begun = environment.nanoTime();
            together(runs, limitNanos, environment);
            left -= environment.nanoTime() - begun;
        }
        Duration share = Duration.ofNanos(Math.max(0, left) / Math.max(1, others.size()));
        others.forEach(each -> each.close(share));
    }

    /**
     * Closes the runs that are not closed yet, and waits for those that another thread is closing, except in a turn of their
     * loops. {@link ChainRun#wasDrained} returns the result of each.
     */
    static void together(Collection<ChainRun> chains, long limitNanos, Environment environment) {
        long begun = environment.nanoTime();
        Map<Boolean, List<ChainRun>> byThis = chains.stream().collect(Collectors.partitioningBy(ChainRun::beginClose));
        close(byThis.get(true), limitNanos, environment);
        long end = begun + limitNanos + ChainState.RELEASE_NANOS;
        byThis.get(false).forEach(each -> awaitReleased(each, end, environment));
    }

    /** Waits until a run is released that another thread closes, except in a turn of its loops. */
    static void awaitReleased(ChainRun run, long endNanos, Environment environment) {
        try (Wait wait = new Wait(environment)) {
            while (!run.isReleased() && !run.isInTurn() && environment.nanoTime() - endNanos < 0) {
                wait.park(CHECK_NANOS);
            }
        }
    }

    private static void close(List<ChainRun> closing, long limitNanos, Environment environment) {
        if (closing.isEmpty()) {
            return;
        }
        long begun = environment.nanoTime();
        drain(closing, begun + limitNanos, environment);
        long waited = environment.nanoTime() - begun;
        closing.forEach(each -> each.beginRelease(waited));
        long deadline = ChainState.releaseDeadline(environment);
        SectionRemoval.await(
                closing.stream().flatMap(each -> each.removals().stream()).toList(), deadline, environment);
        closing.forEach(each -> each.endRelease(deadline));
    }

    /** Records the current turn of each loop, for {@link #heldUpBy}. */
    public static void watch(List<Section> sections, long nowNanos) {
        sections.forEach(each -> each.turnInProgress(nowNanos));
    }

    /**
     * Returns a text that lists the parts with a call that has lasted since an earlier {@link #watch}, for 100 ms or
     * longer; empty if there is none.
     */
    public static String heldUpBy(List<Section> sections, long nowNanos) {
        StringBuilder text = new StringBuilder();
        for (Section each : sections) {
            Section.Turn turn = each.turnInProgress(nowNanos);
            if (turn.part() != null && nowNanos - turn.sinceNanos() >= LONG_CALL_NANOS) {
                text.append("; '").append(turn.part()).append("' has held its loop up for ");
                text.append((nowNanos - turn.sinceNanos()) / 1_000_000).append(" ms");
            }
        }
        return text.toString();
    }

    private static void drain(List<ChainRun> closing, long deadlineNanos, Environment environment) {
        try (Wait wait = new Wait(environment)) {
            while (!haveSettled(closing) && environment.nanoTime() - deadlineNanos < 0) {
                boolean isTurned = false;
                for (ChainRun each : closing) {
                    each.watchCalls();
                    isTurned |= each.sweepSoon();
                }
                if (!isTurned) {
                    wait.park(CHECK_NANOS);
                }
            }
        }
    }

    /** Returns whether all runs have settled. Checks every run, because a check may run a turn of the inlet's connection. */
    private static boolean haveSettled(List<ChainRun> closing) {
        boolean haveAll = true;
        for (ChainRun each : closing) {
            haveAll &= each.hasSettled();
        }
        return haveAll;
    }
}
