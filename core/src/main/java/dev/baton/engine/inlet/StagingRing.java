package dev.baton.engine.inlet;

import dev.baton.Claim;
import dev.baton.Outlet;
import dev.baton.Source;
import dev.baton.Source.SourceContext;
import dev.baton.engine.chain.ChainState;
import dev.baton.engine.message.BackPressureMonitor;
import dev.baton.engine.writing.WriterOutlet;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicEnd;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.TopicWriter.ConsumerLag;
import dev.baton.status.ChainStatus.HeldBack;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A ring of frames between the thread of an inlet and the loop that owns the topic's writer, for transports whose connections need
 * the turns of a loop. To the inlet it is a {@link TopicWriter}, to the loop a {@link Source}.
 *
 * <p>The inlet fills frames and releases them to the loop with {@link #flush}; the loop copies them into the topic and returns their
 * memory to the inlet. Each counter has one writer. As the topic has no other writer, the inlet knows the sequence of each frame
 * before the loop has written it. A larger memory replaces one that is full.
 *
 * <p>If the chain fails, the part of the source sends the released frames when it is closed, unless their writer has failed, has no
 * room within half of {@link ChainState#RELEASE_NANOS}, or the chain is abandoned. It logs a warning if frames are lost. Methods of
 * {@link TopicWriter} are confined to the inlet's thread, the others to the loop.
 */
final class StagingRing implements TopicWriter, Source, SourcePart.Debt {
    /**
     * The frames of the ring, a power of two: as many as Kafka has in flight. With 256, a saturated chain over Kafka carried 62,000 instead of
     * 74,000 messages/s (medians of three trials, two cores).
     */
    private static final int FRAMES = 1024;

    private static final int LEAST_BYTES = 1 << 12;
    private static final int ALIGNMENT = Long.BYTES;
    private static final int MOST_BYTES = 1 << 20; // unless a frame is longer
    private static final VarHandle RELEASED;
    private static final VarHandle TAKEN;
    private static final VarHandle STORED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            RELEASED = lookup.findVarHandle(StagingRing.class, "released", long.class);
            TAKEN = lookup.findVarHandle(StagingRing.class, "taken", long.class);
            STORED = lookup.findVarHandle(StagingRing.class, "stored", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final String topic;
    private final int maxPayload;
    private final int[] starts = new int[FRAMES]; // in the memory, by sequence
    private final int[] lengths = new int[FRAMES]; // bytes behind the headers
    private final ByteBuffer[] memories = new ByteBuffer[FRAMES]; // by sequence

    private final Frame claimed = new Frame();
    private ByteBuffer memory = allocate(LEAST_BYTES);
    private long first; // oldest sequence in this memory
    private int end; // of the newest committed frame
    private long committed; // newest sequence, as the following ones
    private long released; // written by the inlet
    private long taken; // written by the loop
    private long stored; // written by the loop

    private final Frame frame = new Frame();
    private final ByteBuffer key = ByteBuffer.allocate(Extension.MAX_FIELD_BYTES);
    private final ByteBuffer trace = ByteBuffer.allocate(Extension.TRACE_BYTES);
    private final BackPressureMonitor refusals;
    private TopicEnd found; // set by onStart, before the inlet uses the ring

    StagingRing(ChainState chain, String topic, int maxPayload) {
        this.topic = topic;
        this.maxPayload = maxPayload;
        this.refusals = new BackPressureMonitor(topic, chain.environment());
    }

    @Override
    public void onStart(SourceContext context) {
        TopicWriter writer = ((FeedContext) context).writer();
        found = writer.found();
        stored = writer.storedSequence();
        committed = writer.sequence();
        released = committed;
        taken = committed;
    }

    @Override
    public int remainingCapacity() {
        return FRAMES - (int) (committed - (long) TAKEN.getAcquire(this));
    }

    @Override
    public int capacity() {
        return FRAMES;
    }

    /** Returns the consumer that holds the topic back, as the loop has last seen. */
    @Override
    public ConsumerLag slowestConsumer() {
        HeldBack held = refusals.heldBack();
        return held == null ? null : new ConsumerLag(held.consumer(), held.frames());
    }

    @Override
    public Frame claim(int maxLength) {
        if (maxLength < 0 || maxLength > maxPayload) {
            throw new IllegalArgumentException("claim of " + maxLength + " bytes; 0 to " + maxPayload
                    + " are allowed on topic '" + topic + "'; the options of the transport govern it");
        }
        int start = start(Frame.HEADER_BYTES + maxLength);
        if (start < 0) {
            return null;
        }
        int at = index(committed + 1);
        starts[at] = start;
        memories[at] = memory;
        return claimed.wrap(memory, start, maxLength);
    }

    /** Returns a free place of this many bytes, for which the memory may grow; -1 if there is none now. */
    private int start(int bytes) {
        long copied = (long) TAKEN.getAcquire(this);
        if (committed - copied == FRAMES) {
            return -1;
        }
        long oldest = Math.max(copied + 1, first);
        if (oldest > committed) {
            end = 0;
        }
        int used = oldest > committed ? 0 : starts[index(oldest)];
        boolean isWrapped = oldest <= committed && end <= used;
        if (bytes <= (isWrapped ? used : memory.capacity()) - end) {
            return end;
        }
        if (!isWrapped && bytes <= used) {
            return 0;
        }
        if (memory.capacity() < Math.max(bytes, MOST_BYTES)) {
            memory = allocate(Math.max(bytes, 2 * memory.capacity()));
            first = committed + 1;
            return 0;
        }
        return -1;
    }

    private static ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocate(aligned(bytes)).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int aligned(int bytes) {
        return bytes + ALIGNMENT - 1 & -ALIGNMENT;
    }

    private static int index(long sequence) {
        return (int) sequence & FRAMES - 1;
    }

    @Override
    public long commit(int length) {
        int at = index(++committed);
        lengths[at] = length;
        end = starts[at] + aligned(Frame.HEADER_BYTES + length);
        return committed;
    }

    @Override
    public void abort() {}

    @Override
    public void flush() {
        RELEASED.setRelease(this, committed);
    }

    @Override
    public void rewind(long sequence) {
        throw new UnsupportedOperationException("messages of an inlet are not withdrawn");
    }

    @Override
    public long sequence() {
        return committed;
    }

    @Override
    public long storedSequence() {
        return (long) STORED.getAcquire(this);
    }

    @Override
    public TopicEnd found() {
        return found;
    }

    /** Has no effect, as the writer is closed with the loop's part. */
    @Override
    public void close() {}

    /** Copies the released frames into the topic, as far as there is room. */
    @Override
    public int onTick(Outlet out) {
        long last = (long) RELEASED.getAcquire(this);
        long before = taken;
        long sequence = before;
        while (sequence < last && tryCopy(sequence + 1, (WriterOutlet) out)) {
            sequence++;
        }
        TAKEN.setRelease(this, sequence);
        return (int) (sequence - before);
    }

    private boolean tryCopy(long sequence, WriterOutlet out) {
        int at = index(sequence);
        frame.wrap(memories[at], starts[at], lengths[at]);
        if (!frame.isPlain()) {
            frame.validate();
        }
        int length = frame.length();
        Claim claim = out.claim(length, frame.originNanos(), field(Extension.KEY, key), field(Extension.TRACE, trace));
        if (claim == null) {
            refusals.refused(out.writer());
            return false;
        }
        refusals.granted();
        claim.type(frame.type())
                .putBytes(0, memories[at], frame.offset(0, length), length)
                .commit(length);
        return true;
    }

    /** Copies a field of the frame; null if the frame has none. */
    private ByteBuffer field(int id, ByteBuffer copy) {
        int at = frame.isPlain() ? Extension.NONE : frame.field(id);
        if (at == Extension.NONE) {
            return null;
        }
        int length = frame.fieldLength(at);
        frame.getFieldBytes(at, copy.array(), 0, length);
        return copy.limit(length);
    }

    @Override
    public boolean isOwed() {
        return taken < (long) RELEASED.getAcquire(this);
    }

    @Override
    public boolean isOnlyCopy() {
        return true;
    }

    @Override
    public void stored(long sequence) {
        if (sequence != stored) {
            STORED.setRelease(this, sequence);
        }
    }

    @Override
    public void ended() {}
}
