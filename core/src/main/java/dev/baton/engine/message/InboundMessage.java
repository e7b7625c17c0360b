package dev.baton.engine.message;

import dev.baton.Message;
import dev.baton.spi.Cause;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.PartitionTopic;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The message that a service receives: a read-only view of a {@link Frame}. Confined to its loop. */
public final class InboundMessage implements Message {
    private final String topic;
    private final int partition;
    private Frame frame; // null between batches
    private long head; // head of the frame, read once
    private boolean isOfThisBoot = true;
    private boolean isRedelivered;
    private MemoryView payload; // null until first use
    private MemoryView key; // null until first use
    private MemoryView trace; // null until first use
    private boolean isHandled = true; // false during a tick

    public InboundMessage(String topic) {
        this.topic = topic;
        this.partition = PartitionTopic.partition(topic);
    }

    public InboundMessage of(Frame received, long headOfIt) {
        head = headOfIt;
        if (frame != received) {
            frame = received; // readers reuse one view, so this is rarely stored
        }
        return this;
    }

    /**
     * Ends the message: the memory of its batch may change from now on, or cease to exist. Its methods throw until the next message, and
     * the views that it returned are empty.
     */
    public void end() {
        frame = null;
        head = 0; // which is not plain, so that no field is read
        MemoryView.end(payload);
        MemoryView.end(key);
        MemoryView.end(trace);
    }

    private Frame live() {
        if (frame == null) {
            throw new IllegalStateException("this message of topic " + topic
                    + " was used after its callback had returned; copy what is needed later");
        }
        return frame;
    }

    /** Returns a copy on the heap of a received frame. */
    public static Frame copy(Frame frame) {
        int behind = frame.extensionBytes() + frame.length() + (frame.isChecked() ? Frame.CHECKSUM_BYTES : 0);
        int begin = frame.offset(0, 0) - frame.extensionBytes() - Frame.HEADER_BYTES;
        ByteBuffer memory = ByteBuffer.allocate(Frame.HEADER_BYTES + behind).order(ByteOrder.LITTLE_ENDIAN);
        memory.put(0, frame.memory(), begin, memory.capacity());
        Frame copied = new Frame().wrap(memory, 0, behind);
        if (!copied.isPlain()) {
            copied.validate();
        }
        return copied;
    }

    /** Sets whether the stamps of the following messages are comparable with this host's clock. */
    public void isOfThisBoot(boolean compare) {
        isOfThisBoot = compare;
    }

    public boolean isOfThisBoot() {
        return isOfThisBoot;
    }

    /** Sets whether the following messages are redelivered. */
    public void redelivered(boolean again) {
        isRedelivered = again;
    }

    /** Returns the frame of the current message, or of the last one of the batch; null between batches. */
    public Frame frame() {
        return frame;
    }

    /** Returns whether the message has neither fields nor a checksum; false between batches. */
    public boolean isPlain() {
        return Frame.isPlain(head);
    }

    @Override
    public String topic() {
        return topic;
    }

    @Override
    public int partition() {
        return partition;
    }

    /** Sets whether the message is being handled; false during a tick. */
    public void handled(boolean isBeingHandled) {
        isHandled = isBeingHandled;
    }

    /** Returns the offset of the trace context in the frame of the current message, or {@link Extension#NONE}. */
    public int traceIfHandled() {
        return isHandled && frame != null && !Frame.isPlain(head) ? frame.field(Extension.TRACE) : Extension.NONE;
    }

    /** Returns the key of the current message; null for none, and in a tick. */
    public ByteBuffer keyIfHandled() {
        return isHandled && frame != null ? key() : null;
    }

    @Override
    public ByteBuffer key() {
        int at = Frame.isPlain(head) ? Extension.NONE : live().field(Extension.KEY);
        if (at == Extension.NONE) {
            return null;
        }
        if (key == null) {
            key = new MemoryView(true);
        }
        return field(key, at);
    }

    @Override
    public ByteBuffer trace() {
        int at = Frame.isPlain(head) ? Extension.NONE : live().field(Extension.TRACE);
        if (at == Extension.NONE) {
            return null;
        }
        if (trace == null) {
            trace = new MemoryView(true);
        }
        return field(trace, at);
    }

    private ByteBuffer field(MemoryView view, int at) {
        int length = frame.fieldLength(at);
        return view.of(frame.memory(), frame.fieldOffset(at, length), length);
    }

    @Override
    public long sequence() {
        return live().sequence();
    }

    @Override
    public long cause() {
        return Cause.input(live().cause());
    }

    @Override
    public boolean isOfTick() {
        return Cause.isOfTick(live().cause());
    }

    @Override
    public boolean isRedelivered() {
        return isRedelivered;
    }

    @Override
    public long originNanos() {
        return isOfThisBoot ? live().originNanos() : UNKNOWN_TIME;
    }

    @Override
    public long originWallNanos() {
        int at = live().field(Extension.WALL_CLOCK);
        return at == Extension.NONE ? UNKNOWN_TIME : frame.getFieldLong(at);
    }

    @Override
    public long sentNanos() {
        return isOfThisBoot ? live().sentNanos() : UNKNOWN_TIME;
    }

    @Override
    public int servicesPassed() {
        return Frame.servicesPassed(head);
    }

    @Override
    public int type() {
        return Frame.type(head);
    }

    @Override
    public int length() {
        return live().length();
    }

    @Override
    public byte getByte(int index) {
        return live().getByte(index);
    }

    @Override
    public short getShort(int index) {
        return live().getShort(index);
    }

    @Override
    public int getInt(int index) {
        return live().getInt(index);
    }

    @Override
    public long getLong(int index) {
        return live().getLong(index);
    }

    @Override
    public double getDouble(int index) {
        return live().getDouble(index);
    }

    @Override
    public void getBytes(int index, byte[] target, int offset, int count) {
        live().getBytes(index, target, offset, count);
    }

    @Override
    public void getBytes(int index, ByteBuffer target, int offset, int count) {
        target.put(offset, live().memory(), frame.offset(index, count), count);
    }

    @Override
    public ByteBuffer payload() {
        if (payload == null) {
            payload = new MemoryView(true);
        }
        int length = live().length();
        return payload.of(frame.memory(), frame.offset(0, length), length);
    }

    @Override
    public String toString() {
        return frame == null
                ? "no message of topic " + topic
                : "message " + sequence() + " of topic " + topic + " (type " + type() + ", " + length()
                        + " bytes, hops " + servicesPassed() + ")";
    }
}
