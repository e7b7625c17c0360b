package dev.baton.engine.inlet;

import dev.baton.BackPressureException;
import dev.baton.Batch;
import dev.baton.ChainFailedException;
import dev.baton.Claim;
import dev.baton.Inlet;
import dev.baton.Message;
import dev.baton.MessageFields;
import dev.baton.Serde;
import dev.baton.engine.chain.ChainState;
import dev.baton.engine.cycle.Upstream;
import dev.baton.engine.loop.Loop;
import dev.baton.engine.message.Encoding;
import dev.baton.engine.message.RefusedClaims;
import dev.baton.engine.writing.PendingOpens;
import dev.baton.engine.writing.WriterOutlet;
import dev.baton.engine.writing.Writers;
import dev.baton.run.Environment;
import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import dev.baton.status.HeldBack;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * The inlet for one thread of the application. The first use opens its connection.
 *
 * <p>A call sets {@link #state} to BUSY while it runs, so that another thread can close the chain: closing waits for the
 * current call, and after that the owner's calls fail in {@link #enter}. If the connection has to be driven, each call
 * takes its lock: {@link InletConnection}.
 */
public final class ThreadInlet implements Inlet, Upstream, InletConnection.User {
    /** The run of the chain that the inlet feeds. */
    public interface Run {
        /** Returns the loops of its parts. */
        Loop[] loops();

        /** Returns the consumer that a sender waits for, as the loops report it; null if none is known. */
        HeldBack holdingBack();
    }

    private static final int IDLE = 0;
    private static final int BUSY = 1;
    private static final int CLOSED = 2;
    private static final int OPENING = 3; // the first call is opening the inlet
    private static final long WAIT_NANOS = 50_000;
    private static final MessageFields NONE = new MessageFields(); // never changed

    private final String topic;
    private final InletConnection inletConnection;
    private final ChainState chain;
    private final Environment environment;
    private final Loop readerLoop; // null if the topic is read in another process
    private final long sendLimitNanos;
    private final Writers writers;
    private final Run run;
    private Loop[] ownLoops; // loops of the chain; when the owner is known, those that can be the owner's thread
    private final RefusedClaims refusals;
    private final ThreadBatch batch;
    private final AtomicInteger state = new AtomicInteger();
    private Thread owner;
    private Connection connection;
    WriterOutlet outlet; // replaced while a batch is open
    private boolean isDriven; // the lock of the connection has to be taken for each call
    private volatile boolean isLeftToOwner; // stopped while it was being opened
    private volatile long drainedAt = NOT_YET;
    long sent; // newest sequence, set in calls of the owner; others read it after stop()

    public ThreadInlet(
            String topic,
            InletConnection inletConnection,
            ChainState chain,
            Loop readerLoop,
            long sendLimitNanos,
            Writers writers,
            Run run) {
        this.topic = topic;
        this.inletConnection = inletConnection;
        this.chain = chain;
        this.environment = chain.environment();
        this.readerLoop = readerLoop;
        this.sendLimitNanos = sendLimitNanos;
        this.writers = writers;
        this.run = run;
        this.ownLoops = run.loops();
        this.refusals = new RefusedClaims(topic, environment);
        this.batch = new ThreadBatch(this, environment);
    }

    @Override
    public Claim tryClaim(int maxLength) {
        return tryClaim(maxLength, environment.nanoTime(), null, null);
    }

    private Claim tryClaim(int maxLength, long originNanos, ByteBuffer key, ByteBuffer trace) {
        RuntimeException lost;
        enter();
        try {
            opened();
            Claim claim = key == null && trace == null
                    ? outlet.claim(maxLength, originNanos)
                    : outlet.claim(maxLength, originNanos, key, trace);
            if (claim != null) {
                refusals.granted();
                return claim;
            }
            lost = turnConnection();
            if (lost == null) {
                refusals.refused(outlet.writer());
            }
        } catch (TransportException refused) {
            lost = endOfWriter(refused);
        } finally {
            leave();
        }
        if (lost != null) {
            throw chain.failedBy(lost); // after the call, because a listener may close the chain
        }
        return null;
    }

    /**
     * Returns the failure that ended the writer; rethrows the exception of the call if the writer still works. Within the
     * call.
     */
    TransportException endOfWriter(TransportException met) {
        TransportException ended = outlet == null ? null : outlet.writer().failure();
        if (ended == null) {
            throw met;
        }
        return ended;
    }

    /** Fails the chain because its writer has ended; returns the exception for the sender. Outside of the call. */
    ChainFailedException failedBy(TransportException ended) {
        return chain.failedBy(ended);
    }

    @Override
    public Claim tryClaim(int maxLength, MessageFields fields) {
        long given = fields.originNanos();
        return tryClaim(maxLength, fields, given == Message.UNKNOWN_TIME ? environment.nanoTime() : given);
    }

    private Claim tryClaim(int maxLength, MessageFields fields, long originNanos) {
        Claim claim = tryClaim(maxLength, originNanos, fields.key(), fields.trace());
        return claim == null ? null : claim.type(fields.type());
    }

    @Override
    public <T> void send(T value, Serde<T> codec) {
        send(value, codec, NONE);
    }

    @Override
    public <T> void send(T value, Serde<T> codec, MessageFields fields) {
        Encoding.send(awaitClaim(Encoding.maxLength(codec, value), fields), value, codec);
    }

    @Override
    public void send(byte[] payload) {
        Objects.requireNonNull(payload, "payload");
        awaitClaim(payload.length, NONE).putBytes(0, payload, 0, payload.length).commit(payload.length);
    }

    @Override
    public void send(ByteBuffer payload, MessageFields fields) {
        int length = payload.remaining();
        awaitClaim(length, fields)
                .putBytes(0, payload, payload.position(), length)
                .commit(length);
    }

    @Override
    public Batch batch() {
        return batch.begin();
    }

    @Override
    public long sequence() {
        enter();
        try {
            return opened().sequence();
        } finally {
            leave();
        }
    }

    @Override
    public long storedSequence() {
        TransportException ended;
        enter();
        try {
            TopicWriter writer = opened();
            ended = writer.failure();
            if (ended == null) {
                return writer.storedSequence();
            }
        } finally {
            leave();
        }
        throw failedBy(ended);
    }

    /** Returns the writer, which the first call opens. In a call of the owner, the only thread that may use it. */
    TopicWriter opened() {
        if (outlet == null) {
            open();
        }
        chain.checkNotFailed();
        return outlet.writer();
    }

    /**
     * Throws if the calling thread is in a turn of one of these loops of a chain: a send that waits for room would hold the loop
     * up, which has to free that room.
     */
    public static void checkMayWait(Loop[] loops, String chain) {
        for (Loop loop : loops) {
            if (loop.isInTurn()) {
                throw new IllegalStateException("send was called on a loop of chain " + chain
                        + ", where it could wait forever for room that this loop has to free; use offer or tryClaim there,"
                        + " or send from another thread");
            }
        }
    }

    private Claim awaitClaim(int maxLength, MessageFields fields) {
        checkMayWait(ownLoops, chain.chain());
        long begun = environment.nanoTime();
        long origin = fields.originNanos() == Message.UNKNOWN_TIME ? begun : fields.originNanos();
        Claim claim = tryClaim(maxLength, fields, origin);
        while (claim == null) {
            if (readerLoop != null && readerLoop.isManual()) {
                throw new BackPressureException("topic " + topic + " has no room; turn the loops, then send again");
            }
            if (environment.nanoTime() - begun > sendLimitNanos) {
                throw noRoom();
            }
            environment.park(WAIT_NANOS);
            claim = tryClaim(maxLength, fields, origin);
        }
        return claim;
    }

    /** Returns the consumer that holds the topic back, as last seen by the sender; null for none. Any thread. */
    public HeldBack heldBack() {
        return refusals.heldBack();
    }

    private BackPressureException noRoom() {
        HeldBack held = run.holdingBack();
        return new BackPressureException("topic " + topic + " had no room for " + sendLimitNanos / 1_000_000 + " ms: "
                + (held == null ? "the chain is slower than its senders, or stalled" : held));
    }

    /**
     * Runs a turn of the connection, which may free room. Returns the exception that ended the connection or the writer;
     * null for none.
     */
    private RuntimeException turnConnection() {
        try {
            batch.handOver();
            connection.doWork();
            return outlet.writer().failure();
        } catch (RuntimeException failure) {
            return failure;
        }
    }

    /**
     * Opens the writer. The lock of the connection is released during blocking steps. On failure everything is closed, and
     * the next call tries again.
     */
    private void open() {
        state.set(OPENING);
        PendingOpens openings = null;
        inletConnection.lock();
        try {
            openings = inletConnection.open(this, readerLoop);
            writers.begin(openings, topic);
            inletConnection.unlocked(openings::prepare);
            checkNotClosed(state.get() == OPENING);
            outlet = outletOf(writers.open(openings, topic));
            outlet.beginSource();
            sent = outlet.writer().sequence();
            checkNotClosed(state.compareAndSet(OPENING, BUSY));
            owner = environment.thread();
            connection = openings.connection();
            isDriven = inletConnection.isDriven();
            ownLoops = Stream.of(ownLoops)
                    .filter(loop -> loop.isManual() || loop.isCurrent())
                    .toArray(Loop[]::new);
        } catch (RuntimeException | Error failure) {
            state.compareAndSet(OPENING, BUSY);
            abandonEntrance(openings, failure);
            outlet = null;
            throw failure;
        } finally {
            if (!isDriven) {
                inletConnection.unlock();
            }
        }
    }

    private void checkNotClosed(boolean isOpen) {
        if (!isOpen) {
            throw new IllegalStateException("the chain of topic " + topic + " is closed");
        }
    }

    private void abandonEntrance(PendingOpens openings, Throwable because) {
        try {
            if (outlet != null) {
                outlet.writer().close();
            }
            if (openings != null) {
                inletConnection.unlocked(openings::withdraw);
            }
            inletConnection.abandon(this);
        } catch (RuntimeException atClose) {
            because.addSuppressed(atClose);
        }
    }

    private WriterOutlet outletOf(TopicWriter writer) {
        return new WriterOutlet(writers.ofSource(writer, environment), 0, environment, null) {
            @Override
            public long commit(Frame frame, int length, int type, long originNanos) {
                TransportException ended;
                enter();
                try {
                    beginBatch();
                    sent = super.commit(frame, length, type, originNanos);
                    writer.flush();
                    wakeLoops();
                    return sent;
                } catch (TransportException failed) {
                    ended = endOfWriter(failed);
                } finally {
                    leave();
                }
                throw failedBy(ended);
            }

            @Override
            public void abort() {
                abortInCall(super::abort);
            }
        };
    }

    /** Aborts a claim in a call of its own. Has no effect in a closed chain, whose close drops the claim. */
    void abortInCall(Runnable abort) {
        if (isEntered()) {
            try {
                abort.run();
            } finally {
                leave();
            }
        }
    }

    /** Begins a call, as {@link #enter}, unless the chain is closed. */
    boolean isEntered() {
        try {
            enter();
            return true;
        } catch (IllegalStateException refused) {
            if (isClosed()) {
                return false;
            }
            throw refused;
        }
    }

    void wakeLoops() {
        if (readerLoop != null) {
            readerLoop.wake();
        }
        if (isDriven) {
            inletConnection.wakeDriver(readerLoop);
        }
    }

    /** Begins a call of the owner. */
    void enter() {
        checkOwner(owner); // first, so that a wrong thread does not cause the owner's call to fail
        if (!state.compareAndSet(IDLE, BUSY)) {
            throw new IllegalStateException(
                    state.get() == CLOSED ? "the chain of topic " + topic + " is closed" : "two threads use one inlet");
        }
        if (owner != null && owner != environment.thread()) {
            state.set(IDLE);
            checkOwner(owner);
        }
        if (isDriven) {
            takeEntrance();
        }
    }

    private void takeEntrance() {
        try {
            inletConnection.lock();
        } catch (RuntimeException | Error refused) {
            state.set(IDLE);
            throw refused;
        }
    }

    /** Checks the calling thread against a snapshot of the owner, which may be set concurrently. */
    private void checkOwner(Thread seen) {
        if (seen != null && seen != environment.thread()) {
            throw new IllegalStateException("the inlet of topic " + topic + " belongs to thread " + seen.getName()
                    + "; many threads use sharedInlet(capacity)");
        }
    }

    void leave() {
        if (isDriven) {
            inletConnection.unlock();
        }
        state.compareAndSet(BUSY, IDLE);
    }

    /**
     * Stops the inlet permanently. May be called by any thread. Waits for the current call, except for a call that opens
     * the connection, which may take long; such a call closes the connection itself.
     */
    public void stop() {
        while (!state.compareAndSet(IDLE, CLOSED) && state.get() != CLOSED && !isLeftToOwner()) {
            environment.spin();
        }
        if (isLeftToOwner || outlet == null) {
            drainedAt = 0; // never used: this run has no message to wait for
        } else {
            outlet.dropOpenClaim();
        }
    }

    private boolean isClosed() {
        return state.get() == CLOSED;
    }

    private boolean isLeftToOwner() {
        isLeftToOwner |= state.compareAndSet(OPENING, CLOSED);
        return isLeftToOwner;
    }

    /**
     * Runs a turn of the connection and returns whether all sent messages are stored. Called by the closing thread after
     * {@link #stop} of all inlets of the connection. A connection without a driver is confined to its owner: another thread
     * may only close it, which stores everything, and may not query the writer.
     */
    public boolean isStored() {
        if (isLeftToOwner || outlet == null) {
            return true;
        }
        try {
            if (!isDriven && environment.thread() != owner) {
                inletConnection.end();
            } else if (inletConnection.isWaitingAfterTurn(this, batch::handOver)) {
                return false;
            }
        } catch (RuntimeException failed) {
            chain.fail(failed);
            return false;
        }
        drainedAt = sent; // only now: a reader that sees it must find the message
        return true;
    }

    @Override
    public boolean isWaiting() {
        if (outlet == null) {
            return false; // still being opened
        }
        TopicWriter writer = outlet.writer();
        return writer.storedSequence() < writer.sequence();
    }

    @Override
    public TransportException newFailure() {
        return outlet == null || chain.failure() != null
                ? null
                : outlet.writer().failure();
    }

    @Override
    public void failed(Throwable cause) {
        if (!isLeftToOwner) { // else the chain is closed, and may have ended the driver's loop
            chain.fail(cause);
        }
    }

    /** Called after {@link #stop}. */
    public void close() {
        if (!isLeftToOwner) {
            inletConnection.leave(this);
        }
    }

    @Override
    public boolean wakesReader() {
        return readerLoop != null;
    }

    @Override
    public long drainedAt() {
        return drainedAt;
    }
}
