package dev.baton;

import dev.baton.run.Limits;
import java.time.Duration;

/**
 * The number of calls of a service that may be at work at once, for services that take time, such as those that wait for a
 * database.
 *
 * <pre>{@code
 * Chain.named("payments").then("enrich", Enrich::new, Concurrency.perKey(64))
 * }</pre>
 *
 * <p>Calls are made on virtual threads from JDK 21 on, and otherwise on threads of a pool, so they may block. An {@link
 * dev.baton.async.AsyncService} returns a stage instead. The order of
 * outputs, effectively-once delivery and recovery are those of a service that is called on its loop: outputs are written in
 * the order of the inputs, and an input is acknowledged when its outputs and those of all earlier inputs are stored.
 *
 * <ul>
 *   <li>A service object is called by one thread at a time. The factory creates one object for each call that may be at
 *       work, all of them at the start, so the objects of one service share nothing but what the factory gives them.
 *       {@link Service#onStart}, {@link Service#onClosing} and {@link Service#onClosed} of each of them are called on the
 *       loop; after a call that outlives its chain, its thread calls {@code onClosed}.
 *   <li>A message that is taken occupies one call until its outputs are written, also while it waits for an earlier message of
 *       its key or for its retry. So many messages are in memory at most, each a copy with its outputs.
 *   <li>A retry or a dead letter delays later messages of the same key only, as long as there are calls left. A failure that
 *       stops the chain does so after the outputs of earlier messages.
 *   <li>An orderly close waits for the calls that are at work. A close after a failure, or one whose time is over, interrupts
 *       them, and their messages are delivered again at the next start.
 *   <li>Interceptors run with the call, on its thread. Listeners and handlers of dead letters run on the loop. {@link
 *       ServiceContext} is that of the call: its time is that of the message. {@link Outlet#sequence} and {@link
 *       Claim#commit} count the outputs of the call only, as the topic assigns sequences later, and {@link
 *       ServiceContext#storedSequence} is 0.
 * </ul>
 *
 * <p>Not for services that tick, have a state or hold inputs, and not with {@link ErrorPolicy#perKey}: the
 * start of the chain fails. Immutable, thread-safe.
 */
public final class Concurrency {
    private static final int MOST = 4096;

    /** The {@link #timeout} unless another one is given: 30 s. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

    private final int calls;
    private final Duration timeout;

    private Concurrency(int calls, Duration timeout) {
        this.calls = calls;
        this.timeout = timeout;
    }

    /**
     * {@return concurrent calls for messages of different keys ({@link Message#key}); messages of one key are handled one
     * after the other, in their order} Messages without a key count as messages of one key.
     *
     * @param calls maximum number of calls at work at once for each topic or partition, 1 to 4,096
     */
    public static Concurrency perKey(int calls) {
        if (calls < 1 || calls > MOST) {
            throw new IllegalArgumentException(calls + " calls at once; 1 to " + MOST + " are allowed");
        }
        return new Concurrency(calls, DEFAULT_TIMEOUT);
    }

    /**
     * {@return the same number of calls, with another time limit for the stages of an {@link dev.baton.async.AsyncService}} A
     * stage that is not complete in time is a failure of its message. A service that blocks has no limit but its own.
     *
     * @param limit time from the return of {@link dev.baton.async.AsyncService#process} on, more than zero
     */
    public Concurrency timeout(Duration limit) {
        if (limit.isZero() || limit.isNegative()) {
            throw new IllegalArgumentException("timeout " + limit + "; more than zero is allowed");
        }
        return new Concurrency(calls, Limits.capped("timeout", limit));
    }

    /** {@return the time limit for a stage} */
    public Duration timeout() {
        return timeout;
    }

    /** {@return the maximum number of calls at work at once} */
    public int calls() {
        return calls;
    }
}
