package dev.baton.chronicle.writing;

import dev.baton.chronicle.log.TopicLog;
import dev.baton.chronicle.platform.MappedPages;
import java.io.IOException;
import net.openhft.chronicle.bytes.MappedBytes;
import net.openhft.chronicle.bytes.MappedBytesStore;
import net.openhft.chronicle.core.io.ReferenceOwner;

/**
 * The mapped blocks around the one that a topic is written in: the next one is mapped before it is needed, the previous
 * one stays mapped for a while.
 *
 * <p>Thousands of topics that began together fill their blocks together. Mapping a block and unmapping the old one
 * takes some 50 us each, so without this class all of them did it in the same sweep: a stall of 300 ms at 6,000 topics,
 * every 5 seconds (docs/decisions/007). Each topic therefore changes its blocks when it passes a point of its own
 * within the block. Confined to the writer's thread.
 */
final class MappedBlocks implements ReferenceOwner {
    /** The factor of a topic's hash that spreads the points: 2 to the 64th over the golden ratio. */
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    private static final int STEPS_BITS = 10;
    private static final long PAGE = 4 << 10;
    private static final long CHUNK = 64 << 10; // mapped ahead in one call

    private final TopicLog log;
    private final long blockSize;
    private final long step; // which of many points this topic has
    private final long point; // from the block's start
    private final long pagePoint; // from a page's start
    private final long chunkPoint; // where this topic's chunks end, from a multiple of their size
    private long touchedTo; // end of the pages that were touched
    private MappedBytesStore current; // null: the writer mapped it by itself
    private MappedBytesStore next; // null: not mapped yet
    private long nextStart; // of the next block, once it is mapped
    private long nextTouchedTo; // end of its pages that were touched
    private long duePosition;

    MappedBlocks(TopicLog log, long blockSize) {
        this.log = log;
        this.blockSize = blockSize;
        step = log.topic.hashCode() * SPREAD >>> Long.SIZE - STEPS_BITS;
        // in the last seven eighths: the readers have to be in this block by then
        pagePoint = PAGE * step >>> STEPS_BITS;
        chunkPoint = (CHUNK * step >>> STEPS_BITS) / PAGE * PAGE;
        point = blockSize / 8 + (blockSize * 7 / 8 * step >>> STEPS_BITS);
    }

    /** Returns the topic's point as a share of a block, from 0 to 1. */
    double share() {
        return (double) step / (1 << STEPS_BITS);
    }

    /**
     * Touches the pages after the one that is being written, when the topic's point within that page has been passed: a chunk in
     * one call where the system can, otherwise the next page. Page faults, some 4 us each, then do not happen in the same
     * sweep for all topics that began together. {@link #advance} has touched the first chunk of a block.
     *
     * @param end of the newest excerpt
     * @param reservedTo end of the space that is taken
     */
    void touchAhead(MappedBytes bytes, long end, long reservedTo) {
        long page = (end + PAGE - pagePoint) / PAGE * PAGE;
        if (page < touchedTo) {
            return;
        }
        if (page >= nextStart && page < nextTouchedTo) {
            touchedTo = nextTouchedTo;
            return;
        }
        long chunkEnd = chunkEnd(page);
        long blockEnd = (end / blockSize + 1) * blockSize; // the next block has another mapping
        long to = Math.min(Math.min(chunkEnd, blockEnd), reservedTo / PAGE * PAGE);
        if (page >= to) {
            return;
        }
        if (MappedPages.populate(bytes.addressForWrite(page), to - page)) {
            touchedTo = to;
        } else {
            bytes.compareAndSwapInt(page, 0, 0); // changes no content
            touchedTo = page + PAGE;
        }
    }

    /** Returns the end of the chunk of a page. */
    private long chunkEnd(long page) {
        return (page - chunkPoint + CHUNK) / CHUNK * CHUNK + chunkPoint;
    }

    /** Returns the length of the file from which on {@link #touchAhead} or {@link #advance} has something to do. */
    long quietTo() {
        return Math.min(duePosition, touchedTo - PAGE + pagePoint);
    }

    /** Returns whether a file of this length is due for {@link #advance}. */
    boolean isDue(long end) {
        return end >= duePosition;
    }

    /**
     * Maps the next block, touches its first chunk, and releases the block before this, if the point has been passed.
     *
     * @param reservedTo end of the space that is taken
     * @return where the block that is being written begins, if so; otherwise 0
     */
    long advance(MappedBytes bytes, long end, long reservedTo) {
        long start = end / blockSize * blockSize;
        if (end < start + point) {
            duePosition = start + point;
            return 0;
        }
        duePosition = start + blockSize + point;
        release(current);
        current = next;
        next = null;
        try {
            next = bytes.mappedFile().acquireByteStore(this, start + blockSize);
        } catch (IOException e) {
            throw log.failed("cannot map its next block", e);
        }
        touchNext(start + blockSize, reservedTo);
        return start;
    }

    /**
     * Touches the first chunk of the next block. While writers did that on entering the block, 4,080 topics that began together had
     * 30,000 to 42,000 page faults within 0.1 s every 5.4 s, and the longest response time of that second was 92 to 109 ms instead of 53
     * to 60 (four interleaved pairs with 700 chains, Xeon family 6 model 167).
     */
    private void touchNext(long begin, long reservedTo) {
        long to = Math.min(chunkEnd(begin), reservedTo / PAGE * PAGE);
        nextStart = begin;
        nextTouchedTo = begin < to && MappedPages.populate(next.addressForWrite(begin), to - begin) ? to : begin;
    }

    /** Releases all blocks; called when the writer continues in another file, and at the end. */
    void clear() {
        release(current);
        release(next);
        current = null;
        next = null;
        duePosition = 0;
        touchedTo = 0;
        nextTouchedTo = 0;
    }

    private void release(MappedBytesStore block) {
        if (block != null) {
            block.release(this);
        }
    }
}
