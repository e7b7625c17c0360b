package dev.baton;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A consumer that {@link Tap} attached. Closing it handles what the topic held when the close began, as far as the transport
 * can tell, remembers the position and releases everything. Thread-safe, as {@link RunningChain}.
 */
public final class RunningTap implements AutoCloseable {
    private final RunningChain running;

    RunningTap(RunningChain running) {
        this.running = running;
    }

    /**
     * {@return the sequence of the first message that it receives: the one behind the last that was acknowledged, or the
     * oldest that the topic held at the start, which over the Disruptor is the oldest still in the ring} Empty where the
     * transport cannot tell before the message arrives.
     */
    public OptionalLong firstSequence() {
        long begunAt = running.begunAt();
        return begunAt < 0 ? OptionalLong.empty() : OptionalLong.of(begunAt + 1);
    }

    /** {@return how it is, and where it stands: {@link RunningChain#status()}} */
    public ChainStatus status() {
        return running.status();
    }

    /** {@return what stopped it, if anything did} */
    public Optional<Throwable> failure() {
        return running.failure();
    }

    /** {@return the same as a chain, for {@link dev.baton.manage.ManagedChain}; it has no inlet} */
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
