package dev.baton.engine.snapshots;

import dev.baton.engine.cycle.DutyCycle;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.Incarnation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * Finds the complete snapshots among the frames of a topic: a beginning, chunks, and an end record that matches them. A
 * snapshot that has no end, is interrupted by another beginning or another writer, or differs from its end record, is
 * skipped. Confined to its loop.
 */
public final class SnapshotScan implements FrameHandler {
    /** The type of the first frame of a snapshot. {@link #CHUNK} and {@link #END} are the types of the others, {@link #START} is that of a start. */
    static final int BEGIN = 0x5342; // "SB"

    static final int CHUNK = 0x5343;
    static final int END = 0x5345;
    static final int START = 0x5353; // "SS"

    /** The value for an unknown position, before the first frame. */
    static final long NO_POSITION = DutyCycle.NO_POSITION;

    /**
     * A complete snapshot.
     *
     * @param sequence sequence of its end record
     * @param before position of the frame before its first one, {@link #NO_POSITION} if none was read
     * @param chunks chunks of the state; empty if they were not kept
     */
    public record Whole(SnapshotEnd end, long sequence, long before, List<byte[]> chunks) {}

    private final Consumer<Whole> found;
    private boolean isKeeping = true; // whether the bytes of chunks are kept
    private List<byte[]> chunks = new ArrayList<>();
    private final CRC32C checksum = new CRC32C();
    private boolean isOpen; // a beginning was read, and the following frames match it
    private long before = NO_POSITION;
    private long bytes;
    private int count;
    private long position = NO_POSITION; // position of the last frame
    private long sequence;

    public SnapshotScan(Consumer<Whole> found) {
        this.found = found;
    }

    /** Stops keeping the bytes of chunks; they are only counted from now on. */
    void keepNoBytes() {
        isKeeping = false;
        chunks = new ArrayList<>();
    }

    /** Returns the sequence of the newest frame read, 0 for none. */
    long sequence() {
        return sequence;
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

    /** Marks the snapshot that was begun as incomplete. */
    public void tear() {
        isOpen = false;
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
                && end.content().chunks() == count
                && end.content().bytes() == bytes
                && (!isKeeping || end.content().checksum() == (int) checksum.getValue());
        if (!isWhole) {
            tear();
            return;
        }
        isOpen = false;
        List<byte[]> state = chunks;
        chunks = new ArrayList<>();
        found.accept(new Whole(end, frame.sequence(), before, state));
    }
}
