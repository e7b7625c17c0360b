package dev.baton.engine.inlet;

import dev.baton.BackPressureException;
import dev.baton.Claim;
import dev.baton.Inlet;
import dev.baton.Inlet.Batch;
import dev.baton.Message;
import dev.baton.MessageFields;
import dev.baton.Serde;
import dev.baton.engine.chain.ChainState;
import dev.baton.engine.chain.Failures;
import dev.baton.engine.chain.Wait;
import dev.baton.engine.cycle.Upstream;
import dev.baton.engine.loop.Loop;
import dev.baton.engine.message.BackPressureMonitor;
import dev.baton.engine.message.Encoding;
import dev.baton.engine.writing.FrameWriter;
import dev.baton.engine.writing.PendingOpens;
import dev.baton.engine.writing.WriterFactory;
import dev.baton.engine.writing.WriterOutlet;
import dev.baton.run.Environment;
import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.Guarantee;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.TransportException;
import dev.baton.status.ChainStatus.HeldBack;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * The inlet for one thread of the application. The first use opens it.
 *
 * <p>If the transport guarantees {@link Guarantee#IMMEDIATE}, the thread has a connection of its own and writes into the topic
 * in place. Otherwise a writer needs the turns of its connection, which only loops give: the thread then writes into a
 * {@link StagingRing}, and a loop of the chain copies its frames into the topic.
 *
 * <p>A call sets {@link #state} to BUSY while it runs, so that another thread can close the chain: closing waits for the
 * current call, and after that the owner's calls fail in {@link #enter}. While the state is BUSY, only the owner changes it.
 */
public final class ThreadInlet implements Inlet, Upstream {
    /** The run of the chain that the inlet feeds. */
    public interface Run {
        /** Returns the loops of its parts. */
        Loop[] loops();

        /** Returns the consumer that a sender waits for, as the loops report it; null if none is known. */
        HeldBack holdingBack();

        /** Begins to open a source of the first topic on a loop of the chain, or on another one if none reads the topic. */
        Opening begin(SourcePart.Pending source);

        /** Returns whether the calling thread may wait for an opening, and is not in a turn of a loop that others wait for. */
        boolean mayWait();
    }

    /** The opening of a source. Confined to the thread that opens, and then to the one that closes. */
    public interface Opening {
        /** Returns the loop of the source. */
        Loop loop();

        /**
         * Opens the source or throws. May block, except in a turn of a loop: there it takes the steps that are due, and returns false
         * while other threads have steps to take.
         */
        boolean tryOpen();

        /** Withdraws the opening unless it has ended. */
        void close();
    }

    /** The connection of an inlet without a ring, and the opening of the topic's writer over it. */
    private record Direct(Connection connection, PendingOpens openings, CompletableFuture<Void> prepared) {}

    private static final int IDLE = 0;
    private static final int BUSY = 1;
    private static final int CLOSED = 2;
    private static final int OPENING = 3; // the first call is opening the inlet
    private static final long WAIT_NANOS = 50_000;
    private static final MessageFields NONE = new MessageFields(); // never changed

    private final String topic;
    private final Transport transport;
    private final boolean isDirect;
    private final ChainState chain;
    private final Environment environment;
    private final long sendLimitNanos;
    private final WriterFactory writers;
    private final Run run;
    private Loop[] ownLoops; // loops of the chain; when the owner is known, those that can be the owner's thread
    private final BackPressureMonitor refusals;
    private final OpenBatch batch = new OpenBatch();
    private final AtomicInteger state = new AtomicInteger();
    private Thread owner;
    private Loop nextLoop; // reads the topic, or empties the ring; null if another process reads the topic
    private Direct direct; // null before the first use, and if the inlet has a ring
    private Opening opening; // of the ring's source; null before the first use, and for a direct inlet
    private StagingRing ring; // as the opening
    private WriterOutlet outlet; // null until the inlet is open
    private boolean isBatching; // a batch is open, so that commits are not flushed
    private volatile boolean isLeftToOwner; // stopped while it was being opened
    private volatile long drainedAt = NOT_YET;
    private long sent; // newest sequence, set in calls of the owner; others read it after stop()

    public ThreadInlet(
            String topic,
            Transport transport,
            ChainState chain,
            Loop readerLoop,
            long sendLimitNanos,
            WriterFactory writers,
            Run run) {
        this.topic = topic;
        this.transport = transport;
        this.isDirect = isDirect(transport);
        this.chain = chain;
        this.environment = chain.environment();
        this.nextLoop = readerLoop;
        this.sendLimitNanos = sendLimitNanos;
        this.writers = writers;
        this.run = run;
        this.ownLoops = run.loops();
        this.refusals = new BackPressureMonitor(topic, environment);
    }

    /** Returns whether the inlet of a thread writes into the topic itself; it is then the upstream of the topic's reader. */
    public static boolean isDirect(Transport transport) {
        return transport.guarantees().contains(Guarantee.IMMEDIATE);
    }

    @Override
    public Claim tryClaim(int maxLength) {
        return tryClaim(maxLength, environment.nanoTime(), null, null);
    }

    private Claim tryClaim(int maxLength, long originNanos, ByteBuffer key, ByteBuffer trace) {
        RuntimeException lost;
        enter();
        try {
            if (!ensureOpen()) {
                return null;
            }
            if (!isDirect) {
                outlet.checkNoOpenClaim(); // a ring does not check it, unlike the writers of transports
            }
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
    private TransportException endOfWriter(TransportException met) {
        TransportException ended = outlet == null ? null : outlet.writer().failure();
        if (ended == null) {
            throw met;
        }
        return ended;
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
        enter();
        try {
            opened();
            if (isBatching) {
                throw new IllegalStateException("a batch of this inlet is open; close it first");
            }
            outlet.checkNoOpenClaim();
            isBatching = true;
            return batch;
        } finally {
            leave();
        }
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
        throw chain.failedBy(ended);
    }

    /** Returns the writer, which the first call opens. In a call of the owner, the only thread that may use it. */
    private TopicWriter opened() {
        if (!ensureOpen()) {
            throw new IllegalStateException("the inlet of topic " + topic
                    + " was first used in a turn of a loop, and is being opened beside it;"
                    + " call tryClaim or offer in later turns until there is room");
        }
        return outlet.writer();
    }

    /** Opens the inlet in the first call, and returns whether it is open. In a call of the owner. */
    private boolean ensureOpen() {
        chain.checkNotFailed();
        if (outlet == null) {
            open();
        }
        return outlet != null;
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
        return claim == null ? awaitClaim(maxLength, fields, origin, begun) : claim;
    }

    private Claim awaitClaim(int maxLength, MessageFields fields, long origin, long begun) {
        try (Wait wait = new Wait(environment)) {
            Claim claim = null;
            while (claim == null) {
                if (nextLoop != null && nextLoop.isManual()) {
                    throw new BackPressureException("topic " + topic + " has no room; turn the loops, then send again");
                }
                if (environment.nanoTime() - begun > sendLimitNanos) {
                    throw noRoom();
                }
                wait.park(WAIT_NANOS);
                claim = tryClaim(maxLength, fields, origin);
            }
            return claim;
        }
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
            flushBatch();
            if (isDirect) {
                direct.connection.doWork();
            }
            return outlet.writer().failure();
        } catch (RuntimeException failure) {
            return failure;
        }
    }

    /** Opens the writer, unless another thread still prepares that. On failure everything is closed, and the next call tries again. */
    private void open() {
        state.set(OPENING);
        try {
            FrameWriter frames = isDirect ? openTopic() : openRing();
            sent = frames == null ? 0 : frames.writer().sequence();
            checkNotClosed(state.compareAndSet(OPENING, BUSY));
            owner = environment.thread();
            if (frames == null) {
                return;
            }
            outlet = new InletOutlet(frames);
            ownLoops = Stream.concat(Stream.of(ownLoops), Stream.ofNullable(nextLoop))
                    .distinct()
                    .filter(loop -> loop.isManual() || loop.isCurrent())
                    .toArray(Loop[]::new);
        } catch (Throwable failure) {
            state.compareAndSet(OPENING, BUSY);
            Failures.after(failure, this::disconnect);
            throw failure;
        }
    }

    /** Returns the frames of the topic; null while another thread prepares its opening. */
    private FrameWriter openTopic() {
        if (direct == null) {
            direct = connected();
        }
        if (!direct.prepared.isDone() && !run.mayWait()) {
            return null;
        }
        try {
            direct.prepared.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof Error error) {
                throw error;
            }
            throw failed.getCause() instanceof RuntimeException refused ? refused : failed;
        }
        return writers.ofSource(writers.open(direct.openings, topic), environment);
    }

    private Direct connected() {
        Connection connection = transport.connect();
        try {
            PendingOpens openings = new PendingOpens(connection, false);
            writers.begin(openings, topic);
            return new Direct(connection, openings, openings.prepare(() -> {}, run.mayWait(), environment));
        } catch (Throwable failure) {
            Failures.after(failure, connection::close);
            throw failure;
        }
    }

    /** Returns the frames of the ring; null while it is being opened. */
    private FrameWriter openRing() {
        if (opening == null) {
            ring = new StagingRing(chain, topic, writers.maxPayload());
            opening = run.begin(new SourcePart.Pending(topic, ring, 0, 0, chain, writers));
        }
        if (!opening.tryOpen()) {
            return null;
        }
        nextLoop = opening.loop();
        return new FrameWriter(ring, writers.maxPayload());
    }

    private void checkNotClosed(boolean isOpen) {
        if (!isOpen) {
            throw new IllegalStateException("the chain of topic " + topic + " is closed");
        }
    }

    private void disconnect() {
        Direct closing = direct;
        direct = null;
        if (closing != null) {
            Failures.inOrder(closing.openings::withdraw, closing.connection::close);
        }
        Opening withdrawn = opening;
        opening = null;
        if (withdrawn != null) {
            withdrawn.close();
        }
    }

    /** The writing end of the claims, which flushes each commit unless a batch is open. */
    private final class InletOutlet extends WriterOutlet {
        InletOutlet(FrameWriter frames) {
            super(frames, 0, environment, null);
            beginSource();
        }

        @Override
        public long commit(Frame frame, int length, int type, long originNanos) {
            TransportException ended;
            enter();
            try {
                beginBatch();
                sent = super.commit(frame, length, type, originNanos);
                if (!isBatching) {
                    flush();
                }
                return sent;
            } catch (TransportException failed) {
                ended = endOfWriter(failed);
            } finally {
                leave();
            }
            throw chain.failedBy(ended);
        }

        /** Aborts in a call of its own. Has no effect in a closed chain, whose close drops the claim. */
        @Override
        public void abort() {
            if (tryEnter()) {
                try {
                    super.abort();
                } finally {
                    leave();
                }
            }
        }
    }

    private void flush() {
        if (!isDirect) {
            chain.checkNotFailed(); // the ring does not know whether the topic's writer has ended
        }
        outlet.writer().flush();
        if (nextLoop != null) {
            nextLoop.wake();
        }
    }

    /** Flushes the committed messages if a batch is open. In a call, or by the closing thread after {@link #stop}. */
    private void flushBatch() {
        releaseBatch();
        if (isBatching) {
            flush();
        }
    }

    /** Begins a call, as {@link #enter}, and returns true, unless the chain is closed. */
    private boolean tryEnter() {
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

    /** Begins a call of the owner. */
    private void enter() {
        checkOwner(owner); // first, so that a wrong thread does not cause the owner's call to fail
        if (!state.compareAndSet(IDLE, BUSY)) {
            throw new IllegalStateException(
                    state.get() == CLOSED ? "the chain of topic " + topic + " is closed" : "two threads use one inlet");
        }
        if (owner != null && owner != environment.thread()) {
            state.set(IDLE);
            checkOwner(owner);
        }
    }

    /** Checks the calling thread against a snapshot of the owner, which may be set concurrently. */
    private void checkOwner(Thread seen) {
        if (seen != null && seen != environment.thread()) {
            throw new IllegalStateException("the inlet of topic " + topic + " belongs to thread " + seen.getName()
                    + "; many threads use sharedInlet(capacity)");
        }
    }

    private void leave() {
        if (state.getPlain() == BUSY) { // otherwise it was closed while it was being opened
            state.setRelease(IDLE);
        }
    }

    /**
     * Stops the inlet permanently, and releases an open batch to the loop. May be called by any thread. Waits for the current call,
     * except for a call that opens the inlet, which may take long; such a call closes its connection itself.
     */
    public void stop() {
        while (!state.compareAndSet(IDLE, CLOSED) && state.get() != CLOSED && !tryLeaveToOwner()) {
            environment.spin();
        }
        if (isLeftToOwner || outlet == null) {
            drainedAt = 0; // never used: this run has no message to wait for
            return;
        }
        outlet.dropOpenClaim();
        releaseBatch();
    }

    /** Releases an open batch to the loop, which sends it even if the chain has failed, except by its transport. */
    private void releaseBatch() {
        if (isBatching && !isDirect && !(chain.failure() instanceof TransportException)) {
            outlet.writer().flush();
        }
    }

    private boolean isClosed() {
        return state.get() == CLOSED;
    }

    /** Leaves the close to the owner if a call of it is opening the inlet. Returns whether that is so. */
    private boolean tryLeaveToOwner() {
        isLeftToOwner |= state.compareAndSet(OPENING, CLOSED);
        return isLeftToOwner;
    }

    /**
     * Runs a turn of the connection and returns whether all sent messages are stored or released to the loop. Called by the closing
     * thread after {@link #stop}. A thread other than the owner may only close the connection, which stores everything.
     */
    public boolean isStored() {
        if (direct == null || isLeftToOwner || outlet == null) {
            return true;
        }
        try {
            if (environment.thread() != owner) {
                disconnect();
            } else if (isWaiting()) {
                return false;
            }
        } catch (Throwable failed) { // the close that asks for this has to release everything
            chain.fail(failed);
            return false;
        }
        drainedAt = sent; // only now: a reader that sees it must find the message
        return true;
    }

    private boolean isWaiting() {
        flushBatch();
        direct.connection.doWork();
        TopicWriter writer = outlet.writer();
        if (writer.failure() != null) {
            throw writer.failure();
        }
        return writer.storedSequence() < writer.sequence();
    }

    /** Called after {@link #stop}. */
    public void close() {
        if (!isLeftToOwner) {
            disconnect();
        }
    }

    @Override
    public boolean wakesReader() {
        return nextLoop != null;
    }

    @Override
    public long drainedAt() {
        return drainedAt;
    }

    /**
     * The batch of the inlet: while it is open, commits are not flushed. Confined to the inlet's thread, except for calls by the
     * closing thread.
     */
    private final class OpenBatch implements Batch {
        @Override
        public void flush() {
            open();
            enter();
            endCall(false);
        }

        @Override
        public void close() {
            if (isBatching) {
                outlet.abortOpenClaim();
                if (tryEnter()) { // otherwise the close of the chain has flushed the batch
                    endCall(true);
                }
            }
        }

        private void endCall(boolean endsBatch) {
            TransportException ended;
            try {
                flushBatch();
                return;
            } catch (TransportException failed) {
                ended = endOfWriter(failed);
            } finally {
                isBatching &= !endsBatch;
                leave();
            }
            throw chain.failedBy(ended);
        }

        private ThreadInlet open() {
            if (!isBatching) {
                throw new IllegalStateException("the batch is closed");
            }
            return ThreadInlet.this;
        }

        @Override
        public Claim tryClaim(int maxLength) {
            return open().tryClaim(maxLength);
        }

        @Override
        public Claim tryClaim(int maxLength, MessageFields fields) {
            return open().tryClaim(maxLength, fields);
        }

        @Override
        public <T> void send(T value, Serde<T> codec) {
            open().send(value, codec);
        }

        @Override
        public <T> void send(T value, Serde<T> codec, MessageFields fields) {
            open().send(value, codec, fields);
        }

        @Override
        public void send(byte[] payload) {
            open().send(payload);
        }

        @Override
        public void send(ByteBuffer payload, MessageFields fields) {
            open().send(payload, fields);
        }
    }
}
