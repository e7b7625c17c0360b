package dev.baton;

import dev.baton.run.Environment;
import dev.baton.spi.Frame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * The entrance of a chain for many threads, a web server's say: a bounded hand-over that the chain's loop drains into
 * its first topic. The origin of a message is the time of the offer. Each offer allocates a copy of its payload; a
 * single thread that counts bytes uses {@link Inlet}. Thread-safe.
 */
public final class SharedInlet {
    private record Waiting(byte[] payload, int type, long originNanos) {}

    private final BlockingQueue<Waiting> queue;
    private final ChainState state;
    private final Environment environment;
    private final int maxPayload;
    private volatile Runnable wakeLoop = () -> {};
    private Waiting next; // taken from the queue, not yet sent; the loop's

    SharedInlet(int capacity, int maxPayload, ChainState state) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity " + capacity + "; at least 1 is allowed");
        }
        this.queue = new ArrayBlockingQueue<>(capacity);
        this.maxPayload = maxPayload;
        this.state = state;
        this.environment = state.environment();
    }

    void wakeWith(Runnable wake) {
        wakeLoop = wake;
    }

    /**
     * Hands over a copy of the payload.
     *
     * @return false when the hand-over is full or the chain is closing: not taken
     * @throws ChainFailedException when the chain has stopped
     */
    public boolean offer(byte[] payload) {
        return offer(new Waiting(payload.clone(), 0, environment.nanoTime()));
    }

    /** Encodes a value and hands it over like {@link #offer(byte[])}. */
    public <T> boolean offer(T value, Codec<T> codec) {
        int maxLength = codec.maxLength(value);
        checkLength(maxLength);
        byte[] memory = new byte[Frame.HEADER_BYTES + maxLength];
        Frame frame = new Frame().wrap(ByteBuffer.wrap(memory).order(ByteOrder.LITTLE_ENDIAN), 0, maxLength);
        OpenClaim claim = new OpenClaim(Encoded.ONLY).open(frame, maxLength, 0);
        int length = codec.encode(value, claim);
        byte[] payload = new byte[length];
        frame.getBytes(0, payload, 0, length);
        return offer(new Waiting(payload, codec.type(), environment.nanoTime()));
    }

    private boolean offer(Waiting message) {
        checkLength(message.payload.length);
        state.checkNotFailed();
        if (state.isClosing() || !queue.offer(message)) {
            return false;
        }
        if (state.isClosing() && queue.remove(message)) {
            return false; // the loop may have looked for the last time; what it has taken meanwhile is on its way
        }
        wakeLoop.run();
        return true;
    }

    private void checkLength(int length) {
        if (length > maxPayload) {
            throw new IllegalArgumentException(
                    "a payload of " + length + " bytes, the longest that this transport carries is " + maxPayload);
        }
    }

    /** Whether messages wait that were taken over. Called by the loop. */
    boolean isHolding() {
        return next != null || !queue.isEmpty();
    }

    /** Sends what waits, as far as there is room. Called by the loop. */
    int drainTo(Outlet out) {
        int sent = 0;
        for (next = next == null ? queue.poll() : next; next != null; next = queue.poll()) {
            Claim claim = out.claim(next.payload.length, next.originNanos);
            if (claim == null) {
                return sent;
            }
            claim.type(next.type)
                    .putBytes(0, next.payload, 0, next.payload.length)
                    .commit(next.payload.length);
            sent++;
        }
        return sent;
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
