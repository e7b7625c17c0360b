package dev.baton.operations.line;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Ctrl-C and SIGTERM, turned from a sudden end into an orderly one.
 *
 * <p>The JVM runs this object's shutdown hook when a signal arrives. The hook requests the stop of the current action and then waits until
 * the main thread has closed everything and called {@link #exit}: for {@link #SHORT} if nothing would be left over, otherwise for as long
 * as {@linkplain #hasToClose(Supplier) closing may take}. Then the process ends with status {@value #EXIT_STATUS}, unless a signal
 * {@linkplain #isOrdinaryEnd is its ordinary end}. Thread-safe.
 */
public final class Interruption {
    /** The shell's convention for a program ended by SIGINT. */
    public static final int EXIT_STATUS = 130;

    /** Longer than the time limits of all things that are stopped one after the other: a child, then a broker. */
    public static final Duration LONGEST = Duration.ofSeconds(70);

    /** Time to end for a command that only reads: long enough to print its findings, short enough for a person who waits. */
    static final Duration SHORT = Duration.ofSeconds(3);

    /** Interval at which the patience of a signal is read again, as what has to be closed changes meanwhile. */
    private static final Duration STEP = Duration.ofMillis(100);

    private static final String CUT_OFF = "baton: interrupted, and ended before it was finished";

    private final CountDownLatch putAway = new CountDownLatch(1);
    private Runnable stop = () -> {};
    private boolean isRequested;
    private boolean isOrdinary;
    private Supplier<Duration> patience = () -> SHORT;
    private volatile int endStatus = EXIT_STATUS;

    /** An interruption that no signal reaches; its owner requests it. */
    public Interruption() {}

    /** Listens to the signals of this process from now on. */
    public static Interruption ofThisProcess() {
        Interruption interruption = new Interruption();
        Runtime.getRuntime().addShutdownHook(new Thread(interruption::onShutdown, "baton-interruption"));
        return interruption;
    }

    /** Declares a signal the ordinary end of this process: the process then exits with its own status. */
    public synchronized void isOrdinaryEnd() {
        isOrdinary = true;
    }

    /**
     * Declares that an abrupt end would leave something over from now on, such as processes or temporary files: a signal then waits for up
     * to {@link #LONGEST}.
     */
    public void hasToClose() {
        hasToClose(() -> LONGEST);
    }

    /**
     * Declares that an abrupt end would leave something over from now on.
     *
     * @param longest time that closing may take, from the signal on; read by the hook again and again while it waits. One below {@link
     *     #SHORT} is as good as {@link #SHORT}
     */
    public synchronized void hasToClose(Supplier<Duration> longest) {
        patience = longest;
    }

    /** {@return how long a signal waits for the main thread} */
    Duration patience() {
        Supplier<Duration> longest;
        synchronized (this) {
            longest = patience;
        }
        return longest.get();
    }

    /**
     * {@return whether the JVM is ending, by a signal or otherwise} Libraries that register a shutdown hook then throw, and
     * their classes cannot be loaded.
     */
    public static boolean isEnding() {
        try {
            Runtime.getRuntime().removeShutdownHook(new Thread());
            return false;
        } catch (IllegalStateException shutdownInProgress) {
            return true;
        }
    }

    public synchronized boolean isRequested() {
        return isRequested;
    }

    /** Requests the stop of the current action, once. */
    public synchronized void request() {
        if (!isRequested) {
            isRequested = true;
            stop.run();
        }
    }

    /**
     * Requests an interruption when this process's standard input ends, as it does with the parent process. The input is discarded.
     *
     * @param threadName of the thread that waits for the end
     */
    public void requestAtEndOfInput(String threadName) {
        Thread watcher = new Thread(
                () -> {
                    try {
                        while (System.in.read() >= 0) {
                            // only the end of input matters
                        }
                    } catch (IOException gone) {
                        // as good as the end
                    }
                    request();
                },
                threadName);
        watcher.setDaemon(true);
        watcher.start();
    }

    /**
     * Sets the action that an interruption runs from now on; it runs at once when the interruption has already been requested. The former
     * action is not running any more when this returns.
     *
     * @param action returns at once, from any thread
     */
    public synchronized void stopping(Runnable action) {
        stop = action;
        if (isRequested) {
            action.run();
        }
    }

    /**
     * Runs a read with nothing to clean up, during which an interruption interrupts the calling thread: blocked files and clients fail
     * then.
     *
     * @return its result; empty if it was interrupted and failed
     */
    public <T> Optional<T> reading(Supplier<T> read) {
        stopping(Thread.currentThread()::interrupt);
        try {
            return Optional.of(read.get());
        } catch (RuntimeException failed) {
            if (isRequested()) {
                return Optional.empty();
            }
            throw failed;
        } finally {
            stopping(() -> {});
            if (isRequested()) {
                Thread.interrupted(); // cleared, so that closing and printing are not interrupted
            }
        }
    }

    /** Ends the process after everything is closed: with this status, or that of an interruption. */
    public void exit(int status) {
        boolean isLate;
        synchronized (this) {
            isLate = isRequested && !isOrdinary;
            if (isOrdinary) {
                endStatus = status;
            }
            putAway.countDown();
        }
        System.exit(isLate ? EXIT_STATUS : status); // when interrupted, it waits here until the hook ends the process
    }

    /** Waits for the main thread; for longer where it has opened something after the signal, which may come before it has begun. */
    private boolean awaitClose() throws InterruptedException {
        long begun = System.nanoTime();
        boolean isClosed = putAway.await(SHORT.toNanos(), TimeUnit.NANOSECONDS);
        while (!isClosed && System.nanoTime() - begun < patience().toNanos()) {
            isClosed = putAway.await(STEP.toNanos(), TimeUnit.NANOSECONDS);
        }
        return isClosed;
    }

    private void onShutdown() {
        if (putAway.getCount() == 0) {
            return; // the ordinary end
        }
        request();
        try {
            if (!awaitClose()) {
                System.err.println(CUT_OFF);
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(endStatus);
    }
}
