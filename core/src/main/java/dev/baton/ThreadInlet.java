package dev.baton;

import dev.baton.run.Environment;
import dev.baton.run.Loop;
import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The inlet that a thread of the application uses. It has a connection of its own, opened by the first use.
 *
 * <p>A call holds {@link #state} BUSY while it runs, so that the chain can be closed from another thread: closing waits
 * for the call in progress, and from then on the owner gets no further than {@link #enter}. The connection stays the
 * owner's all the same, as connections do: another thread only closes it.
 */
final class ThreadInlet implements Inlet, Upstream {
    private static final int IDLE = 0;
    private static final int BUSY = 1;
    private static final int CLOSED = 2;
    private static final long WAIT_NANOS = 50_000;

    private final String topic;
    private final Supplier<Connection> entrance;
    private final ChainState chain;
    private final Environment environment;
    private final Loop readerLoop; // null: the topic is read elsewhere
    private final long sendLimitNanos;
    private final Writers writers;
    private final AtomicInteger state = new AtomicInteger();
    private Thread owner;
    private Connection connection;
    private WriterOutlet outlet;
    private volatile long drainedAt = NOT_YET;

    ThreadInlet(
            String topic,
            Supplier<Connection> entrance,
            ChainState chain,
            Loop readerLoop,
            long sendLimitNanos,
            Writers writers) {
        this.topic = topic;
        this.entrance = entrance;
        this.chain = chain;
        this.environment = chain.environment();
        this.readerLoop = readerLoop;
        this.sendLimitNanos = sendLimitNanos;
        this.writers = writers;
    }

    @Override
    public Claim tryClaim(int maxLength) {
        return tryClaim(maxLength, environment.nanoTime());
    }

    @Override
    public Claim tryClaim(int maxLength, long originNanos) {
        enter();
        try {
            return claim(maxLength, originNanos);
        } finally {
            leave();
        }
    }

    @Override
    public <T> boolean offer(T value, Codec<T> codec) {
        Claim claim = tryClaim(codec.maxLength(value));
        if (claim == null) {
            return false;
        }
        fill(claim, value, codec);
        return true;
    }

    @Override
    public <T> void send(T value, Codec<T> codec) {
        fill(awaitClaim(codec.maxLength(value)), value, codec);
    }

    @Override
    public void send(byte[] payload) {
        awaitClaim(payload.length).putBytes(0, payload, 0, payload.length).commit(payload.length);
    }

    @Override
    public long sequence() {
        return opened().sequence();
    }

    @Override
    public long storedSequence() {
        return opened().storedSequence();
    }

    private TopicWriter opened() {
        enter();
        try {
            if (outlet == null) {
                open();
            }
            chain.checkNotFailed();
            return outlet.writer();
        } finally {
            leave();
        }
    }

    private static <T> void fill(Claim claim, T value, Codec<T> codec) {
        try {
            int length = codec.encode(value, claim);
            claim.type(codec.type()).commit(length);
        } finally {
            claim.abort(); // dead after a commit: only an encoder that threw leaves something to abort
        }
    }

    private Claim awaitClaim(int maxLength) {
        long origin = environment.nanoTime();
        Claim claim = tryClaim(maxLength, origin);
        while (claim == null) {
            if (readerLoop != null && readerLoop.isManual()) {
                throw new BackPressureException("topic " + topic + " has no room; turn the loops, then send again");
            }
            if (environment.nanoTime() - origin > sendLimitNanos) {
                throw new BackPressureException("topic " + topic + " had no room for " + sendLimitNanos / 1_000_000
                        + " ms: the chain is slower than its senders, or stands still");
            }
            environment.park(WAIT_NANOS);
            claim = tryClaim(maxLength, origin);
        }
        return claim;
    }

    private Claim claim(int maxLength, long originNanos) {
        if (outlet == null) {
            open();
        }
        chain.checkNotFailed();
        Claim claim = outlet.claim(maxLength, originNanos);
        if (claim == null) {
            connection.doWork();
        }
        return claim;
    }

    private void open() {
        owner = environment.thread();
        connection = entrance.get();
        TopicWriter writer = writers.open(connection, topic);
        outlet = new WriterOutlet(writer, 0, environment, writers.isDated()) {
            @Override
            public long commit(Frame frame, int length, int type, long originNanos) {
                enter();
                try {
                    beginBatch();
                    long sequence = super.commit(frame, length, type, originNanos);
                    writer.flush();
                    if (readerLoop != null) {
                        readerLoop.wake();
                    }
                    return sequence;
                } finally {
                    leave();
                }
            }
        };
        outlet.beginSource();
    }

    private void enter() {
        checkOwner(owner); // a look that spares the owner a stranger in its way
        if (!state.compareAndSet(IDLE, BUSY)) {
            throw new IllegalStateException(
                    state.get() == CLOSED ? "the chain of topic " + topic + " is closed" : "two threads use one inlet");
        }
        if (owner != null && owner != environment.thread()) {
            leave();
            checkOwner(owner);
        }
    }

    /** Of an owner read once: it may be read while it is set. */
    private void checkOwner(Thread seen) {
        if (seen != null && seen != environment.thread()) {
            throw new IllegalStateException("the inlet of topic " + topic + " belongs to thread " + seen.getName()
                    + "; many threads use sharedInlet(capacity)");
        }
    }

    private void leave() {
        state.set(IDLE);
    }

    /** Takes no more, for good. Any thread; waits for the call in progress. */
    void stop() {
        while (!state.compareAndSet(IDLE, CLOSED) && state.get() != CLOSED) {
            environment.spin();
        }
        if (outlet == null) {
            drainedAt = 0; // never used: there is nothing of this run to wait for
        } else {
            outlet.dropOpenClaim();
            drainedAt = outlet.writer().sequence();
        }
    }

    /**
     * Whether all that was sent is stored. Called after {@link #stop} by the closing thread; when that is not the owner, it
     * may only close the connection, which stores everything.
     */
    boolean isStored() {
        if (connection == null) {
            return true;
        }
        try {
            if (environment.thread() == owner) {
                connection.doWork();
            } else {
                connection.close(); // which stores what is in hand; its turns are its owner's alone
            }
        } catch (RuntimeException failed) {
            chain.fail(failed);
            return false;
        }
        return outlet == null
                || outlet.writer().storedSequence() == outlet.writer().sequence();
    }

    boolean isUsed() {
        return connection != null;
    }

    /** Called after {@link #stop}. */
    void close() {
        if (connection != null) {
            connection.close();
        }
    }

    @Override
    public long drainedAt() {
        return drainedAt;
    }
}
