package dev.baton.tck;

import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import java.util.ArrayList;
import java.util.List;

/** Consumes frames and keeps a copy of each. Single-threaded. */
public final class Recorder implements FrameHandler {
    private final List<Received> frames = new ArrayList<>();

    /** Starts empty. */
    public Recorder() {}

    @Override
    public Verdict onFrame(Frame frame, long position) {
        frames.add(Received.of(frame, position));
        return Verdict.DONE;
    }

    /** What has come so far, in order. */
    public List<Received> frames() {
        return frames;
    }

    /** The payloads that have come so far. */
    public List<String> texts() {
        return frames.stream().map(Received::text).toList();
    }

    /** The sequences that have come so far. */
    public List<Long> sequences() {
        return frames.stream().map(Received::sequence).toList();
    }

    /** How many have come so far. */
    public int count() {
        return frames.size();
    }

    /** The newest frame's position. */
    public long lastPosition() {
        return frames.get(frames.size() - 1).position();
    }
}
