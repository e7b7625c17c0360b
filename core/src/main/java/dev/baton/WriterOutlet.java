package dev.baton;

import dev.baton.run.Environment;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Stamps and commits what services, sources and inlets send: the one place where a frame's header is written. Confined
 * to the thread of its writer.
 */
class WriterOutlet implements Outlet, OpenClaim.End {
    private static final int TICK_HOPS = 1;

    private final TopicWriter writer;
    private final int maxOutputs;
    private final Environment environment;
    private final boolean isDated;
    private final OpenClaim claim = new OpenClaim(this);

    private int left;
    private boolean inTick;
    private int hops;
    private long cause;
    private long origin;
    private long sentNanos;
    private boolean isPlain; // what is sent is written, without a date
    private Frame dropped; // null: what is sent is written
    private long wallNanos; // origin of the input in hand by the wall clock
    private int added; // bytes that the open claim's date takes of its payload

    /**
     * Writes through {@code writer}.
     *
     * @param maxOutputs per input
     * @param isDated whether frames carry their origin by the wall clock
     */
    WriterOutlet(TopicWriter writer, int maxOutputs, Environment environment, boolean isDated) {
        this.writer = writer;
        this.maxOutputs = maxOutputs;
        this.environment = environment;
        this.isDated = isDated;
        this.isPlain = !isDated;
    }

    TopicWriter writer() {
        return writer;
    }

    /** From here on commits share a reading of the clock, taken at the first of them. */
    void beginBatch() {
        sentNanos = 0;
    }

    /** That reading of the clock, 0 before the batch's first commit. */
    long sentNanos() {
        return sentNanos;
    }

    /** What is sent from here on answers an input. */
    void beginInput(int outputHops, long sequence, InboundMessage input) {
        inTick = false;
        left = maxOutputs;
        hops = outputHops;
        cause = sequence;
        origin = input.originNanos();
        if (isDated) {
            wallNanos = input.originWallNanos();
        }
    }

    /**
     * What is sent from here on is sent by a tick of a service, or as its last word, at this time.
     *
     * @param tickCause that says so, and after which input
     */
    void beginServiceTick(long tickCause, long nanos) {
        inTick = true;
        hops = TICK_HOPS;
        cause = tickCause;
        origin = nanos;
    }

    /** What is sent from here on begins its way here; its origin is the time of the claim. */
    void beginSource() {
        inTick = true;
        hops = 0;
        cause = 0;
        origin = Message.UNKNOWN_TIME;
    }

    /** Whether what is sent is dropped: it is stored already. */
    void drop(boolean isDropping) {
        dropped = isDropping ? new Frame() : null;
        isPlain = !isDropping && !isDated;
    }

    /** Ends a callback: what it claimed has to be committed or aborted by now. */
    void end() {
        if (claim.isOpen()) {
            claim.abort();
            throw new IllegalStateException("the callback returned with an open claim; commit or abort it");
        }
    }

    @Override
    public int room() {
        return inTick ? writer.room() : Math.min(left, writer.room());
    }

    @Override
    public long sequence() {
        return writer.sequence();
    }

    @Override
    public Claim claim(int maxLength) {
        return claim(maxLength, inTick && hops == 0 ? environment.nanoTime() : origin);
    }

    @Override
    public Claim claim(int maxLength, long originNanos) {
        if (!inTick && left == 0) {
            throw new IllegalStateException("maxOutputs is " + maxOutputs + " and used up; raise it in the service");
        }
        Frame frame = isPlain ? writer.claim(maxLength) : claimOther(maxLength, originNanos);
        return frame == null ? null : claim.open(frame, maxLength, originNanos);
    }

    private Frame claimOther(int maxLength, long originNanos) {
        if (dropped != null) {
            return claimDropped(maxLength);
        }
        Frame frame = writer.claim(Math.addExact(maxLength, Writers.DATE_BYTES));
        if (frame != null) {
            date(frame, originNanos);
        }
        return frame;
    }

    /** To the transport the date is the beginning of the payload. */
    private void date(Frame frame, long originNanos) {
        int before = frame.extensionBytes();
        boolean beginsHere = inTick || originNanos != origin;
        frame.putFieldLong(
                frame.addField(Extension.WALL_CLOCK, Extension.WALL_CLOCK_BYTES),
                beginsHere ? originNanos + environment.wallNanos() - environment.nanoTime() : wallNanos);
        added = frame.extensionBytes() - before;
    }

    private Frame claimDropped(int maxLength) {
        ByteBuffer memory = ByteBuffer.allocate(Frame.HEADER_BYTES + maxLength).order(ByteOrder.LITTLE_ENDIAN);
        return dropped.wrap(memory, 0, maxLength);
    }

    @Override
    public long commit(Frame frame, int length, int type, long originNanos) {
        if (dropped != null) {
            left--;
            return writer.sequence();
        }
        if (sentNanos == 0) {
            sentNanos = environment.nanoTime();
        }
        frame.stamp(hops, type, cause, originNanos, sentNanos);
        long sequence = writer.commit(length + added);
        left--;
        return sequence;
    }

    @Override
    public void abort() {
        if (dropped == null) {
            writer.abort();
        }
    }

    /** Gives an open claim back, if there is one. */
    void abortOpenClaim() {
        claim.abort();
    }

    /** Forbids an open claim to be used; the writer gets its room back when it closes. Not only the writer's thread. */
    void dropOpenClaim() {
        claim.drop();
    }
}
