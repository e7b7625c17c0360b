package dev.baton.lab.study.load;

import dev.baton.lab.launch.FinishedTrial;
import dev.baton.lab.launch.OutOfMemory;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.search.CapacitySearch;
import dev.baton.lab.search.Search;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * The search for the smallest memory of one trial: a {@link CapacitySearch} for the most steps of {@value #STEP_MEGABYTES} MB by which the
 * largest size can be reduced. A size at which the JVM does not run fails, as one that breaks a limit. Confined to one thread.
 */
final class MemorySearch extends Search {
    static final int STEP_MEGABYTES = 8;

    private static final long STEP = (long) STEP_MEGABYTES << 20;

    final PlannedTrial trial;
    private final MemoryOptions.Range range;
    private final BiFunction<PlannedTrial, Long, PlannedTrial> sizes;
    private final Map<String, Integer> attempts = new HashMap<>();
    private final Map<Long, TrialResult> enough = new HashMap<>();
    private FinishedTrial last;
    private long lastBytes;

    /**
     * Creates a search.
     *
     * @param sizes creates a trial of this many bytes
     */
    MemorySearch(PlannedTrial trial, MemoryOptions.Range range, BiFunction<PlannedTrial, Long, PlannedTrial> sizes) {
        super(within(range));
        this.trial = trial;
        this.range = range;
        this.sizes = sizes;
    }

    private static CapacitySearch within(MemoryOptions.Range range) {
        int count = (int) ((range.mostBytes() - range.leastBytes() + STEP - 1) / STEP) + 1;
        return new CapacitySearch((count + 1) / 2, count, new CapacitySearch.StepWidth(0, 1));
    }

    private long bytes(int place) {
        return Math.max(range.leastBytes(), range.mostBytes() - (place - 1) * STEP);
    }

    @Override
    public PlannedTrial next(int number) {
        long bytes = bytes(search.next().instances());
        String id = trial.plan().id() + "-" + (bytes >> 20) + "m";
        int attempt = attempts.getOrDefault(id, 0) + 1;
        return sizes.apply(trial, bytes).named(attempt == 1 ? id : id + "-" + attempt);
    }

    @Override
    public boolean enter(PlannedTrial sized, FinishedTrial finished, long tookNanos) {
        if (finished.result() == null && !isShort(finished)) {
            stop(Stop.REFUSED, finished.failure());
            return false;
        }
        last = finished;
        lastBytes = bytes(search.next().instances());
        attempts.merge(trial.plan().id() + "-" + (lastBytes >> 20) + "m", 1, Integer::sum);
        if (finished.verdict() == Verdict.PASS) {
            enough.put(lastBytes, finished.result());
        }
        search.enter(isShort(finished) ? Verdict.FAIL : finished.verdict());
        return true;
    }

    /** Returns whether the JVM could not run for lack of memory. */
    static boolean isShort(FinishedTrial end) {
        return end.result() == null
                ? end.failure() != null && OutOfMemory.isIn(end.failure().getMessage())
                : end.verdict() != Verdict.PASS
                        && end.result().outcome().reasons().stream().anyMatch(OutOfMemory::isIn);
    }

    /** {@return the end of the last trial} */
    FinishedTrial last() {
        return last;
    }

    /** {@return the memory of the last trial} */
    long lastBytes() {
        return lastBytes;
    }

    /** {@return whether the smallest size is known, or that none is enough} */
    boolean isConclusive() {
        return stop() == null && finding().end() != CapacitySearch.Finding.End.INCONCLUSIVE;
    }

    /** {@return the smallest size that is enough; 0 when none is} */
    long smallestBytes() {
        int place = finding().holds();
        return place == 0 ? 0 : bytes(place);
    }

    /** {@return the result with the smallest size} */
    TrialResult smallest() {
        return enough.get(smallestBytes());
    }
}
