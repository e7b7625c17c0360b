package dev.baton;

import java.nio.ByteBuffer;

/**
 * The fields of a message beside its payload, for {@link Sender}, {@link SharedInlet} and {@link Outlet}: type, origin, key and trace context.
 * All are optional. A sender reads them in the call and keeps none of them, so that one object serves all messages of a thread:
 *
 * <pre>{@code
 * MessageFields fields = new MessageFields();
 * ...
 * inlet.send(order, Order.CODEC, fields.key(customer));
 * }</pre>
 *
 * A field keeps its value until it is set again. Confined to one thread.
 */
public final class MessageFields {
    private int type;
    private long originNanos = Message.UNKNOWN_TIME;
    private ByteBuffer key;
    private ByteBuffer trace;

    /** Creates fields with type 0, the time of each call as origin, no key and no trace context. */
    public MessageFields() {}

    /**
     * Sets the type ({@link Message#type}) of bytes and claims. A value has the type of its codec.
     *
     * @param number any number
     * @return this
     */
    public MessageFields type(int number) {
        type = number;
        return this;
    }

    /**
     * Sets the origin ({@link Message#originNanos}).
     *
     * @param nanos the {@link System#nanoTime} at which the message was intended to be sent; {@link Message#UNKNOWN_TIME} for
     *     the time of the call (in a source, of the first one of its turn), or the origin of the input that a service handles
     * @return this
     */
    public MessageFields originNanos(long nanos) {
        originNanos = nanos;
        return this;
    }

    /**
     * Sets the key ({@link Message#key}), which takes 8 to 264 bytes of the frame.
     *
     * @param bytes the bytes from position to limit at the time of the send, up to {@value
     *     dev.baton.spi.Extension#MAX_FIELD_BYTES}; the send copies them and moves neither; null for none
     * @return this
     */
    public MessageFields key(ByteBuffer bytes) {
        key = bytes;
        return this;
    }

    /**
     * Sets the W3C trace context ({@link Message#trace}), which takes 32 bytes of the frame.
     *
     * @param bytes the {@value dev.baton.spi.Extension#TRACE_BYTES} bytes from position to limit at the time of the send, which
     *     copies them; null for none
     * @return this
     */
    public MessageFields trace(ByteBuffer bytes) {
        trace = bytes;
        return this;
    }

    /**
     * Sets all fields to those of another object.
     *
     * @param other object that is only read
     * @return this
     */
    public MessageFields copyFrom(MessageFields other) {
        type = other.type;
        originNanos = other.originNanos;
        key = other.key;
        trace = other.trace;
        return this;
    }

    /** {@return the type} */
    public int type() {
        return type;
    }

    /** {@return the origin; {@link Message#UNKNOWN_TIME} for the time of the call} */
    public long originNanos() {
        return originNanos;
    }

    /** {@return the key; null for none} */
    public ByteBuffer key() {
        return key;
    }

    /** {@return the trace context; null for none} */
    public ByteBuffer trace() {
        return trace;
    }
}
