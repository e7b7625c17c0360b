package dev.baton.engine.writing;

import dev.baton.Claim;
import dev.baton.engine.message.InboundMessage;
import dev.baton.run.Environment;
import dev.baton.spi.Frame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * An outlet that drops messages because they are already stored: all messages, or a given number of them. It writes later
 * ones. Confined to its thread.
 */
public final class DroppingOutlet extends WriterOutlet {
    private static final long ALL = Long.MAX_VALUE;

    private final Frame frame = new Frame();
    private long drops = ALL; // number of messages to drop
    private long dropsBefore = ALL; // value at the beginning of the callback
    private boolean isDropping; // whether the open claim is to be dropped
    private boolean isTick;

    public DroppingOutlet(FrameWriter frames, int maxOutputs, Environment environment, InboundMessage input) {
        super(frames, maxOutputs, environment, input);
    }

    /** Sets the number of messages to drop. */
    public void drop(long messages) {
        drops = messages;
        dropsBefore = messages;
    }

    /** Returns the number of messages that are still to be dropped, {@link Long#MAX_VALUE} for all. */
    public long drops() {
        return drops;
    }

    /** Begins a callback. In a tick there is only room for the messages that are to be dropped. */
    public void begin(boolean ofTick) {
        dropsBefore = drops;
        isTick = ofTick;
    }

    /** Restores the state at the beginning of a callback that has thrown. */
    public void rollBack() {
        abortOpenClaim();
        drops = dropsBefore;
    }

    @Override
    int room() {
        int room = super.room();
        return drops == ALL ? room : (int) Math.min(Integer.MAX_VALUE, isTick ? drops : drops + room);
    }

    @Override
    public Claim claim(int maxLength, long originNanos, ByteBuffer key, ByteBuffer trace) {
        isDropping = drops > 0;
        if (!isDropping) {
            return isTick ? null : super.claim(maxLength, originNanos, key, trace);
        }
        checkOutputs();
        checkNoOpenClaim();
        frames().check(maxLength, key, trace); // refuses what the writer would refuse
        ByteBuffer memory = ByteBuffer.allocate(Frame.HEADER_BYTES + maxLength).order(ByteOrder.LITTLE_ENDIAN);
        return open(frame.wrap(memory, 0, maxLength), maxLength, originNanos);
    }

    @Override
    public Claim claim(int maxLength, long originNanos) {
        isDropping = drops > 0;
        return isDropping || isTick ? claim(maxLength, originNanos, null, null) : super.claim(maxLength, originNanos);
    }

    @Override
    boolean forwardPlain(InboundMessage in, long originNanos) {
        return forwardByClaim(in, originNanos);
    }

    @Override
    public long commit(Frame filled, int length, int type, long originNanos) {
        if (!isDropping) {
            return super.commit(filled, length, type, originNanos);
        }
        stamp(filled, type, originNanos);
        if (drops != ALL) {
            drops--;
        }
        return sequence();
    }

    @Override
    public void abort() {
        if (!isDropping) {
            super.abort();
        }
    }
}
