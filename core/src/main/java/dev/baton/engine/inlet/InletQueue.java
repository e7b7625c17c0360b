package dev.baton.engine.inlet;

import dev.baton.BackPressureException;
import dev.baton.ChainClosedException;
import dev.baton.ChainFailedException;
import dev.baton.Message;
import dev.baton.MessageFields;
import dev.baton.Serde;
import dev.baton.SharedInlet;
import dev.baton.SharedInlet.Offer;
import dev.baton.engine.chain.ChainState;
import dev.baton.engine.message.BackPressureMonitor;
import dev.baton.engine.message.Encoding;
import dev.baton.engine.message.OpenClaim;
import dev.baton.engine.message.RequestMark;
import dev.baton.engine.writing.FrameWriter;
import dev.baton.run.Environment;
import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import dev.baton.spi.TopicWriter;
import dev.baton.status.ChainStatus.HeldBack;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The queue of a {@link SharedInlet}: callers add messages, and the loop of the first topic's writer removes them.
 * Thread-safe.
 */
public final class InletQueue implements SharedInlet {
    /**
     * A message in the queue. {@code key}, {@code trace} and {@code request} are null for none, {@code stored} is null if the
     * sender did not request it.
     */
    record Waiting(
            byte[] payload,
            int type,
            long originNanos,
            ByteBuffer key,
            ByteBuffer trace,
            Request request,
            CompletableFuture<Long> stored) {
        /** Returns whether it is a request that is remembered, so that it is sent again if it was lost. */
        boolean isRemembered() {
            return request != null && request.isRemembered;
        }
    }

    /** The id of a request: the asker and its number, or the id of a client, for which it is remembered until it is answered. */
    record Request(long asker, long number, boolean isRemembered) {}

    /** A message of one run that is not known to be stored. */
    record Unstored(long sequence, Waiting message) {}

    private static final int MOST_PLACES = 1 << 24; // whose array takes 64 MB

    private final int capacity;
    private final BlockingQueue<Waiting> queue;
    private final Queue<Waiting> returned =
            new ConcurrentLinkedQueue<>(); // messages of a run that ended before it sent them
    private final Queue<Unstored> unresolved = new ConcurrentLinkedQueue<>(); // requests of runs that have ended
    private final AtomicInteger promised = new AtomicInteger(); // futures that are not completed yet
    private final Set<CompletableFuture<Long>> incomplete = ConcurrentHashMap.newKeySet(); // these futures
    private final ChainState state;
    private final Environment environment;
    private final int maxPayload;
    private volatile Runnable wakeLoop = () -> {};
    private volatile BackPressureMonitor refusals; // null before the first run that sends
    private volatile Runnable whenOver = () -> {};
    private volatile Runnable whenTakenOver; // null if no requests are remembered
    private volatile long newestKnown = Long.MAX_VALUE; // in the topic, when it was opened or read last
    private volatile boolean hasRun;
    private volatile boolean hasNoNextRun;
    private volatile boolean
            isTakenOver; // another process has sent messages, so that no remembered request is sent any more
    private volatile Incarnation ownWriter; // of the newest run; null before it, or if the transport keeps none

    /**
     * Creates an inlet without a sending run.
     *
     * @param state state of the run, or of a chain that restarts. Until it ends, messages are accepted, and those that a
     *     run has not sent wait for the next run
     */
    public InletQueue(int capacity, int maxPayload, ChainState state) {
        if (capacity < 1 || capacity > MOST_PLACES) {
            throw new IllegalArgumentException("capacity " + capacity + "; 1 to " + MOST_PLACES + " are allowed");
        }
        this.capacity = capacity;
        this.queue = new ArrayBlockingQueue<>(capacity);
        this.maxPayload = maxPayload;
        this.state = state;
        this.environment = state.environment();
    }

    /** Returns the maximum number of messages that wait. */
    int capacity() {
        return capacity;
    }

    /** Sets the action that wakes the sending loop, and runs it for the messages that wait. */
    public void wakeWith(Runnable wake) {
        wakeLoop = wake;
        wake.run();
    }

    @Override
    public Offer offer(ByteBuffer payload, MessageFields fields) {
        return offer(copied(payload, fields, null));
    }

    @Override
    public <T> Offer offer(T value, Serde<T> codec, MessageFields fields) {
        return offer(encoded(value, codec, fields, null, null));
    }

    @Override
    public CompletableFuture<Long> offerStored(ByteBuffer payload, MessageFields fields) {
        return promise(copied(payload, fields, new CompletableFuture<>()));
    }

    @Override
    public <T> CompletableFuture<Long> offerStored(T value, Serde<T> codec, MessageFields fields) {
        return promise(encoded(value, codec, fields, null, new CompletableFuture<>()));
    }

    /** Returns a request to be offered. */
    <T> Waiting request(T value, Serde<T> codec, MessageFields fields, Request request) {
        return encoded(value, codec, fields, request, null);
    }

    /** Refuses further messages, as no run follows although the chain is neither closed nor failed. */
    public void hasNoNextRun() {
        hasNoNextRun = true;
    }

    /** Sets the action that runs when no run will send any more. */
    void whenOver(Runnable action) {
        whenOver = action;
    }

    /** Sets the action that runs when another process has sent messages since the topic was read or opened last. */
    void whenTakenOver(Runnable action) {
        whenTakenOver = action;
        isTakenOver = false; // the topic is read from now on
    }

    /** Records that the requests in the topic are known up to a sequence. */
    void known(long sequence) {
        newestKnown = sequence;
    }

    /**
     * Begins a run. Requests that are remembered and were lost with the last run are sent again: what this writer did not find
     * is not stored. Called on the loop, before the first message of the run.
     */
    void opened(TopicWriter writer) {
        Incarnation author = writer.found().writer();
        boolean isForeign = !hasRun || ownWriter != null && author != null && author.id() != ownWriter.id();
        if (whenTakenOver != null && writer.sequence() > newestKnown && isForeign) {
            isTakenOver = true; // the other process may have handled resends of the requests that wait here
            whenTakenOver.run();
        }
        newestKnown = writer.sequence();
        ownWriter = writer.incarnation();
        hasRun = true;
        List<Waiting> later = new ArrayList<>();
        for (Waiting next = returned.poll(); next != null; next = returned.poll()) {
            later.add(next);
        }
        for (Unstored next = unresolved.poll(); next != null; next = unresolved.poll()) {
            if (next.sequence > writer.sequence()) {
                returned.add(next.message);
            }
        }
        returned.addAll(later);
    }

    /** Adds a request that is remembered, and of which the run that sent it does not know whether it is stored. */
    void unresolved(Unstored request) {
        unresolved.add(request);
    }

    /** Returns the failure after which no run follows; null for none. */
    Throwable failure() {
        return state.failure();
    }

    /** Returns whether no message is accepted any more. */
    boolean isOver() {
        return state.isEnding();
    }

    private Waiting copied(ByteBuffer payload, MessageFields fields, CompletableFuture<Long> stored) {
        Objects.requireNonNull(payload, "payload");
        checkLength(payload.remaining(), fields);
        byte[] copy = new byte[payload.remaining()];
        payload.get(payload.position(), copy);
        return waiting(copy, fields.type(), fields, null, stored);
    }

    private <T> Waiting encoded(
            T value, Serde<T> codec, MessageFields fields, Request request, CompletableFuture<Long> stored) {
        int maxLength = Encoding.maxLength(codec, value);
        checkLength(maxLength + (request == null ? 0 : RequestMark.BYTES), fields);
        byte[] memory = new byte[Frame.HEADER_BYTES + maxLength];
        Frame frame = new Frame().wrap(ByteBuffer.wrap(memory).order(ByteOrder.LITTLE_ENDIAN), 0, maxLength);
        OpenClaim claim = new OpenClaim(Encoded.ONLY).open(frame, maxLength, 0);
        byte[] payload = new byte[Encoding.encode(codec, value, claim)];
        frame.getBytes(0, payload, 0, payload.length);
        return waiting(payload, codec.type(), fields, request, stored);
    }

    private Waiting waiting(
            byte[] payload, int type, MessageFields fields, Request request, CompletableFuture<Long> stored) {
        long given = fields.originNanos();
        long origin = given == Message.UNKNOWN_TIME ? environment.nanoTime() : given;
        return new Waiting(payload, type, origin, copyOf(fields.key()), copyOf(fields.trace()), request, stored);
    }

    private static ByteBuffer copyOf(ByteBuffer key) {
        return key == null ? null : ByteBuffer.allocate(key.remaining()).put(0, key, key.position(), key.remaining());
    }

    private CompletableFuture<Long> promise(Waiting message) {
        if (promised.incrementAndGet() > capacity) {
            refuse(
                    message,
                    new BackPressureException(capacity + " messages wait to be stored, the maximum" + heldBack()));
            return message.stored;
        }
        incomplete.add(message.stored);
        try {
            Offer answer = offer(message);
            if (answer == Offer.FULL) {
                refuse(
                        message,
                        new BackPressureException(capacity + " messages wait for the loop, the maximum" + heldBack()));
            } else if (answer == Offer.CLOSED) {
                refuse(message, new ChainClosedException("chain " + state.chain() + " is closed"));
            }
        } catch (ChainFailedException failed) {
            refuse(message, failed);
        }
        return message.stored;
    }

    Offer offer(Waiting message) {
        state.checkNotFailed();
        if (state.isClosing()) {
            return Offer.CLOSED;
        }
        if (hasNoNextRun || !queue.offer(message)) {
            return Offer.FULL;
        }
        if (state.isEnding() && queue.remove(message)) {
            // the loop may have polled for the last time; it sends the messages that it has taken
            state.checkNotFailed();
            return Offer.CLOSED;
        }
        wakeLoop.run();
        return Offer.ACCEPTED;
    }

    /** Sets the refused claims of the sending run, which exception messages refer to from now on. */
    void sentWith(BackPressureMonitor claims) {
        refusals = claims;
    }

    String heldBack() {
        BackPressureMonitor sending = refusals;
        HeldBack held = sending == null ? null : sending.heldBack();
        return held == null ? "" : ": " + held;
    }

    private void checkLength(int payload, MessageFields fields) {
        int length = Math.addExact(payload, FrameWriter.bytes(fields.key(), fields.trace()));
        if (length > maxPayload) {
            throw new IllegalArgumentException(
                    "a payload of " + length + " bytes, the longest that this transport carries is " + maxPayload
                            + "; its options may allow more");
        }
    }

    private void refuse(Waiting message, RuntimeException why) {
        answered(message);
        message.stored.completeExceptionally(why);
    }

    /** Removes and returns the next message to be sent; null for none. Called by the loop. */
    Waiting poll() {
        Waiting next;
        do {
            next = returned.poll();
            next = next == null ? queue.poll() : next;
        } while (next != null && isTakenOver && next.isRemembered());
        return next;
    }

    boolean isWaiting() {
        return !queue.isEmpty() || !returned.isEmpty();
    }

    /** Returns a message from {@link #poll} that was not sent to the queue. */
    void giveBack(Waiting unsent) {
        returned.add(unsent);
    }

    /** Counts a future that is about to be completed. */
    void answered(Waiting message) {
        promised.decrementAndGet();
        incomplete.remove(message.stored);
    }

    /**
     * Completes all futures if no run will send or store any more, also those of messages that a loop has taken: a callback may hold
     * that loop up for ever.
     */
    public void end() {
        if (!state.isEnding()) {
            return;
        }
        endIfOver();
        incomplete.forEach(each -> each.completeExceptionally(ending(state)));
    }

    /** Notifies all waiting threads if no run will send any more. */
    public void endIfOver() {
        if (!state.isEnding()) {
            return;
        }
        List<Waiting> promises =
                new ArrayList<>(); // other messages stay, so that an offer in progress can take its own back
        queue.removeIf(each -> each.stored != null && promises.add(each));
        returned.removeIf(each -> each.stored != null && promises.add(each));
        promises.forEach(each -> refuse(each, ending(state)));
        whenOver.run();
    }

    /** Returns the exception for a message that is not known to be stored. */
    static RuntimeException ending(ChainState state) {
        return state.failure() != null
                ? new ChainFailedException(state.chain(), state.failure())
                : new ChainClosedException("chain " + state.chain() + " was closed before the message was known to be"
                        + " stored; it may be stored or not");
    }

    /** The writing end of a claim that a codec only has to fill. A commit or an abort by the codec throws. */
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
