package dev.baton.engine.writing;

import dev.baton.Claim;
import dev.baton.Message;
import dev.baton.engine.message.OpenClaim;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import java.nio.ByteBuffer;

/**
 * A claim whose frame has a key, a trace context or both: an open claim that is longer by their bytes. Its writing end
 * reuses it for each message. Confined to its thread.
 */
public final class KeyedClaim implements Claim {
    private OpenClaim claim;
    private int maxLength;
    private int added; // bytes of the fields

    /** Returns the number of bytes to claim for a payload of up to {@code maxLength} bytes and this key. */
    public static int bytes(int maxLength, ByteBuffer key) {
        if (maxLength < 0) {
            throw new IllegalArgumentException("claim of " + maxLength + " bytes; 0 or more is allowed");
        }
        if (key.remaining() > Extension.MAX_FIELD_BYTES) {
            throw new IllegalArgumentException(
                    "a key of " + key.remaining() + " bytes; 0 to " + Extension.MAX_FIELD_BYTES + " are allowed");
        }
        return Math.addExact(maxLength, Extension.bytes(key.remaining()));
    }

    /** Returns the number of bytes to claim for a payload, a key and a trace context, each null for none. */
    public static int bytes(int maxLength, ByteBuffer key, ByteBuffer trace) {
        int withKey = key == null ? maxLength : bytes(maxLength, key);
        if (trace == null) {
            return withKey;
        }
        checkTrace(trace);
        return Math.addExact(withKey, TracingWriter.BYTES);
    }

    static void checkTrace(ByteBuffer trace) {
        if (trace.remaining() != Extension.TRACE_BYTES) {
            throw new IllegalArgumentException(
                    "a trace context of " + trace.remaining() + " bytes; it has " + Extension.TRACE_BYTES);
        }
    }

    /** Writes the key into a claim of this number of bytes; returns null for no claim. */
    public Claim open(Claim claimed, int longest, ByteBuffer key) {
        return open(claimed, longest, key, null);
    }

    /**
     * Writes the key and the trace context, each null for none, into a claim of this number of bytes; returns null for no
     * claim.
     */
    public Claim open(Claim claimed, int longest, ByteBuffer key, ByteBuffer trace) {
        if (claimed == null) {
            return null;
        }
        claim = (OpenClaim) claimed;
        maxLength = longest;
        Frame frame = claim.live();
        int before = frame.extensionBytes();
        if (key != null) {
            int length = key.remaining();
            put(frame, frame.addField(Extension.KEY, length), key, length);
        }
        if (trace != null) {
            int given = frame.extensionBytes() == 0 ? Extension.NONE : frame.field(Extension.TRACE); // of the input
            int at = given == Extension.NONE ? frame.addField(Extension.TRACE, Extension.TRACE_BYTES) : given;
            put(frame, at, trace, Extension.TRACE_BYTES);
        }
        added = frame.extensionBytes() - before;
        return this;
    }

    private static void put(Frame frame, int at, ByteBuffer value, int length) {
        frame.memory().put(frame.fieldOffset(at, length), value, value.position(), length);
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
