package dev.baton;

import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;

/**
 * Stamps and commits what services, sources and inlets send: the one place where a frame's header is written. Confined
 * to the thread of its writer.
 */
class WriterOutlet implements Outlet, OpenClaim.End {
    private static final int TICK_HOPS = 1;

    private final TopicWriter writer;
    private final int maxOutputs;
    private final OpenClaim claim = new OpenClaim(this);

    private int left;
    private boolean inTick;
    private int hops;
    private long cause;
    private long origin;
    private long sentNanos;

    /**
     * Writes through {@code writer}.
     *
     * @param maxOutputs per input
     */
    WriterOutlet(TopicWriter writer, int maxOutputs) {
        this.writer = writer;
        this.maxOutputs = maxOutputs;
    }

    TopicWriter writer() {
        return writer;
    }

    /** From here on commits share a reading of the clock, taken at the first of them. */
    void beginBatch() {
        sentNanos = 0;
    }

    void beginInput(Frame input) {
        inTick = false;
        left = maxOutputs;
        hops = input.hops() + 1;
        cause = input.sequence();
        origin = input.originNanos();
    }

    void beginServiceTick(long lastInput) {
        beginTick(TICK_HOPS, lastInput);
    }

    void beginSourceTick() {
        beginTick(0, 0);
    }

    private void beginTick(int tickHops, long tickCause) {
        inTick = true;
        hops = tickHops;
        cause = tickCause;
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
        return claim(maxLength, inTick ? System.nanoTime() : origin);
    }

    @Override
    public Claim claim(int maxLength, long originNanos) {
        if (!inTick && left == 0) {
            throw new IllegalStateException("maxOutputs is " + maxOutputs + " and used up; raise it in the service");
        }
        Frame frame = writer.claim(maxLength);
        return frame == null ? null : claim.open(frame, maxLength, originNanos);
    }

    @Override
    public long commit(Frame frame, int length, int type, long originNanos) {
        if (sentNanos == 0) {
            sentNanos = System.nanoTime();
        }
        frame.stamp(hops, type, cause, originNanos, sentNanos);
        long sequence = writer.commit(length);
        left--;
        return sequence;
    }

    @Override
    public void abort() {
        writer.abort();
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
