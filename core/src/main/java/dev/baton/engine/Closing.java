package dev.baton.engine;

import dev.baton.RunningChain;
import dev.baton.engine.chain.ChainState;
import dev.baton.run.Environment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Closes chains together: first all of them stop their input, then all pass on what is in hand until the one deadline,
 * then all are released. So one that stands still does not take the others' time. Stateless.
 */
public final class Closing {
    private static final long CHECK_NANOS = 200_000;
    private static final long LONG_CALL_NANOS = 100_000_000;

    private Closing() {}

    /** Closes runs together, and then the chains that are not one run, within one limit. */
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

    /** Closes those that are not closed yet; each knows what it answered ({@link ChainRun#wasDrained}). */
    static void together(Collection<ChainRun> chains, long limitNanos, Environment environment) {
        List<ChainRun> closing = chains.stream().filter(ChainRun::beginClose).toList();
        if (closing.isEmpty()) {
            return;
        }
        drain(closing, environment.nanoTime() + limitNanos, environment);
        closing.forEach(each -> each.beginRelease(limitNanos));
        long deadline = ChainState.releaseDeadline(environment);
        SectionRemoval.await(
                closing.stream().flatMap(each -> each.removals().stream()).toList(), deadline, environment);
        closing.forEach(each -> each.endRelease(deadline));
    }

    /** Notes where the loops are, for {@link #heldUpBy}. */
    public static void watch(List<Section> sections, long nowNanos) {
        sections.forEach(each -> each.turnInProgress(nowNanos));
    }

    /**
     * Returns as text the parts of which one call has lasted since an earlier {@link #watch}, for 100 ms or longer; an empty
     * text when there is none.
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
        while (!haveSettled(closing) && environment.nanoTime() - deadlineNanos < 0) {
            boolean isTurned = false;
            for (ChainRun each : closing) {
                each.watchCalls();
                isTurned |= each.sweepSoon();
            }
            if (!isTurned) {
                environment.park(CHECK_NANOS);
            }
        }
    }

    /** Asks all of them, as each has to give its inlet's connection a turn. */
    private static boolean haveSettled(List<ChainRun> closing) {
        boolean haveAll = true;
        for (ChainRun each : closing) {
            haveAll &= each.hasSettled();
        }
        return haveAll;
    }
}
