package dev.baton.aeron.log;

import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;

/**
 * What a writer found at the end of its topic. Confined to the thread that opens the writer.
 *
 * @param sequence of the newest frame, 0 for none
 * @param frame that one without its payload; null for none
 * @param input that it answers
 * @param writer of it; null for none, and where it is not known
 * @param isComplete whether it is known to be the last one of its flush
 */
public record TopicEnd(long sequence, Frame frame, InputRef input, Incarnation writer, boolean isComplete) {
    public long cause() {
        return frame == null ? 0 : frame.cause();
    }

    public long originNanos() {
        return frame == null ? 0 : frame.originNanos();
    }

    /** A field of the frame; null when it has none. */
    public byte[] field(int id) {
        return frame == null ? null : Extension.copy(frame, id);
    }
}
