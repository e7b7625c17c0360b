package dev.baton.engine.loop;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The tasks that a loop is closing, one step of each per sweep. Confined to its loop. */
final class ClosingTasks {
    private record Closing(Task task, CompletableFuture<Void> closed) {}

    private final LoopConnections connections;
    private final List<Closing> underWay = new ArrayList<>();
    private volatile boolean isReleasing; // a task is being closed and is not in a callback

    ClosingTasks(LoopConnections connections) {
        this.connections = connections;
    }

    /**
     * Begins to close a task; one that has a turn in progress ends it first. Completes {@code closed} when the task is closed,
     * or with the exception of the close.
     */
    void begin(Task task, CompletableFuture<Void> closed) {
        Closing closing = new Closing(task, closed);
        if (!goOn(closing)) {
            underWay.add(closing);
        }
    }

    /** Closes a task before it returns, and otherwise acts like {@link #begin}. May block. */
    void closeNow(Task task, CompletableFuture<Void> closed) {
        end(new Closing(task, closed), null);
    }

    /** Takes one step of each task; returns the number of tasks that this has closed. */
    int doWork() {
        int before = underWay.size();
        underWay.removeIf(this::goOn);
        return before - underWay.size();
    }

    /** Returns whether a task is being closed and is not in a callback. Any thread. */
    boolean isReleasing() {
        return isReleasing;
    }

    /** Runs a callback of a task that is being closed. */
    void call(Runnable callback) {
        boolean wasReleasing = isReleasing;
        isReleasing = false;
        try {
            callback.run();
        } finally {
            isReleasing = wasReleasing;
        }
    }

    boolean isEmpty() {
        return underWay.isEmpty();
    }

    /** Closes the remaining tasks. May block. */
    void finish() {
        underWay.forEach(closing -> end(closing, null));
        underWay.clear();
    }

    private boolean goOn(Closing closing) {
        if (closing.task().isInTurn()) {
            return false;
        }
        Throwable failure = null;
        isReleasing = true;
        try {
            if (!closing.task().tryClose()) {
                return false;
            }
        } catch (Throwable thrown) {
            failure = thrown;
        } finally {
            isReleasing = false;
        }
        end(closing, failure);
        return true;
    }

    private void end(Closing closing, Throwable before) {
        isReleasing = true;
        Throwable failure = attempt(closing.task()::close, before);
        failure = attempt(() -> connections.release(closing.task()), failure);
        isReleasing = false;
        if (failure == null) {
            closing.closed().complete(null);
        } else {
            closing.closed().completeExceptionally(failure);
        }
    }

    private static Throwable attempt(Runnable step, Throwable before) {
        try {
            step.run();
            return before;
        } catch (Throwable thrown) {
            if (before == null) {
                return thrown;
            }
            if (before != thrown) {
                before.addSuppressed(thrown);
            }
            return before;
        }
    }
}
