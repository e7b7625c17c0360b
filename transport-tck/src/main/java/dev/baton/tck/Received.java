package dev.baton.tck;

import dev.baton.spi.Frame;
import java.nio.charset.StandardCharsets;

/**
 * A copy of a frame as a handler saw it. Immutable but for the array.
 *
 * @param position as handed to the handler
 */
public record Received(
        long position,
        int version,
        int flags,
        int servicesPassed,
        int type,
        long sequence,
        long cause,
        long originNanos,
        long sentNanos,
        byte[] payload) {
    /** Copies a frame; what the transport has added to it is no part of the payload. */
    public static Received of(Frame frame, long position) {
        frame.validate();
        byte[] payload = new byte[frame.length()];
        frame.getBytes(0, payload, 0, payload.length);
        return new Received(
                position,
                frame.version(),
                frame.flags(),
                frame.servicesPassed(),
                frame.type(),
                frame.sequence(),
                frame.cause(),
                frame.originNanos(),
                frame.sentNanos(),
                payload);
    }

    /** The payload as text. */
    public String text() {
        return new String(payload, StandardCharsets.UTF_8);
    }
}
