package dev.baton.lab.study.selftest;

import dev.baton.lab.engines.PollWait;
import dev.baton.lab.request.Limit;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.study.density.ChainCost;
import dev.baton.lab.study.window.WindowStudy;
import dev.baton.measuring.machine.Evidence.Stop;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * The subject of the self-test: it carries out plans and returns its measurements. The real one runs each in a fresh JVM; broken ones, in
 * the tests, have to fail. Confined to one thread.
 */
public interface TestedLaboratory {
    /**
     * Carries out plans. Blocks.
     *
     * @param round from 1: how often these plans have been asked for
     * @return by the ids of the plans; those that came to no result are missing
     */
    Map<String, TrialEvidence> measure(Collection<TrialPlan> plans, int round);

    /** {@return the time for which its Kafka loops let the consumer wait, under this plan} */
    default Duration kafkaPollWait(TrialPlan plan) {
        return PollWait.of(plan).duration();
    }

    /**
     * {@return the cost of chains on a machine, as in its report}
     *
     * @param busyCores CPU time over wall time, on which the cost does not depend
     */
    default ChainCost cost(int chains, int cores, double busyCores) {
        return new ChainCost(chains, cores);
    }

    /** Different keys among so many events of a window whose keys come in order. */
    default int distinctKeys(int keys, int events) {
        return WindowStudy.distinctInOrder(keys, events);
    }

    /**
     * {@return the verdicts of the search for a window's most items on a limit after each of several trials of the same job; null while it
     * needs more}
     *
     * @param trials the latencies of each one's steps, in ns
     */
    default List<Verdict> searched(Limit limit, List<Histogram> trials) {
        return WindowStudy.searched(limit, trials);
    }

    /**
     * Pauses of garbage collections that it reads from a JVM's log, in ns.
     *
     * @throws IllegalArgumentException when a line that reports a pause cannot be read
     */
    default List<Long> pauses(List<String> log) {
        return Stop.collections(log).stream().map(Stop::nanos).toList();
    }

    /** The process that asks; no trial may run in it. */
    default long pid() {
        return ProcessHandle.current().pid();
    }
}
