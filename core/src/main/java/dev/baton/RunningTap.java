package dev.baton;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A running consumer that {@link Tap} has attached to a topic. Closing it handles the messages that the topic held when the
 * close began, as far as the transport knows, stores the position and releases everything. Thread-safe, as {@link
 * RunningChain}.
 */
public final class RunningTap implements AutoCloseable {
    private final RunningChain running;

    RunningTap(RunningChain running) {
        this.running = running;
    }

    /**
     * {@return the sequence of the first message that it receives: the one after the last acknowledged message, or the oldest
     * that the topic held at the start, which over the Disruptor is the oldest in the ring} Empty if the transport does not
     * know it before the message arrives.
     */
    public OptionalLong firstSequence() {
        long begunAt = running.begunAt();
        return begunAt < 0 ? OptionalLong.empty() : OptionalLong.of(begunAt + 1);
    }

    /** {@return its status: {@link RunningChain#status()}} */
    public ChainStatus status() {
        return running.status();
    }

    /** {@return the failure that stopped it; empty if there was none} */
    public Optional<Throwable> failure() {
        return running.failure();
    }

    /** {@return this tap as a chain without an inlet, for {@link dev.baton.manage.ManagedChain}} */
    public RunningChain running() {
        return running;
    }

    /** Closes within {@link RunningChain#CLOSE_LIMIT} and the time that the transport needs to close. */
    @Override
    public void close() {
        running.close();
    }

    /**
     * Closes as {@link RunningChain#close(Duration)} does.
     *
     * @param limit time to handle what the topic holds; a negative one counts as zero
     * @return whether everything that the topic held was handled and acknowledged
     */
    public boolean close(Duration limit) {
        return running.close(limit);
    }
}
