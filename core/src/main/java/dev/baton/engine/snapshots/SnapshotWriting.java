package dev.baton.engine.snapshots;

import dev.baton.engine.state.StateContents;
import dev.baton.engine.writing.FrameWriter;
import dev.baton.run.Environment;
import dev.baton.spi.Frame;
import dev.baton.state.SnapshotOutput;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.zip.CRC32C;

/**
 * A snapshot that is being taken and stored. The state is written in slices, chunks are written to the topic as far
 * as there is room, and the end record follows when every output that was sent before is stored. Confined to its loop.
 */
final class SnapshotWriting implements SnapshotOutput {
    private static final int MAX_CHUNK = 64 << 10;
    private static final int MAX_WAITING = 16; // chunks

    private final FrameWriter frames;
    private final StateContents state;
    private final Environment environment;
    private final long maxBytes;
    private final SnapshotEnd of;
    private final long follows;
    private final int chunkBytes;
    private final ArrayDeque<ByteBuffer> waiting = new ArrayDeque<>(); // full chunks
    private final ArrayDeque<ByteBuffer> spare = new ArrayDeque<>();
    private final CRC32C checksum = new CRC32C();
    private ByteBuffer chunk; // chunk that is being filled
    private long sliceEnd;
    private long bytes;
    private int chunks;
    private boolean isBegun; // its first frame is written
    private boolean isSaved; // all contents are written to chunks
    private long ended; // sequence of the end record, 0 before it is written

    /**
     * Begins a snapshot.
     *
     * @param of end record without the size and the checksum of the state
     * @param follows sequence of the end record of the snapshot whose changes it contains; 0 for a whole state
     */
    SnapshotWriting(
            StateContents state,
            SnapshotEnd of,
            long follows,
            FrameWriter frames,
            int maxPayload,
            long maxBytes,
            Environment environment) {
        this.state = state;
        this.of = of;
        this.follows = follows;
        this.frames = frames;
        this.maxBytes = maxBytes;
        this.environment = environment;
        this.chunkBytes = Math.min(MAX_CHUNK, maxPayload);
        this.chunk = newChunk();
    }

    /** Returns the end record, as far as it is known. */
    SnapshotEnd contents() {
        return of;
    }

    /** Returns whether all contents are written to chunks. */
    boolean isSaved() {
        return isSaved;
    }

    /** Returns the sequence of the end record; 0 before it is written. */
    long ended() {
        return ended;
    }

    /**
     * Continues the snapshot for one slice at most.
     *
     * @param storedOutput sequence of the newest output that is stored
     * @return work count
     */
    int turn(long storedOutput) throws Exception {
        sliceEnd = environment.nanoTime() + SLICE_NANOS;
        int work = 0;
        if (!isBegun && has(0)) {
            write(SnapshotScan.BEGIN, ByteBuffer.allocate(0));
            isBegun = true;
            work++;
        }
        do {
            int done = isBegun ? writeWaiting() : 0;
            if (!isSaved && hasTime()) {
                save();
                done++;
            }
            work += done;
            if (done == 0) {
                break;
            }
        } while (!isSaved && environment.nanoTime() - sliceEnd < 0);
        if (isSaved && isBegun && waiting.isEmpty() && storedOutput >= of.output() && has(SnapshotEnd.BYTES)) {
            SnapshotEnd end = of.with(new SnapshotEnd.Content(bytes, chunks, (int) checksum.getValue(), follows));
            write(SnapshotScan.END, ByteBuffer.wrap(end.toBytes()));
            ended = frames.writer().sequence();
            work++;
        }
        if (work > 0) {
            frames.writer().flush();
        }
        return work;
    }

    private void save() throws Exception {
        isSaved = state.save(this);
        if (isSaved && chunk.position() > 0) {
            fill();
        }
    }

    private boolean has(int length) {
        return frames.remainingCapacity(length) > 0;
    }

    private int writeWaiting() {
        int written = 0;
        while (!waiting.isEmpty() && has(waiting.peek().remaining())) {
            ByteBuffer full = waiting.poll();
            checksum.update(full.array(), 0, full.limit());
            write(SnapshotScan.CHUNK, full);
            chunks++;
            written++;
            spare.add(full.clear());
        }
        return written;
    }

    private void write(int type, ByteBuffer content) {
        write(frames, environment, type, of.input(), content);
    }

    static void write(FrameWriter frames, Environment environment, int type, long input, ByteBuffer content) {
        int length = content.limit();
        Frame frame = frames.claim(length);
        long now = environment.nanoTime();
        frame.stamp(0, type, input, now, now);
        frame.putBytes(0, content.array(), 0, length);
        frames.commit(frame, length);
    }

    private ByteBuffer newChunk() {
        ByteBuffer free = spare.poll();
        return free == null ? ByteBuffer.allocate(chunkBytes).order(ByteOrder.LITTLE_ENDIAN) : free;
    }

    private void fill() {
        waiting.add(chunk.flip());
        chunk = newChunk();
    }

    @Override
    public boolean hasTime() {
        return waiting.size() < MAX_WAITING && environment.nanoTime() - sliceEnd < 0;
    }

    @Override
    public SnapshotOutput putByte(byte value) {
        count(Byte.BYTES);
        room().put(value);
        return this;
    }

    @Override
    public SnapshotOutput putInt(int value) {
        for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
            putByte((byte) (value >> shift));
        }
        return this;
    }

    @Override
    public SnapshotOutput putLong(long value) {
        if (chunk.remaining() >= Long.BYTES) {
            count(Long.BYTES);
            chunk.putLong(value);
        } else {
            putInt((int) value).putInt((int) (value >>> Integer.SIZE));
        }
        return this;
    }

    @Override
    public SnapshotOutput putDouble(double value) {
        return putLong(Double.doubleToRawLongBits(value));
    }

    @Override
    public SnapshotOutput putBytes(byte[] source, int offset, int count) {
        count(count);
        int left = count;
        while (left > 0) {
            int part = Math.min(left, room().remaining());
            chunk.put(source, offset + count - left, part);
            left -= part;
        }
        return this;
    }

    private ByteBuffer room() {
        if (!chunk.hasRemaining()) {
            fill();
        }
        return chunk;
    }

    private void count(int added) {
        bytes += added;
        if (bytes > maxBytes) {
            throw new IllegalStateException(
                    "the state takes more than " + maxBytes
                            + " bytes, the most that SnapshotPolicy.maxBytes allows; raise it with SnapshotPolicy.atMost, or keep less");
        }
    }

    @Override
    public long size() {
        return bytes;
    }
}
