package dev.baton.chronicle;

import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.TopicInspector;
import java.util.Map;
import java.util.function.Consumer;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.wire.DocumentContext;

/**
 * Reads a topic's excerpts from the oldest that is left, with a tailer that has no name and so leaves no trace. Steps
 * over an excerpt that is damaged within. Confined to the thread that made it, but for {@link #close}.
 */
final class ChronicleInspector implements TopicInspector {
    private final TopicLog log;
    private final Consumer<TopicLog> onClose;
    private final ExcerptTailer tailer;
    private final Owner owner = new Owner();
    private final ScratchPool pool = new ScratchPool();
    private final Frame view = new Frame();

    private Scratch scratch; // null before the first excerpt
    private int left; // frames of it not yet taken
    private int frame; // the first of these
    private long sequence; // likewise

    private ChronicleInspector(TopicLog log, ExcerptTailer tailer, Consumer<TopicLog> onClose) {
        this.log = log;
        this.tailer = tailer;
        this.onClose = onClose;
    }

    /** Looks at a log that the caller holds, and lets go of it in the end. */
    static ChronicleInspector open(TopicLog log, Consumer<TopicLog> onClose) {
        try {
            ExcerptTailer tailer = log.queue.createTailer();
            tailer.singleThreadedCheckDisabled(true);
            long oldest = ReadSpace.Start.of(log).index();
            if (oldest == 0 || !tailer.moveToIndex(oldest)) {
                tailer.toStart();
            }
            return new ChronicleInspector(log, tailer, onClose);
        } catch (RuntimeException | InternalError e) {
            throw log.failed("cannot be inspected", e);
        }
    }

    @Override
    public int read(FrameHandler handler, int limit) {
        owner.check();
        if (limit < 1) {
            throw new IllegalArgumentException("a limit of " + limit + "; at least 1 is allowed");
        }
        int taken = 0;
        while (taken < limit && (left > 0 || nextExcerpt())) {
            int length = Excerpt.length(scratch.buffer, frame);
            if (handler.onFrame(view.wrap(scratch.buffer, frame, length), sequence) == Verdict.RETRY) {
                return taken;
            }
            taken++;
            sequence++;
            left--;
            if (left > 0) {
                frame = Excerpt.nextFrame(Excerpt.end(frame, length));
            }
        }
        return taken;
    }

    private boolean nextExcerpt() {
        if (scratch != null) {
            pool.give(scratch);
            scratch = null;
        }
        try (DocumentContext document = tailer.readingDocument()) {
            if (!document.isPresent()) {
                return false;
            }
            scratch = log.copyOrStepOver(document, pool);
        }
        sequence = Excerpt.firstSequence(scratch.buffer, 0);
        left = Excerpt.frames(scratch.buffer, 0);
        frame = Excerpt.FIRST_FRAME;
        return true;
    }

    @Override
    public long newestSequence() {
        owner.check();
        return LastFrame.of(log, pool, Excerpt.LONGEST).sequence();
    }

    @Override
    public Map<String, Long> acknowledged() {
        owner.check();
        return ConsumerPosition.all(log);
    }

    @Override
    public void close() {
        if (owner.isOpen()) {
            owner.close();
            left = 0;
            tailer.close();
            onClose.accept(log);
        }
    }
}
