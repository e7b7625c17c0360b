package dev.baton.test;

import dev.baton.Message;
import dev.baton.Serde;
import dev.baton.spi.Cause;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.PartitionTopic;
import dev.baton.test.guard.Sent;
import dev.baton.test.memory.MemoryTopic;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A message that a tester has taken from a topic; unlike the message of a callback it may be kept. It has no equality by content; compare
 * {@link #bytes} or {@link #value}. Confined to one thread.
 */
public final class Output implements Message {
    private final String topic;
    private final byte[] memory;
    private final Frame frame = new Frame();

    Output(String topic, byte[] memory) {
        this.topic = topic;
        this.memory = memory;
        MemoryTopic.view(frame, memory);
        if (!frame.isPlain()) {
            String defect = frame.validate();
            if (defect != null) {
                throw new IllegalStateException("topic " + topic + ": " + defect);
            }
        }
    }

    /** {@return a copy of the payload} */
    public byte[] bytes() {
        byte[] copy = new byte[length()];
        getBytes(0, copy, 0, copy.length);
        return copy;
    }

    /**
     * {@return the payload as a value}
     *
     * @param <T> the value's class
     * @param codec which decodes it
     * @throws dev.baton.UnexpectedTypeException when the message has another type than the codec
     */
    public <T> T value(Serde<T> codec) {
        return codec.checkedDecoder().decode(this);
    }

    /** {@return whether {@link dev.baton.Service#onClosing} sent it} */
    public boolean isOfClosing() {
        return Cause.isOfClosing(frame.cause());
    }

    /** {@return whether it is the reply to a request in place of an output, which handlers do not see} */
    boolean isReply() {
        byte[] request = Extension.copy(frame, Extension.REQUEST);
        return request != null && request[Extension.REQUEST_BYTES - 1] != 0;
    }

    @Override
    public String topic() {
        return topic;
    }

    @Override
    public int partition() {
        return PartitionTopic.partition(topic);
    }

    @Override
    public ByteBuffer key() {
        int at = frame.field(Extension.KEY);
        if (at == Extension.NONE) {
            return null;
        }
        byte[] key = new byte[frame.fieldLength(at)];
        frame.getFieldBytes(at, key, 0, key.length);
        return ByteBuffer.wrap(key).asReadOnlyBuffer();
    }

    @Override
    public long sequence() {
        return frame.sequence();
    }

    @Override
    public long cause() {
        return Cause.input(frame.cause());
    }

    @Override
    public boolean isOfTick() {
        return Cause.isOfTick(frame.cause());
    }

    @Override
    public boolean isRedelivered() {
        return false;
    }

    @Override
    public long originNanos() {
        return frame.originNanos();
    }

    @Override
    public long originWallNanos() {
        int at = frame.field(Extension.WALL_CLOCK);
        return at == Extension.NONE ? UNKNOWN_TIME : frame.getFieldLong(at);
    }

    @Override
    public long sentNanos() {
        return frame.sentNanos();
    }

    @Override
    public int servicesPassed() {
        return frame.servicesPassed();
    }

    @Override
    public int type() {
        return frame.type();
    }

    @Override
    public int length() {
        return frame.length();
    }

    @Override
    public byte getByte(int index) {
        return frame.getByte(index);
    }

    @Override
    public short getShort(int index) {
        return frame.getShort(index);
    }

    @Override
    public int getInt(int index) {
        return frame.getInt(index);
    }

    @Override
    public long getLong(int index) {
        return frame.getLong(index);
    }

    @Override
    public double getDouble(int index) {
        return frame.getDouble(index);
    }

    @Override
    public void getBytes(int index, byte[] target, int offset, int count) {
        frame.getBytes(index, target, offset, count);
    }

    @Override
    public void getBytes(int index, ByteBuffer target, int offset, int count) {
        target.put(offset, ByteBuffer.wrap(memory), frame.offset(index, count), count);
    }

    /** A read-only view of the payload. */
    @Override
    public ByteBuffer payload() {
        return ByteBuffer.wrap(memory, frame.offset(0, length()), length())
                .asReadOnlyBuffer()
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    /** {@return its sequence, cause, type, key and payload, of long payloads the beginning} */
    @Override
    public String toString() {
        String by = isOfClosing() ? " at the close" : isOfTick() ? " by a tick" : "";
        return "message " + sequence() + " of topic " + topic + " (cause " + cause() + by + "): "
                + Sent.text(type(), key(), payload());
    }
}
