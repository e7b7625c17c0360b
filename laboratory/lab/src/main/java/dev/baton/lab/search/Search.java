package dev.baton.lab.search;

import dev.baton.lab.launch.FinishedTrial;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.matrix.RoundOrder;
import dev.baton.operations.line.CommandException;

/** One of the searches that a {@link SearchScheduler} runs in turn. Confined to the scheduler's thread. */
public abstract class Search {
    /** The reasons for which a search ended early. */
    public enum Stop {
        BUDGET("the budget ran out"),
        INTERRUPTED("the command was interrupted"),
        REFUSED("a trial was refused");

        private final String text;

        Stop(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    protected final CapacitySearch search;
    private Stop stop; // null: it was not stopped
    private CommandException refusal;

    protected Search(CapacitySearch search) {
        this.search = search;
    }

    /** {@return whether the search has ended, or was stopped} */
    public boolean isOver() {
        return stop != null || search.next() == null;
    }

    public final CapacitySearch.Finding finding() {
        return search.finding();
    }

    /**
     * {@return the next trial of a search that is not over}
     *
     * @param number of the trial among those of all searches, from 1
     */
    public abstract PlannedTrial next(int number);

    /** {@return the estimated time of this trial, including its start and end} */
    public double estimatedNanos(PlannedTrial trial) {
        return RoundOrder.estimate(trial).toNanos();
    }

    /**
     * Enters the end of the trial of {@link #next}, which counts.
     *
     * @param tookNanos time of the trial, including its start and end
     * @return whether it decided something that is to be shown
     */
    public abstract boolean enter(PlannedTrial trial, FinishedTrial finished, long tookNanos);

    /**
     * Ends the search early.
     *
     * @param because null unless a trial was refused
     */
    public final void stop(Stop why, CommandException because) {
        stop = why;
        refusal = because;
    }

    /** {@return why it was stopped; null when it came to its end, or has not yet} */
    public final Stop stop() {
        return stop;
    }

    /** {@return the refusal of a trial; null when none was refused} */
    public final CommandException refusal() {
        return refusal;
    }
}
