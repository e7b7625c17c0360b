package dev.baton.engine.chain;

import dev.baton.ChainFailedException;
import dev.baton.ServiceFailure;
import dev.baton.run.Environment;
import dev.baton.spi.PartitionTopic;
import dev.baton.status.ChainStatus;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** The state of a running chain that its parts on all loops share: running, closing, or failed. Thread-safe. */
public final class ChainState {
    /** The time limit for loops to release the sections that a close or a failed start removes. */
    public static final long RELEASE_NANOS = 10_000_000_000L;

    private final String chain;
    private final int instance;
    private final int partition; // PartitionTopic.NONE for a chain without partitions
    private final Consumer<? super Throwable> onFailure;
    private final GuardedListener listener; // null for no listener
    private final Environment environment;
    private volatile boolean isClosing;
    private volatile boolean isClosed;
    private volatile boolean isAbandoned;
    private final List<Runnable> stopping = new CopyOnWriteArrayList<>();
    private volatile Throwable failure;

    public ChainState(
            String chain, Consumer<? super Throwable> onFailure, GuardedListener listener, Environment environment) {
        this(chain, 0, PartitionTopic.NONE, onFailure, listener, environment);
    }

    public ChainState(
            String chain,
            int instance,
            int partition,
            Consumer<? super Throwable> onFailure,
            GuardedListener listener,
            Environment environment) {
        this.chain = chain;
        this.instance = instance;
        this.partition = partition;
        this.listener = listener;
        this.environment = environment;
        this.onFailure = onFailure == null ? cause -> log(chain, cause) : onFailure;
    }

    /** Returns the failure that stopped the chain; null if there is none. */
    public Throwable failure() {
        return failure;
    }

    /** Returns the environment of its parts: clocks and threads. */
    public Environment environment() {
        return environment;
    }

    public String chain() {
        return chain;
    }

    public int instance() {
        return instance;
    }

    /** Returns the partition; {@link PartitionTopic#NONE} for a chain without partitions. */
    public int partition() {
        return partition;
    }

    /** Returns the listener; null if there is none. */
    public GuardedListener listener() {
        return listener;
    }

    public ChainStatus.Phase phase() {
        if (isClosed) {
            return ChainStatus.Phase.CLOSED;
        }
        if (failure != null) {
            return ChainStatus.Phase.FAILED;
        }
        return isClosing ? ChainStatus.Phase.CLOSING : ChainStatus.Phase.RUNNING;
    }

    public boolean isClosing() {
        return isClosing;
    }

    /** Returns whether the chain takes no more messages, because it is closing or has failed. */
    public boolean isEnding() {
        return isClosing || failure != null;
    }

    public void beginClosing() {
        isClosing = true;
    }

    /** Returns whether another process may be using these topics, so that no position may be stored at the close. */
    public boolean isAbandoned() {
        return isAbandoned;
    }

    public void abandon() {
        isAbandoned = true;
        isClosing = true;
    }

    /** Records that everything is released. */
    public void endClosing() {
        isClosed = true;
    }

    /** Adds an action that wakes a loop with parts of this chain when the chain fails, so that they stop soon. */
    public void whenFailed(Runnable wake) {
        stopping.add(wake);
    }

    /** Stops the chain on all loops. Only the first failure has an effect and is reported. */
    public void fail(Throwable cause) {
        if (!refuse(cause)) {
            return;
        }
        report(chain, onFailure, cause);
    }

    /** Reports a failure to a listener, and logs it if the listener throws. */
    public static void report(String chain, Consumer<? super Throwable> onFailure, Throwable cause) {
        try {
            onFailure.accept(cause);
        } catch (Throwable thrown) { // the loop that reports this also runs other chains
            System.getLogger("dev.baton")
                    .log(Level.WARNING, "chain " + chain + ": its failure listener threw " + thrown);
            log(chain, cause);
        }
    }

    /** Stops the chain on all loops without a report, as its start throws the cause. Returns false if it had failed before. */
    public boolean refuse(Throwable cause) {
        synchronized (this) {
            if (failure != null) {
                return false;
            }
            failure = cause;
        }
        stopping.forEach(Runnable::run);
        return true;
    }

    /** Fails the chain as {@link #fail} does, and returns the exception for its senders. */
    public ChainFailedException failedBy(Throwable cause) {
        fail(cause);
        return new ChainFailedException(chain, failure);
    }

    /** Throws the failure that stopped the chain, if there is one. */
    public void checkNotFailed() {
        Throwable cause = failure;
        if (cause != null) {
            throw new ChainFailedException(chain, cause);
        }
    }

    public void warn(String text) {
        warn(text, null);
    }

    /** Logs a warning with its cause, null for none. */
    public void warn(String text, Throwable cause) {
        System.getLogger("dev.baton").log(Level.WARNING, "chain " + chain + ": " + text, cause);
    }

    /** Logs the failure that stopped a chain. */
    public static void log(String chain, Throwable cause) {
        boolean isOfMessage = cause instanceof ServiceFailure failed && failed.sequence() != ServiceFailure.NO_MESSAGE;
        String next = isOfMessage
                ? "; the message is not acknowledged, so over a durable transport the next start delivers it again, unless"
                        + " the service has an ErrorPolicy that skips it or stores a dead letter"
                : "";
        System.getLogger("dev.baton")
                .log(Level.ERROR, "chain " + chain + " stopped: " + cause.getMessage() + next, cause);
    }

    /** Returns the deadline for loops to release sections that are removed now. */
    public static long releaseDeadline(Environment environment) {
        return environment.nanoTime() + RELEASE_NANOS;
    }
}
