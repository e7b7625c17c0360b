package dev.baton.chronicle.writing;

import dev.baton.chronicle.format.Excerpt;
import dev.baton.chronicle.log.Scratch;
import dev.baton.chronicle.log.ScratchPool;
import dev.baton.spi.Frame;
import net.openhft.chronicle.queue.ExcerptAppender;

/**
 * The frames of one flush, laid out in scratch memory as they will lie in the queue: usually one {@link Excerpt}, more
 * when a block cannot hold it.
 *
 * <p>Memory is taken from the pool only while the batch has frames or a claim. Confined to its connection's thread.
 */
final class ExcerptBatch {
    private final ScratchPool pool;
    private final int longestExcerpt;
    private final int checksum; // its bytes
    private final Frame view = new Frame();

    /** The memory of the batch while it has frames or a claim; otherwise the last one that it had. */
    private Scratch scratch;

    private boolean hasScratch;
    /** The number of frames in all excerpts. */
    private int frames;
    /** The start of the newest excerpt, and the number of its frames. */
    private int excerpt;

    private int excerptFrames;
    /** The first byte after the newest frame. */
    private int end;
    /** The start of the claimed frame, and of its excerpt. */
    private int claimed;

    private int claimedExcerpt;

    ExcerptBatch(ScratchPool pool, int longestExcerpt, boolean isChecked) {
        this.pool = pool;
        this.longestExcerpt = longestExcerpt;
        checksum = isChecked ? Excerpt.CHECKSUM : 0;
    }

    /** Returns the number of frames committed. */
    int frames() {
        return frames;
    }

    /** Claims the next frame, which is not part of the batch before {@link #commit}. */
    Frame claim(int maxLength) {
        claimedExcerpt = frames == 0 ? 0 : excerpt;
        claimed = frames == 0 ? Excerpt.FIRST_FRAME : Excerpt.nextFrame(end);
        if (Excerpt.end(claimed, maxLength) + checksum - claimedExcerpt > longestExcerpt) {
            claimedExcerpt = Excerpt.align(end + checksum);
            claimed = claimedExcerpt + Excerpt.FIRST_FRAME;
        }
        ensure(Excerpt.end(claimed, maxLength) + checksum);
        return view.wrap(scratch.buffer, claimed, maxLength);
    }

    /** Makes the claimed frame part of the batch. */
    void commit(int length, long sequence) {
        if (frames == 0 || claimedExcerpt != excerpt) {
            excerpt = claimedExcerpt;
            excerptFrames = 0;
            Excerpt.begin(scratch.buffer, excerpt, sequence, checksum > 0);
        }
        Excerpt.length(scratch.buffer, claimed, length);
        view.sequence(sequence);
        end = Excerpt.end(claimed, length);
        frames++;
        excerptFrames++;
        Excerpt.size(scratch.buffer, excerpt, excerptFrames, end + checksum - excerpt);
    }

    /** Drops the claim, and returns the memory if the batch has no frames. */
    void abort() {
        if (frames == 0) {
            clear();
        }
    }

    /** Drops all frames but the first ones, and a claim. */
    void truncate(int kept) {
        if (kept == 0) {
            clear();
        } else if (kept < frames) {
            frames = kept;
            excerpt = 0;
            excerptFrames = kept;
            while (excerptFrames > Excerpt.frames(scratch.buffer, excerpt)) {
                excerptFrames -= Excerpt.frames(scratch.buffer, excerpt);
                excerpt = Excerpt.align(excerpt + Excerpt.bytes(scratch.buffer, excerpt));
            }
            int frame = excerpt + Excerpt.FIRST_FRAME;
            end = Excerpt.end(frame, Excerpt.length(scratch.buffer, frame));
            for (int i = 1; i < excerptFrames; i++) {
                frame = Excerpt.nextFrame(end);
                end = Excerpt.end(frame, Excerpt.length(scratch.buffer, frame));
            }
            Excerpt.size(scratch.buffer, excerpt, excerptFrames, end + checksum - excerpt);
        }
    }

    /**
     * Appends all excerpts in order, each with one copy. The batch cannot be used any more when that fails.
     *
     * @param file provides room before each excerpt, and is notified after it
     */
    void appendTo(ExcerptAppender appender, TopicFile file) {
        int written = 0;
        int from = 0;
        while (written < frames) {
            int bytes = Excerpt.bytes(scratch.buffer, from);
            if (checksum > 0) {
                Excerpt.seal(scratch.buffer, from, scratch.crc);
            }
            file.makeRoomFor(bytes);
            appender.writeBytes(scratch.part(from, bytes));
            file.appended(Excerpt.firstSequence(scratch.buffer, from));
            written += Excerpt.frames(scratch.buffer, from);
            from = Excerpt.align(from + bytes);
        }
        clear();
    }

    void clear() {
        frames = 0;
        if (hasScratch) {
            hasScratch = false;
            pool.give(scratch);
        }
    }

    private void ensure(int bytes) {
        if (!hasScratch) {
            Scratch taken = pool.take(bytes);
            if (taken != scratch) {
                scratch = taken;
            }
            hasScratch = true;
        } else if (scratch.capacity() < bytes) {
            Scratch larger = pool.take(bytes);
            larger.buffer.put(0, scratch.buffer, 0, end);
            pool.give(scratch);
            scratch = larger;
        }
    }
}
