package dev.baton.sbe;

import dev.baton.Claim;
import dev.baton.Outlet;
import dev.baton.Sender;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.sbe.MessageEncoderFlyweight;

/**
 * Writes messages through an encoder that sbe-tool generated, in the memory of the claim, without a copy and without allocation.
 * <pre>{@code
 * private final SbeWriter<BookingEncoder> bookings = SbeWriter.of(new BookingEncoder());
 *
 * public void onMessage(Message in, Outlet out) {
 *     bookings.claim(out).id(order.id()).cents(25 * order.quantity());
 *     bookings.commit();
 * }
 * }</pre>
 *
 * <p>The header is written, and the message's type is the template id. Bytes that are not written are undefined: set every field. An
 * encoder that writes beyond its claim throws {@link IndexOutOfBoundsException}. Confined to the thread of its sender; each service and
 * each thread needs its own.
 *
 * @param <E> the generated encoder
 */
public final class SbeWriter<E extends MessageEncoderFlyweight> {
    private final UnsafeBuffer buffer = SbeHeader.newBuffer();
    private final E flyweight;
    private final int maxLength;
    private Claim claim; // null when none is open

    private SbeWriter(E flyweight, int variableBytes) {
        this.flyweight = Objects.requireNonNull(flyweight, "flyweight");
        if (variableBytes < 0) {
            throw new IllegalArgumentException("variableBytes " + variableBytes + "; 0 or more is allowed");
        }
        this.maxLength = Math.addExact(SbeHeader.BYTES + flyweight.sbeBlockLength(), variableBytes);
    }

    /**
     * {@return a writer of messages of fixed length}
     *
     * @param <E> the encoder, which SBE has generated for one message
     * @param flyweight used for every message of this writer, and for nothing else
     * @throws IllegalStateException when the JVM lacks the flag that Agrona needs, which the text names
     */
    public static <E extends MessageEncoderFlyweight> SbeWriter<E> of(E flyweight) {
        return new SbeWriter<>(flyweight, 0);
    }

    /**
     * {@return a writer of messages that have groups or variable data behind their fields}
     *
     * @param <E> the encoder, which SBE has generated for one message
     * @param flyweight used for every message of this writer, and for nothing else
     * @param variableBytes the most that those take, with the headers of each
     * @throws IllegalStateException when the JVM lacks the flag that Agrona needs, which the text names
     */
    public static <E extends MessageEncoderFlyweight> SbeWriter<E> of(E flyweight, int variableBytes) {
        return new SbeWriter<>(flyweight, variableBytes);
    }

    /** {@return the most bytes of a payload, its header included: what a claim of the caller's needs} */
    public int maxLength() {
        return maxLength;
    }

    /**
     * Begins a message of a service or a source, as {@link Outlet#claim(int)} does, with the key of the current input, if there
     * is one. {@code over(out.claim(writer.maxLength()))} begins one without a key.
     *
     * @param out which sends the message
     * @return the encoder, at the message's first field; null when there is no room, which cannot happen within {@link
     *     dev.baton.Service#maxOutputs}
     */
    public E claim(Outlet out) {
        return over(out.claim(maxLength, out.inputKey()));
    }

    /**
     * Begins a message, as {@link Sender#tryClaim(int)} does.
     *
     * @param to which sends the message
     * @return the encoder, at the message's first field; null when there is no room now
     */
    public E tryClaim(Sender to) {
        return over(to.tryClaim(maxLength));
    }

    /**
     * Begins a message in a claim of the caller's, for example one with a key: {@code over(out.claim(writer.maxLength(), key))}.
     *
     * @param opened of {@link #maxLength} bytes; may be null
     * @return the encoder, at the message's first field; null when the claim is null
     */
    public E over(Claim opened) {
        claim = opened;
        if (opened == null) {
            return null;
        }
        ByteBuffer payload = opened.payload();
        buffer.wrap(payload, payload.position(), payload.remaining());
        SbeHeader.write(buffer, flyweight);
        flyweight.wrap(buffer, SbeHeader.BYTES);
        opened.type(flyweight.sbeTemplateId());
        return flyweight;
    }

    /**
     * Sends what the encoder has written.
     *
     * @return the sequence of the message in its topic
     * @throws IllegalStateException when no message was begun, or it was sent or aborted
     */
    public long commit() {
        if (claim == null) {
            throw new IllegalStateException("no message is begun; claim first");
        }
        Claim filled = claim;
        claim = null;
        return filled.commit(SbeHeader.BYTES + flyweight.encodedLength());
    }

    /** Discards the message and frees its room; does nothing without a message. */
    public void abort() {
        if (claim != null) {
            claim.abort();
            claim = null;
        }
    }
}
