package dev.baton.engine.inlet;

import dev.baton.BackPressureException;
import dev.baton.ChainClosedException;
import dev.baton.ChainFailedException;
import dev.baton.Offer;
import dev.baton.Serde;
import dev.baton.SharedInlet;
import dev.baton.engine.chain.ChainState;
import dev.baton.engine.message.Encoding;
import dev.baton.engine.message.OpenClaim;
import dev.baton.engine.message.RefusedClaims;
import dev.baton.engine.writing.KeyedClaim;
import dev.baton.run.Environment;
import dev.baton.spi.Frame;
import dev.baton.status.HeldBack;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The queue behind a {@link SharedInlet}: callers put messages into it, and the loop that has the writer of the first topic takes
 * them out. Thread-safe.
 */
public final class InletQueue implements SharedInlet {
    /** {@code key} and {@code trace} are null for none, {@code stored} when the sender did not ask. */
    record Waiting(
            byte[] payload,
            int type,
            long originNanos,
            ByteBuffer key,
            ByteBuffer trace,
            CompletableFuture<Long> stored) {}

    private final int capacity;
    private final BlockingQueue<Waiting> queue;
    private final Queue<Waiting> returned = new ConcurrentLinkedQueue<>(); // by a run that ended before it sent them
    private final AtomicInteger promised = new AtomicInteger(); // answers that are due
    private final ChainState state;
    private final Environment environment;
    private final int maxPayload;
    private volatile Runnable wakeLoop = () -> {};
    private volatile RefusedClaims refusals; // null: nothing has sent yet

    /**
     * An inlet that nothing sends for yet.
     *
     * @param state of the run, or of a chain that restarts: until that ends, messages are taken, and those that a run has
     *     not sent wait for the next
     */
    public InletQueue(int capacity, int maxPayload, ChainState state) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity " + capacity + "; at least 1 is allowed");
        }
        this.capacity = capacity;
        this.queue = new ArrayBlockingQueue<>(capacity);
        this.maxPayload = maxPayload;
        this.state = state;
        this.environment = state.environment();
    }

    /** Sets what wakes the loop that sends from now on, and wakes it for what waits. */
    public void wakeWith(Runnable wake) {
        wakeLoop = wake;
        wake.run();
    }

    @Override
    public Offer offer(byte[] payload) {
        return offer(waiting(payload, null));
    }

    @Override
    public Offer offer(byte[] payload, int offset, int length, int type) {
        return offer(waiting(payload, offset, length, type, null));
    }

    @Override
    public <T> Offer offer(T value, Serde<T> codec) {
        return offer(encoded(value, codec, null, null, null));
    }

    @Override
    public <T> Offer offer(T value, Serde<T> codec, ByteBuffer key) {
        return offer(encoded(value, codec, key, null, null));
    }

    @Override
    public <T> Offer offer(T value, Serde<T> codec, ByteBuffer key, ByteBuffer trace) {
        return offer(encoded(value, codec, key, trace, null));
    }

    @Override
    public CompletableFuture<Long> offerStored(byte[] payload) {
        return promise(waiting(payload, new CompletableFuture<>()));
    }

    @Override
    public CompletableFuture<Long> offerStored(byte[] payload, int offset, int length, int type) {
        return promise(waiting(payload, offset, length, type, new CompletableFuture<>()));
    }

    @Override
    public <T> CompletableFuture<Long> offerStored(T value, Serde<T> codec) {
        return promise(encoded(value, codec, null, null, new CompletableFuture<>()));
    }

    @Override
    public <T> CompletableFuture<Long> offerStored(T value, Serde<T> codec, ByteBuffer key) {
        return promise(encoded(value, codec, key, null, new CompletableFuture<>()));
    }

    @Override
    public <T> CompletableFuture<Long> offerStored(T value, Serde<T> codec, ByteBuffer key, ByteBuffer trace) {
        return promise(encoded(value, codec, key, trace, new CompletableFuture<>()));
    }

    private Waiting waiting(byte[] payload, CompletableFuture<Long> stored) {
        Objects.requireNonNull(payload, "payload");
        return waiting(payload, 0, payload.length, 0, stored);
    }

    private Waiting waiting(byte[] payload, int offset, int length, int type, CompletableFuture<Long> stored) {
        Objects.checkFromIndexSize(offset, length, payload.length);
        checkLength(length);
        byte[] copy = Arrays.copyOfRange(payload, offset, offset + length);
        return new Waiting(copy, type, environment.nanoTime(), null, null, stored);
    }

    private <T> Waiting encoded(
            T value, Serde<T> codec, ByteBuffer key, ByteBuffer trace, CompletableFuture<Long> stored) {
        int maxLength = Encoding.maxLength(codec, value);
        checkLength(KeyedClaim.bytes(maxLength, key, trace));
        byte[] memory = new byte[Frame.HEADER_BYTES + maxLength];
        Frame frame = new Frame().wrap(ByteBuffer.wrap(memory).order(ByteOrder.LITTLE_ENDIAN), 0, maxLength);
        OpenClaim claim = new OpenClaim(Encoded.ONLY).open(frame, maxLength, 0);
        byte[] payload = new byte[Encoding.encode(codec, value, claim)];
        frame.getBytes(0, payload, 0, payload.length);
        return new Waiting(payload, codec.type(), environment.nanoTime(), copyOf(key), copyOf(trace), stored);
    }

    private static ByteBuffer copyOf(ByteBuffer key) {
        return key == null ? null : ByteBuffer.allocate(key.remaining()).put(0, key, key.position(), key.remaining());
    }

    private CompletableFuture<Long> promise(Waiting message) {
        if (promised.incrementAndGet() > capacity) {
            refuse(
                    message,
                    new BackPressureException(capacity + " messages wait to be stored, as many as may" + heldBack()));
            return message.stored;
        }
        try {
            Offer answer = offer(message);
            if (answer == Offer.FULL) {
                refuse(
                        message,
                        new BackPressureException(
                                capacity + " messages wait for the loop, as many as may" + heldBack()));
            } else if (answer == Offer.CLOSED) {
                refuse(message, new ChainClosedException("chain " + state.chain() + " is closed"));
            }
        } catch (ChainFailedException failed) {
            refuse(message, failed);
        }
        return message.stored;
    }

    private Offer offer(Waiting message) {
        state.checkNotFailed();
        if (state.isClosing()) {
            return Offer.CLOSED;
        }
        if (!queue.offer(message)) {
            return Offer.FULL;
        }
        if (state.isEnding() && queue.remove(message)) {
            // the loop may have looked for the last time; what it has taken meanwhile is on its way
            state.checkNotFailed();
            return Offer.CLOSED;
        }
        wakeLoop.run();
        return Offer.ACCEPTED;
    }

    /** Has what the sending run knows of its refused claims named in messages from now on. */
    void sentWith(RefusedClaims claims) {
        refusals = claims;
    }

    private String heldBack() {
        RefusedClaims sending = refusals;
        HeldBack held = sending == null ? null : sending.heldBack();
        return held == null ? "" : ": " + held;
    }

    private void checkLength(int length) {
        if (length > maxPayload) {
            throw new IllegalArgumentException(
                    "a payload of " + length + " bytes, the longest that this transport carries is " + maxPayload
                            + "; its options may allow more");
        }
    }

    private void refuse(Waiting message, RuntimeException why) {
        promised.decrementAndGet();
        message.stored.completeExceptionally(why);
    }

    /** The next message to be sent, null for none. Called by the loop. */
    Waiting poll() {
        Waiting first = returned.poll();
        return first == null ? queue.poll() : first;
    }

    boolean isWaiting() {
        return !queue.isEmpty() || !returned.isEmpty();
    }

    /** A message that {@link #poll} gave and that was not sent. */
    void giveBack(Waiting unsent) {
        returned.add(unsent);
    }

    /** One answer that was due was given. */
    void answered() {
        promised.decrementAndGet();
    }

    /** Where nothing will send any more: notifies all threads that wait for that. */
    public void endIfOver() {
        if (!state.isEnding()) {
            return;
        }
        for (Waiting next = poll(); next != null; next = poll()) {
            if (next.stored != null) {
                refuse(next, ending(state));
            }
        }
    }

    /** Why a message is not known to be stored. */
    static RuntimeException ending(ChainState state) {
        return state.failure() != null
                ? new ChainFailedException(state.chain(), state.failure())
                : new ChainClosedException("chain " + state.chain() + " was closed before the message was known to be"
                        + " stored; it may be stored or not");
    }

    /** A codec that commits or aborts what it was only to fill. */
    private enum Encoded implements OpenClaim.End {
        ONLY;

        @Override
        public long commit(Frame frame, int length, int type, long originNanos) {
            throw new IllegalStateException("a codec fills a claim and leaves the commit to its caller");
        }

        @Override
        public void abort() {
            throw new IllegalStateException("a codec fills a claim and leaves the abort to its caller");
        }
    }
}
