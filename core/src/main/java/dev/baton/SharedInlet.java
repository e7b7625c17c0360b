package dev.baton;

import dev.baton.run.Environment;
import dev.baton.spi.Frame;
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
 * The inlet of a chain for many threads, such as those of a web server: a bounded queue that the chain's loop drains into the
 * first topic. The origin of a message is the time of the offer. Each offer allocates a copy of its payload; a single thread
 * that must not allocate uses {@link Inlet}.
 *
 * <p>{@link #offer} reports that a message was taken, {@link #offerStored} also when the transport has confirmed it as stored.
 * Thread-safe.
 */
public final class SharedInlet {
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
    SharedInlet(int capacity, int maxPayload, ChainState state) {
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
    void wakeWith(Runnable wake) {
        wakeLoop = wake;
        wake.run();
    }

    /**
     * Hands over a copy of the payload, as a message of type 0.
     *
     * @param payload all of its bytes
     * @return whether it was taken; if not, whether another attempt can succeed
     * @throws IllegalArgumentException when it is longer than the transport carries
     * @throws ChainFailedException when the chain has stopped
     */
    public Offer offer(byte[] payload) {
        return offer(waiting(payload, null));
    }

    /**
     * Hands over a copy of some bytes of an array.
     *
     * @param payload array of which the bytes are copied
     * @param offset of the first byte sent
     * @param length in bytes, 0 to the transport's limit
     * @param type any number; {@link Message#type} returns it
     * @return whether it was taken
     * @throws IllegalArgumentException when it is longer than the transport carries
     * @throws ChainFailedException when the chain has stopped
     * @throws IndexOutOfBoundsException when the bytes do not lie within the array
     */
    public Offer offer(byte[] payload, int offset, int length, int type) {
        return offer(waiting(payload, offset, length, type, null));
    }

    /**
     * Encodes a value and hands it over like {@link #offer(byte[])}.
     *
     * @param <T> the values
     * @param value encoded by the calling thread, and not kept
     * @param codec codec that encodes it; many threads need a thread-safe one, or one each
     * @return whether it was taken
     */
    public <T> Offer offer(T value, Serde<T> codec) {
        return offer(encoded(value, codec, null, null, null));
    }

    /**
     * Encodes a value and hands it over with a key ({@link Message#key}).
     *
     * @param <T> the values
     * @param value encoded by the calling thread, and not kept
     * @param codec as for {@link #offer(Object, Serde)}
     * @param key the bytes from position to limit, which are copied; null for none
     * @return whether it was taken
     * @throws IllegalArgumentException when the key, or the value with it, is longer than the transport carries
     */
    public <T> Offer offer(T value, Serde<T> codec, ByteBuffer key) {
        return offer(encoded(value, codec, key, null, null));
    }

    /**
     * Encodes a value and hands it over with a key and a trace context ({@link Message#trace}).
     *
     * @param <T> the values
     * @param value encoded by the calling thread, and not kept
     * @param codec as for {@link #offer(Object, Serde)}
     * @param key the bytes from position to limit, which are copied; null for none
     * @param trace as {@link Message#trace}, which is copied; null for none
     * @return whether it was taken
     */
    public <T> Offer offer(T value, Serde<T> codec, ByteBuffer key, ByteBuffer trace) {
        return offer(encoded(value, codec, key, trace, null));
    }

    /**
     * Hands over a copy of the payload, and reports when it is stored: the future completes with the message's sequence in the
     * chain's first topic when the transport has confirmed it as stored. It completes exceptionally with
     *
     * <ul>
     *   <li>{@link BackPressureException}: the message was not taken, because the queue is full, or because as many results are
     *       pending as the queue has places;
     *   <li>{@link ChainFailedException}: the chain has stopped, for the reason in the exception's cause; the message may or
     *       may not be stored;
     *   <li>{@link ChainClosedException}: the chain was closed before; the message was not taken, or may or may not be stored.
     * </ul>
     *
     * The future always completes, at the latest when the chain is closed. It completes on the chain's loop, so dependent
     * stages must not block: use the {@code Async} methods for that. Cancelling the future does not withdraw the message.
     *
     * @param payload all of its bytes
     * @return completes with the message's sequence
     * @throws IllegalArgumentException when it is longer than the transport carries
     */
    public CompletableFuture<Long> offerStored(byte[] payload) {
        return promise(waiting(payload, new CompletableFuture<>()));
    }

    /**
     * Hands over bytes like {@link #offer(byte[], int, int, int)}, and reports when they are stored.
     *
     * @param payload array of which the bytes are copied
     * @param offset of the first byte sent
     * @param length in bytes, 0 to the transport's limit
     * @param type any number; {@link Message#type} returns it
     * @return completes as that of {@link #offerStored(byte[])}
     */
    public CompletableFuture<Long> offerStored(byte[] payload, int offset, int length, int type) {
        return promise(waiting(payload, offset, length, type, new CompletableFuture<>()));
    }

    /**
     * Encodes a value and hands it over like {@link #offerStored(byte[])}.
     *
     * @param <T> the values
     * @param value encoded by the calling thread, and not kept
     * @param codec as for {@link #offer(Object, Serde)}
     * @return completes as that of {@link #offerStored(byte[])}
     */
    public <T> CompletableFuture<Long> offerStored(T value, Serde<T> codec) {
        return promise(encoded(value, codec, null, null, new CompletableFuture<>()));
    }

    /**
     * Encodes a value and hands it over with a key ({@link Message#key}), like {@link #offerStored(byte[])}.
     *
     * @param <T> the values
     * @param value encoded by the calling thread, and not kept
     * @param codec as for {@link #offer(Object, Serde)}
     * @param key the bytes from position to limit, which are copied; null for none
     * @return completes as that of {@link #offerStored(byte[])}
     * @throws IllegalArgumentException when the key, or the value with it, is longer than the transport carries
     */
    public <T> CompletableFuture<Long> offerStored(T value, Serde<T> codec, ByteBuffer key) {
        return promise(encoded(value, codec, key, null, new CompletableFuture<>()));
    }

    /**
     * Encodes a value and hands it over with a key and a trace context ({@link Message#trace}), like {@link
     * #offerStored(byte[])}.
     *
     * @param <T> the values
     * @param value encoded by the calling thread, and not kept
     * @param codec as for {@link #offer(Object, Serde)}
     * @param key the bytes from position to limit, which are copied; null for none
     * @param trace as {@link Message#trace}, which is copied; null for none
     * @return completes as that of {@link #offerStored(byte[])}
     */
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
    void endIfOver() {
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
