package dev.baton.lab.trial;

import dev.baton.lab.results.Findings;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.Second;
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
 * What a trial drives and measures: who sends, what carries, who receives. The trial itself sees to phases, instruments,
 * progress, the time line and the files, whatever it measures.
 *
 * <p>Called in this order: {@link #prepare}, {@link #start} for each part; then the window starts, which the senders look
 * out for by themselves; {@link #stop}; {@link #settle}; {@link #close}; {@link #measureBeside}; {@link #judge}, {@link
 * #findings}; {@link #close} again. All by the trial's thread, but for {@link #sentCount} and {@link
 * #receivedCount}, which are for any.
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

    /** What the transport promises, and how it is used. */
    TransportProperties properties();

    /** Parts that are started one after the other, 1 or more. */
    int size();

    /** Makes what all parts need, such as topics. May block. */
    void prepare();

    /** Starts a part, counted from 0: it is ready to carry messages when this returns. May block. */
    void start(int part);

    /** Processes that serve it and are no part of what is measured; they do not count as other processes. After {@link #prepare}. */
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

    /** What went in so far, warm-up included. At any time. */
    long sentCount();

    /** What came out: each message once, however often it came; one that leads to no output once a later one has come. */
    long receivedCount();

    /** Whether everything due in the window was sent, and everything sent has arrived. */
    boolean isDone();

    /** Why it cannot go on, in words for a person, if it cannot. */
    Optional<String> failure();

    /**
     * Ends all threads: when this returns, nothing is sent or recorded any more. What is in hand may be passed on for as
     * long as the limit allows. Idempotent.
     */
    void stop(Duration limit);

    /**
     * Accounts for everything. Once.
     *
     * @param charged takes the latencies of what never arrived or was never sent, as if it had come at the deadline
     */
    FinalCounts settle(LatencyHistograms charged);

    /**
     * Measures what is to be known beside, when nothing of the trial runs any more, with recorders of its own. Blocks; may
     * have been closed before. Called also of a trial that was cut short.
     *
     * @param isOver whether to give up
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

    /** The seconds of the measurement with what was seen beside. After {@link #settle}, before {@link #judge}. */
    default List<Second> timeline(List<Second> seconds) {
        return seconds;
    }

    /** What it found beyond what every result tells; null for nothing. */
    default Findings findings() {
        return null;
    }

    /** Where in a chain the time went; empty when nobody looked. After {@link #stop}. */
    default List<Stage> stages() {
        return List.of();
    }

    /** Removes topics and closes everything; stops chains that still run first. Idempotent. */
    @Override
    void close();
}
