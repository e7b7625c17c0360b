package dev.baton;

import dev.baton.run.Connections;
import dev.baton.run.Task;
import dev.baton.spi.Connection;
import dev.baton.spi.Transport;
import java.util.List;
import java.util.stream.Stream;

/**
 * The parts of one instance that share a loop, swept in chain order, so that one sweep carries a message through all
 * their hops. Confined to its loop, but for {@link #isDrained}.
 */
final class Section implements Task {
    private final Transport transport;
    private final ChainState state;
    private final Part[] parts;
    private final int sweepsPerMessage;

    /**
     * Joins parts.
     *
     * @param sweepsPerMessage sweeps until a message is through: 1 where a flushed frame can be polled at once
     */
    Section(Transport transport, ChainState state, List<? extends Part> parts, int sweepsPerMessage) {
        this.transport = transport;
        this.state = state;
        this.parts = parts.toArray(new Part[0]);
        this.sweepsPerMessage = sweepsPerMessage;
    }

    @Override
    public void open(Connections connections) {
        Connection connection = connections.to(transport);
        Part previous = null;
        for (Part part : parts) {
            part.open(connection);
            if (previous != null && part instanceof Stage stage) {
                stage.fedBy(previous.writer());
            }
            previous = part;
        }
    }

    @Override
    public int doWork() {
        int work = 0;
        RuntimeException failure = null;
        for (Part part : parts) {
            try {
                work += part.doWork();
            } catch (RuntimeException thrown) {
                failure = and(failure, thrown); // the parts behind it still pass on what it has sent
            }
        }
        if (failure != null) {
            throw failure;
        }
        if (state.isClosing()) {
            for (Part part : parts) {
                part.checkDrained();
            }
        }
        return work;
    }

    /** Whether everything in hand has been passed on; true only while the chain is closing. Thread-safe. */
    boolean isDrained() {
        for (Part part : parts) {
            if (part.drainedAt() == Upstream.NOT_YET) {
                return false;
            }
        }
        return true;
    }

    /** Where its parts stand, in chain order. On its loop, between two turns. */
    List<PartStatus> status() {
        return Stream.of(parts).map(Part::status).toList();
    }

    @Override
    public long deadlineNanos() {
        long earliest = Long.MAX_VALUE;
        for (Part part : parts) {
            long deadline = part.deadlineNanos();
            if (deadline != Long.MAX_VALUE && (earliest == Long.MAX_VALUE || deadline - earliest < 0)) {
                earliest = deadline;
            }
        }
        return earliest;
    }

    @Override
    public int sweepsPerMessage() {
        return sweepsPerMessage;
    }

    @Override
    public void failed(Throwable cause) {
        state.fail(cause);
    }

    @Override
    public void close() {
        RuntimeException failure = null;
        for (Part part : parts) {
            try {
                part.close();
            } catch (RuntimeException atClose) {
                failure = and(failure, atClose);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static RuntimeException and(RuntimeException first, RuntimeException next) {
        if (first == null) {
            return next;
        }
        first.addSuppressed(next);
        return first;
    }
}
