package dev.baton.engine.snapshots;

import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.Incarnation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * Finds the whole snapshots among the frames of a topic: a beginning, chunks, and an end that says the same of them. What is
 * not ended, is interrupted by another beginning or another writer, or differs from its end, is passed over. Confined to its
 * loop.
 */
public final class SnapshotScan implements FrameHandler {
    /** Types of the frames. */
    static final int BEGIN = 0x5342; // "SB"

    static final int CHUNK = 0x5343;
    static final int END = 0x5345;

    /** In place of a position before the first frame. */
    static final long NO_POSITION = Long.MIN_VALUE;

    /**
     * A whole snapshot.
     *
     * @param before position of the frame in front of its first one, {@link #NO_POSITION} for none that was read
     * @param chunks of the state; empty where they were not kept
     */
    public record Whole(SnapshotEnd end, long before, List<byte[]> chunks) {}

    private final Consumer<Whole> found;
    private boolean isKeeping; // the bytes of chunks
    private List<byte[]> chunks = new ArrayList<>();
    private final CRC32C checksum = new CRC32C();
    private boolean isOpen; // a beginning was read, and what follows fits
    private long before = NO_POSITION;
    private long bytes;
    private int count;
    private long position = NO_POSITION; // of the last frame
    private long sequence;
    private int torn;

    public SnapshotScan(boolean isKeeping, Consumer<Whole> found) {
        this.isKeeping = isKeeping;
        this.found = found;
    }

    /** From here on chunks are counted alone. */
    void keepNoBytes() {
        isKeeping = false;
        chunks = new ArrayList<>();
    }

    /** Sequence of the newest frame read, 0 for none. */
    long sequence() {
        return sequence;
    }

    /** Snapshots that were begun and are not whole. */
    int torn() {
        return torn + (isOpen ? 1 : 0);
    }

    @Override
    public Verdict onFrame(Frame frame, long at) {
        if (!frame.isPlain() && frame.validate() != null) {
            tear();
        } else {
            read(frame);
        }
        position = at;
        sequence = frame.sequence();
        return Verdict.DONE;
    }

    @Override
    public void onWriter(Incarnation writer) {
        tear();
    }

    /** What was begun is not whole. */
    public void tear() {
        if (isOpen) {
            torn++;
            isOpen = false;
        }
    }

    private void read(Frame frame) {
        switch (frame.type()) {
            case BEGIN -> {
                tear();
                isOpen = true;
                before = position;
                bytes = 0;
                count = 0;
                checksum.reset();
                chunks = new ArrayList<>();
            }
            case CHUNK -> chunk(frame);
            case END -> end(frame);
            default -> tear();
        }
    }

    private void chunk(Frame frame) {
        int length = frame.length();
        bytes += length;
        count++;
        if (isOpen && isKeeping) {
            byte[] copy = new byte[length];
            frame.getBytes(0, copy, 0, length);
            checksum.update(copy, 0, length);
            chunks.add(copy);
        }
    }

    private void end(Frame frame) {
        SnapshotEnd end = SnapshotEnd.of(frame);
        boolean isWhole = isOpen
                && end != null
                && end.chunks() == count
                && end.bytes() == bytes
                && (!isKeeping || end.checksum() == (int) checksum.getValue());
        if (!isWhole) {
            tear();
            return;
        }
        isOpen = false;
        List<byte[]> state = chunks;
        chunks = new ArrayList<>();
        found.accept(new Whole(end, before, state));
    }
}
