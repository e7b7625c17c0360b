package dev.baton.engine;

import dev.baton.engine.chain.ChainState;
import dev.baton.run.Environment;
import dev.baton.run.Loop;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * The opening of a section on its loop: begun there, prepared by the calling thread, which may block, and ended there. So
 * other chains of the loop go on while a transport answers. When it fails nothing of the section is left on the loop, or
 * will be as soon as a loop that is held up goes on. Used once, by the thread that opens.
 */
public final class SectionOpening {
    private final Section section;
    private final Loop loop;
    private final Environment environment;
    private final long limitNanos;
    private final long endNanos;

    SectionOpening(Section section, Environment environment, long limitNanos) {
        this.section = section;
        this.loop = section.loop();
        this.environment = environment;
        this.limitNanos = limitNanos;
        this.endNanos = environment.nanoTime() + limitNanos;
    }

    /** Opens or throws. A caller whose thread is the loop's opens in one step: the connection has no other turns meanwhile. */
    void run() {
        if (loop.isManual() || loop.isCurrent()) {
            section.openAtOnce();
        }
        awaitOpen(loop.begin(section));
        try {
            section.prepare(this::checkTime);
        } catch (RuntimeException | Error failure) {
            remove(true, failure);
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("interrupted", failure);
            }
            throw failure;
        }
        awaitOpen(loop.add(section));
    }

    /** Removes from its loop what was opened and is not wanted any more. Returns the reason, for the caller to throw. */
    IllegalStateException undo(IllegalStateException because) {
        remove(true, because);
        return because;
    }

    private void awaitOpen(CompletableFuture<Void> step) {
        try {
            await(environment, step, leftNanos(), limitNanos, "open");
        } catch (RuntimeException | Error failure) {
            boolean isWithdrawn = step.cancel(false);
            if (!step.isCompletedExceptionally() || isWithdrawn) { // else its loop has closed it
                remove(!isWithdrawn, failure); // a loop that has answered is waited for
            }
            throw failure;
        }
    }

    private long leftNanos() {
        return endNanos - environment.nanoTime();
    }

    private void checkTime() {
        if (leftNanos() <= 0) {
            throw new IllegalStateException("the topics of a part of the chain were not open within "
                    + limitNanos / 1_000_000 + " ms: the transport takes long to answer");
        }
    }

    private void remove(boolean isAwaited, Throwable because) {
        boolean wasInterrupted = Thread.interrupted(); // a transport would not release
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
     * Waits for what a loop does.
     *
     * @param leftNanos to wait for
     * @param limitNanos for the text of the failure
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
                            + " ms: it is blocked, by another chain's service, say",
                    late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }
}
