package dev.baton.engine.message;

import dev.baton.Claim;
import dev.baton.Message;
import dev.baton.spi.Frame;
import java.nio.ByteBuffer;

/** A claim of a frame. Its writing end reuses it for each message. Confined to its thread. */
public final class OpenClaim implements Claim {
    /** The writing end to which a claim is committed. */
    public interface End {
        /** Sends the frame and returns its sequence. */
        long commit(Frame frame, int length, int type, long originNanos);

        /** Releases the frame's space. */
        void abort();
    }

    private final End end;
    private Frame frame;
    private boolean isOpen;
    private int maxLength;
    private int type;
    private long originNanos;
    private MemoryView payload; // null until first use

    public OpenClaim(End end) {
        this.end = end;
    }

    public OpenClaim open(Frame claimed, int length, long origin) {
        if (frame != claimed) {
            frame = claimed; // writers reuse one view, so this is rarely stored
        }
        isOpen = true;
        maxLength = length;
        originNanos = origin;
        type = 0;
        return this;
    }

    public boolean isOpen() {
        return isOpen;
    }

    @Override
    public int maxLength() {
        return maxLength;
    }

    @Override
    public Claim type(int newType) {
        type = newType;
        return this;
    }

    @Override
    public Claim putByte(int index, byte value) {
        live().putByte(index, value);
        return this;
    }

    @Override
    public Claim putShort(int index, short value) {
        live().putShort(index, value);
        return this;
    }

    @Override
    public Claim putInt(int index, int value) {
        live().putInt(index, value);
        return this;
    }

    @Override
    public Claim putLong(int index, long value) {
        live().putLong(index, value);
        return this;
    }

    @Override
    public Claim putDouble(int index, double value) {
        live().putDouble(index, value);
        return this;
    }

    @Override
    public Claim putBytes(int index, byte[] source, int offset, int count) {
        live().putBytes(index, source, offset, count);
        return this;
    }

    @Override
    public Claim putBytes(int index, ByteBuffer source, int offset, int count) {
        Frame claimed = live();
        claimed.memory().put(claimed.offset(index, count), source, offset, count);
        return this;
    }

    @Override
    public ByteBuffer payload() {
        return payload(maxLength);
    }

    /** Returns a view of the first bytes. */
    public ByteBuffer payload(int length) {
        Frame claimed = live();
        if (payload == null) {
            payload = new MemoryView(false);
        }
        return payload.of(claimed.memory(), claimed.offset(0, length), length);
    }

    @Override
    public Claim putPayload(Message source) {
        if (source instanceof InboundMessage inbound) {
            live().putPayload(inbound.frame(), inbound.length());
        } else {
            for (int i = 0; i < source.length(); i++) {
                live().putByte(i, source.getByte(i));
            }
        }
        return this;
    }

    @Override
    public long commit(int length) {
        Frame filled = live();
        if (length < 0 || length > maxLength) {
            throw wrongLength(length, maxLength);
        }
        drop();
        return end.commit(filled, length, type, originNanos);
    }

    @Override
    public void abort() {
        if (isOpen) {
            drop();
            end.abort();
        }
    }

    /** Ends the claim without notifying its writing end. */
    public void drop() {
        isOpen = false;
        MemoryView.end(payload);
    }

    public static IllegalArgumentException wrongLength(int length, int maxLength) {
        return new IllegalArgumentException(
                "commit of " + length + " bytes; 0 to the claimed " + maxLength + " are allowed");
    }

    /** Returns the frame of the open claim; throws if the claim has ended. */
    public Frame live() {
        if (!isOpen) {
            throw new IllegalStateException(
                    "this claim was committed or aborted, or its chain has failed or was closed; claim again");
        }
        return frame;
    }
}
