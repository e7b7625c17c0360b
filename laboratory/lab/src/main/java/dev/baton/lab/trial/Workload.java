package dev.baton.lab.trial;

import dev.baton.lab.results.Findings;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.Second;
import dev.baton.lab.results.StudyKind;
import dev.baton.lab.trial.ends.Instruments;
import dev.baton.measuring.LatencyHistograms;
import dev.baton.measuring.data.HostActivity;
import dev.baton.measuring.data.Stage;
import dev.baton.measuring.data.TransportProperties;
import dev.baton.operations.line.CommandException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * A workload of a trial, which drives and measures it: its senders, chains and receivers. The trial itself manages phases, instruments,
 * progress, the time line and the files, whatever it measures.
 *
 * <p>Called in this order: {@link #prepare}, {@link #start} for each part; then the window starts, which the senders poll themselves;
 * {@link #stop}; {@link #settle}; {@link #close}; {@link #measureBeside}; {@link #judge}, {@link #findings}; {@link #close} again. All are
 * called by the trial's thread, except {@link #sentCount} and {@link #receivedCount}, which any thread may call.
 */
public interface Workload extends AutoCloseable {
    @FunctionalInterface
    interface Source {
        /**
         * Opens transport and engine; nothing is sent yet. May block.
         *
         * @throws CommandException when it cannot be opened; nothing is left open then
         */
        Workload open(Instruments instruments);
    }

    /** A study that runs trials: a role of its kind. */
    interface OfStudy extends StudyKind, Source {}

    /** {@return the guarantees and the settings of the transport} */
    TransportProperties properties();

    /** Parts that are started one after the other, 1 or more. */
    int size();

    /** Makes what all parts need, such as topics. May block. */
    void prepare();

    /** Starts a part, counted from 0: it is ready to carry messages when this returns. May block. */
    void start(int part);

    /** Processes that serve it outside of the measurement; they do not count as other processes. After {@link #prepare}. */
    default List<Long> companions() {
        return List.of();
    }

    /**
     * The kernel's numbers of threads of this process that only generate load; empty where generators share the threads of
     * what is measured. After all parts were started.
     */
    default List<Long> generatorTasks() {
        return List.of();
    }

    /** {@return the messages sent so far, warm-up included} May be called at any time. */
    long sentCount();

    /** {@return the messages that came out: each once, with or without copies; one without an output once a later one has come} */
    long receivedCount();

    /** {@return whether everything due in the window was sent, and everything sent has arrived} */
    boolean isDone();

    /** {@return the failure, in words for a person, if any} */
    Optional<String> failure();

    /**
     * Ends all threads: when this returns, nothing is sent or recorded any more. In-flight messages may be drained within the limit.
     * Idempotent.
     */
    void stop(Duration limit);

    /**
     * Accounts for everything. Once.
     *
     * @param charged takes the latencies of what never arrived or was never sent, as if it had come at the deadline
     */
    FinalCounts settle(LatencyHistograms charged);

    /**
     * Makes additional measurements for comparison when nothing of the trial runs any more, with separate recorders. Blocks; may have been
     * closed before. Called also for a trial that ended early.
     *
     * @param isOver polled; true ends it
     */
    default void measureBeside(BooleanSupplier isOver) {}

    /**
     * Decides what the trial is worth, by the rules of {@link Judge} as far as they apply.
     *
     * @param stopped why it could not go on; null when it could
     * @param interruption why the trial was cut short; null when it was not
     * @param host null when the measurement did not begin
     */
    Outcome judge(
            String stopped, String interruption, FinalCounts finalCounts, LatencyHistograms total, HostActivity host);

    /** The seconds of the measurement with additional observations. After {@link #settle}, before {@link #judge}. */
    default List<Second> timeline(List<Second> seconds) {
        return seconds;
    }

    /** {@return the findings in addition to the common results; null for none} */
    default Findings findings() {
        return null;
    }

    /** {@return the times of the stages of a chain; empty if they were not measured} After {@link #stop}. */
    default List<Stage> stages() {
        return List.of();
    }

    /** Removes topics and closes everything; stops chains that still run first. Idempotent. */
    @Override
    void close();
}
