package dev.baton.engine;

import dev.baton.engine.chain.ChainState;
import dev.baton.engine.loop.Loop;
import dev.baton.run.Environment;
import dev.baton.spi.errors.TransportException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * The opening of a section on its loop. It begins on the loop, is prepared on a thread that may block, and is completed on the
 * loop, so that other chains of the loop run while a transport responds. If it fails, the section is removed from the loop, by a
 * loop that is blocked as soon as it continues. Confined to the thread that opens.
 */
final class SectionOpening {
    private enum Step {
        BEGIN,
        PREPARE,
        ADD
    }

    private final Section section;
    private final Loop loop;
    private final Environment environment;
    private final long limitNanos;
    private final long endNanos;
    private Step newest; // null before the first one
    private CompletableFuture<Void> step; // end of the newest step

    SectionOpening(Section section, Environment environment, long limitNanos) {
        this.section = section;
        this.loop = section.loop();
        this.environment = environment;
        this.limitNanos = limitNanos;
        this.endNanos = environment.nanoTime() + limitNanos;
    }

    /**
     * Opens the section, or throws. A caller that may not wait, because it is in a turn of a loop, takes the steps that are due:
     * a thread of its own prepares the section, and false is returned while a step has not ended. On the loop's own thread
     * a caller that waits opens in one step, as a manual loop always does, because the connection has no other turns meanwhile.
     */
    boolean tryOpen(boolean mayWait) {
        if (newest == null) {
            if (loop.isManual() || mayWait && loop.isCurrent()) {
                section.openAtOnce();
            }
            newest = Step.BEGIN;
            step = loop.begin(section);
        }
        while (hasEnded(mayWait)) {
            if (newest == Step.ADD) {
                return true;
            }
            boolean isBegun = newest == Step.BEGIN;
            newest = isBegun ? Step.PREPARE : Step.ADD;
            step = isBegun ? section.prepare(this::checkTime, mayWait || loop.isManual()) : loop.add(section);
        }
        return false;
    }

    /** Returns whether the newest step has ended; throws if it has failed or is late. */
    private boolean hasEnded(boolean mayWait) {
        if (!mayWait && !step.isDone() && leftNanos() > 0) {
            return false;
        }
        try {
            if (newest == Step.PREPARE && !step.isDone()) {
                checkTime();
            }
            await(environment, step, leftNanos(), limitNanos, "open");
            return true;
        } catch (Throwable failure) {
            boolean isWithdrawn = step.cancel(false);
            boolean hasClosed = newest != Step.PREPARE && step.isCompletedExceptionally() && !isWithdrawn; // its loop
            if (!hasClosed) {
                remove(mayWait && !isWithdrawn, failure); // wait for a loop that has responded
            }
            if (newest == Step.PREPARE && Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("interrupted", failure);
            }
            if (newest == Step.PREPARE && failure.getCause() instanceof Error error) {
                throw error;
            }
            throw failure;
        }
    }

    /**
     * Removes the section from its loop, because the chain is closed. Returns the reason, for the caller to throw.
     *
     * @param isAwaited whether to wait until the loop has closed the section
     */
    IllegalStateException undo(IllegalStateException because, boolean isAwaited) {
        remove(isAwaited, because);
        return because;
    }

    private long leftNanos() {
        return endNanos - environment.nanoTime();
    }

    private void checkTime() {
        if (leftNanos() <= 0) {
            throw new TransportException("the topics of a part of the chain were not open within "
                    + limitNanos / 1_000_000 + " ms: the transport takes long to answer");
        }
    }

    private void remove(boolean isAwaited, Throwable because) {
        boolean wasInterrupted = Thread.interrupted(); // transports do not release in an interrupted thread
        try {
            section.withdraw();
        } catch (RuntimeException atClose) {
            because.addSuppressed(atClose);
        }
        CompletableFuture<Void> removed = loop.remove(section);
        if (isAwaited) {
            try {
                await(environment, removed, ChainState.RELEASE_NANOS, ChainState.RELEASE_NANOS, "close");
            } catch (RuntimeException atClose) {
                because.addSuppressed(atClose);
            }
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits for a step on a loop.
     *
     * @param leftNanos remaining time to wait
     * @param limitNanos whole limit, for the exception message
     */
    static void await(
            Environment environment, CompletableFuture<Void> done, long leftNanos, long limitNanos, String what) {
        try {
            environment.await(done, leftNanos);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new CompletionException(failed.getCause());
        } catch (TimeoutException late) {
            throw new IllegalStateException(
                    "a loop did not " + what + " its part of the chain within " + Math.max(0, limitNanos) / 1_000_000
                            + " ms: it is blocked, for example by onStart of a service, or by a service of another chain",
                    late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }
}
