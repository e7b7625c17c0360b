package dev.baton.tck;

import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Consumes frames and keeps a copy of each. Single-threaded. */
public final class Recorder implements FrameHandler {
    private static final int MOST_SHOWN = 8;
    private static final int MOST_TEXT = 20;

    /**
     * A copy of a frame that a handler received. Immutable except for the array.
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
        /** Copies a frame; fields that the transport has added are no part of the payload. */
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

        /** Returns the payload as text. */
        public String text() {
            return new String(payload, StandardCharsets.UTF_8);
        }
    }

    private final List<Received> frames = new ArrayList<>();

    /** Starts without frames. */
    public Recorder() {}

    @Override
    public Verdict onFrame(Frame frame, long position) {
        frames.add(Received.of(frame, position));
        return Verdict.DONE;
    }

    /** Returns the recorded frames, in order. */
    public List<Received> frames() {
        return frames;
    }

    /** Returns the recorded payloads as text. */
    public List<String> texts() {
        return frames.stream().map(Received::text).toList();
    }

    /** Returns the recorded sequences. */
    public List<Long> sequences() {
        return frames.stream().map(Received::sequence).toList();
    }

    /** Returns the number of recorded frames. */
    public int count() {
        return frames.size();
    }

    /**
     * Returns the position of the newest frame.
     *
     * @throws AssertionError when no frame has come
     */
    public long lastPosition() {
        if (frames.isEmpty()) {
            throw new AssertionError("no frame has come whose position could be acknowledged");
        }
        return frames.get(frames.size() - 1).position();
    }

    /** Returns the number of frames and the newest of them, for error texts. */
    @Override
    public String toString() {
        int shown = Math.max(0, frames.size() - MOST_SHOWN);
        return frames.isEmpty()
                ? "no frame"
                : frames.size()
                        + (frames.size() == 1 ? " frame " : " frames ")
                        + frames.subList(shown, frames.size()).stream()
                                .map(frame -> frame.sequence() + " '" + shortened(frame.text()) + "'")
                                .collect(Collectors.joining(", ", shown > 0 ? "[..., " : "[", "]"));
    }

    private static String shortened(String text) {
        return text.length() <= MOST_TEXT ? text : text.substring(0, MOST_TEXT) + "...";
    }
}
