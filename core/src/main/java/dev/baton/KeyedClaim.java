package dev.baton;

import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import java.nio.ByteBuffer;

/**
 * A claim whose frame has a key: an open claim that was made longer by what the key takes. Opened again and again by the end
 * it sends through. Confined to its thread.
 */
final class KeyedClaim implements Claim {
    private OpenClaim claim;
    private int maxLength;
    private int added; // bytes that the key takes

    /** The most bytes that have to be claimed for a payload of {@code maxLength} and this key. */
    static int bytes(int maxLength, ByteBuffer key) {
        if (maxLength < 0) {
            throw new IllegalArgumentException("claim of " + maxLength + " bytes; 0 or more is allowed");
        }
        if (key.remaining() > Extension.MAX_FIELD_BYTES) {
            throw new IllegalArgumentException(
                    "a key of " + key.remaining() + " bytes; 0 to " + Extension.MAX_FIELD_BYTES + " are allowed");
        }
        return Math.addExact(maxLength, Extension.bytes(key.remaining()));
    }

    /** Gives a claim of so many bytes its key; null for none. */
    Claim open(Claim claimed, int longest, ByteBuffer key) {
        if (claimed == null) {
            return null;
        }
        claim = (OpenClaim) claimed;
        maxLength = longest;
        Frame frame = claim.live();
        int before = frame.extensionBytes();
        int length = key.remaining();
        int at = frame.addField(Extension.KEY, length);
        frame.memory().put(frame.fieldOffset(at, length), key, key.position(), length);
        added = frame.extensionBytes() - before;
        return this;
    }

    @Override
    public int maxLength() {
        return maxLength;
    }

    @Override
    public Claim type(int type) {
        claim.type(type);
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
    public Claim putPayload(Message source) {
        claim.putPayload(source);
        return this;
    }

    @Override
    public ByteBuffer payload() {
        return claim.payload(maxLength);
    }

    @Override
    public long commit(int length) {
        if (length < 0 || length > maxLength) {
            throw OpenClaim.wrongLength(length, maxLength);
        }
        return claim.commit(length + added);
    }

    @Override
    public void abort() {
        claim.abort();
    }
}
