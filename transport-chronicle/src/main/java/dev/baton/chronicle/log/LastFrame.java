package dev.baton.chronicle.log;

import dev.baton.chronicle.format.Excerpt;
import dev.baton.spi.Frame;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.TailerDirection;
import net.openhft.chronicle.wire.DocumentContext;

/**
 * The newest frame of a topic, after which a writer continues.
 *
 * @param sequence 0 when there is none
 * @param frame copy of its header and extension; null when there is none
 */
public record LastFrame(long sequence, Frame frame) {
    private static final int MAX_FOREIGN = 10_000;
    private static final LastFrame NONE = new LastFrame(0, null);

    /**
     * Reads the last excerpt, which Chronicle finds by its index: the cost does not grow with the topic. An excerpt
     * that a crash left unfinished has no header and is not seen; the next one takes its place. Excerpts of other
     * programs behind it are skipped, {@value #MAX_FOREIGN} of them at most.
     *
     * @param longestExcerpt that the caller's blocks can hold
     * @throws dev.baton.spi.errors.TransportException when the last excerpt is longer
     */
    public static LastFrame of(TopicLog log, ScratchPool pool, int longestExcerpt) {
        if (log.queue.firstIndex() == Long.MAX_VALUE) {
            return NONE;
        }
        try (ExcerptTailer tailer = log.queue.createTailer()) {
            tailer.singleThreadedCheckDisabled(true);
            tailer.direction(TailerDirection.BACKWARD).toEnd();
            LastFrame found = null;
            for (int foreign = 0; found == null; foreign++) {
                try (DocumentContext document = tailer.readingDocument()) {
                    boolean isForeign = document.isPresent() && foreign < MAX_FOREIGN && log.isForeign(document, pool);
                    if (!isForeign) {
                        found = document.isPresent() ? read(log, pool, longestExcerpt, document) : NONE;
                    }
                }
            }
            return found;
        }
    }

    private static LastFrame read(TopicLog log, ScratchPool pool, int longestExcerpt, DocumentContext document) {
        Scratch scratch = log.copy(document, pool);
        try {
            if (Excerpt.bytes(scratch.buffer, 0) > longestExcerpt) {
                throw log.failed(
                        "was written with larger blocks; set block-size to the former value. Its files are", null);
            }
            int frame = Excerpt.FIRST_FRAME;
            int frames = Excerpt.frames(scratch.buffer, 0);
            for (int i = 1; i < frames; i++) {
                frame = Excerpt.nextFrame(Excerpt.end(frame, Excerpt.length(scratch.buffer, frame)));
            }
            Frame last = new Frame().wrap(scratch.buffer, frame, Excerpt.length(scratch.buffer, frame));
            return new LastFrame(Excerpt.firstSequence(scratch.buffer, 0) + frames - 1, last.copyOfHead());
        } finally {
            pool.give(scratch);
        }
    }
}
