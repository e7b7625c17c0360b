package dev.baton.test.guard;

import dev.baton.Claim;
import dev.baton.Message;
import java.nio.ByteBuffer;

/** A claim that records its message at the commit. Confined to the thread of its callback. */
final class GuardedClaim implements Claim {
    private final Claim claim;
    private final GuardedOutlet outlet;
    private final ByteBuffer key; // null for none
    private int type;

    GuardedClaim(Claim claim, GuardedOutlet outlet, ByteBuffer key) {
        this.claim = claim;
        this.outlet = outlet;
        this.key = key;
    }

    @Override
    public int maxLength() {
        return claim.maxLength();
    }

    @Override
    public Claim type(int chosen) {
        claim.type(chosen);
        type = chosen;
        return this;
    }

    @Override
    public Claim putByte(int index, byte value) {
        claim.putByte(index, value);
        return this;
    }

    @Override
    public Claim putShort(int index, short value) {
        claim.putShort(index, value);
        return this;
    }

    @Override
    public Claim putInt(int index, int value) {
        claim.putInt(index, value);
        return this;
    }

    @Override
    public Claim putLong(int index, long value) {
        claim.putLong(index, value);
        return this;
    }

    @Override
    public Claim putDouble(int index, double value) {
        claim.putDouble(index, value);
        return this;
    }

    @Override
    public Claim putBytes(int index, byte[] source, int offset, int count) {
        claim.putBytes(index, source, offset, count);
        return this;
    }

    @Override
    public Claim putBytes(int index, ByteBuffer source, int offset, int count) {
        claim.putBytes(index, source, offset, count);
        return this;
    }

    @Override
    public ByteBuffer payload() {
        return claim.payload();
    }

    @Override
    public Claim putPayload(Message source) {
        claim.putPayload(source instanceof GuardedMessage guarded ? guarded.live() : source);
        return this;
    }

    @Override
    public long commit(int length) {
        ByteBuffer sent = null;
        if (length >= 0 && length <= claim.maxLength()) {
            ByteBuffer filled = claim.payload();
            sent = ByteBuffer.allocate(length).put(0, filled, filled.position(), length);
        }
        long sequence = claim.commit(length);
        outlet.sent(new Sent(type, key, sent));
        return sequence;
    }

    @Override
    public void abort() {
        claim.abort();
    }
}
