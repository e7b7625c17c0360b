package dev.baton.lab.engines;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.agrona.BitUtil;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * Agrona's ring of bytes: a message is copied into it, with the bytes of {@link Header} and the payload behind them, and
 * copied out again into the one object of the taking thread. Nobody waits in it.
 */
final class BytesHop implements QueueHop, MessageHandler {
    /** The size of a ring for short payloads: 1,365 messages of 40 bytes, with Agrona's 8 before each. */
    static final int RING_BYTES = 1 << 16;

    /** The number of messages that a reader gets before their room is free again. */
    private static final int BATCH = 64;

    private static final int MESSAGE = 1;
    private static final int MESSAGES_AT_LEAST = 16; // the longest message of a ring is an eighth of it

    private final OneToOneRingBuffer ring;
    private final HopEvent taken; // of the taking thread
    private Consumer<HopEvent> taker; // the same

    /**
     * Creates a hop.
     *
     * @param payloadBytes of the longest message
     */
    BytesHop(int payloadBytes) {
        int capacity = BitUtil.findNextPositivePowerOfTwo(
                Math.max(RING_BYTES, Math.multiplyExact(MESSAGES_AT_LEAST, Header.BYTES + payloadBytes)));
        ring = new OneToOneRingBuffer(
                new UnsafeBuffer(ByteBuffer.allocateDirect(capacity + RingBufferDescriptor.TRAILER_LENGTH)));
        taken = new HopEvent(payloadBytes);
    }

    @Override
    public boolean tryGive(HopEvent message) {
        int index = ring.tryClaim(MESSAGE, Header.BYTES + message.length);
        if (index < 0) {
            return false;
        }
        AtomicBuffer bytes = ring.buffer();
        bytes.putLong(index, Header.first(message.tag) + message.hops * Header.ONE_HOP);
        bytes.putLong(index + Header.SEQUENCE, message.sequence);
        bytes.putLong(index + Header.CAUSE, message.cause);
        bytes.putLong(index + Header.ORIGIN, message.originNanos);
        bytes.putLong(index + Header.SENT, message.sentNanos);
        bytes.putBytes(index + Header.BYTES, message.payload, 0, message.length);
        ring.commit(index);
        return true;
    }

    @Override
    public boolean take(Consumer<HopEvent> to) {
        taker = to;
        return ring.read(this, BATCH) > 0;
    }

    @Override
    public void onMessage(int type, MutableDirectBuffer bytes, int index, int length) {
        long first = bytes.getLong(index);
        taken.tag = Header.tag(first);
        taken.hops = Header.hops(first);
        taken.sequence = bytes.getLong(index + Header.SEQUENCE);
        taken.cause = bytes.getLong(index + Header.CAUSE);
        taken.originNanos = bytes.getLong(index + Header.ORIGIN);
        taken.sentNanos = bytes.getLong(index + Header.SENT);
        taken.length = length - Header.BYTES;
        bytes.getBytes(index + Header.BYTES, taken.payload, 0, taken.length);
        taker.accept(taken);
    }

    @Override
    public boolean isCopying() {
        return true;
    }
}
