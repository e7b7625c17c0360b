package dev.baton.chronicle.log;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import net.openhft.chronicle.bytes.Bytes;

/**
 * Memory off the heap, viewed as a little-endian buffer by frames and as bytes by Chronicle. The garbage collector
 * frees it with the buffer. Confined to the thread of its {@link ScratchPool}.
 */
public final class Scratch {
    public final ByteBuffer buffer;
    /** Computes the checksums of what lies in it. */
    public final CRC32C crc = new CRC32C();

    private final Bytes<ByteBuffer> bytes;
    private final long address;

    /** Its number among those of its size in its pool. */
    final int number;

    Scratch(int capacity, int number) {
        this.number = number;
        buffer = ByteBuffer.allocateDirect(capacity).order(ByteOrder.LITTLE_ENDIAN);
        bytes = Bytes.wrapForRead(buffer);
        bytes.singleThreadedCheckDisabled(true);
        address = bytes.addressForRead(0);
    }

    public int capacity() {
        return buffer.capacity();
    }

    /** Returns Chronicle's view of a part, valid until the next call. */
    public Bytes<ByteBuffer> part(int offset, int length) {
        bytes.readPositionRemaining(offset, length);
        return bytes;
    }

    /** Copies the unread rest of a document, {@code length} bytes of it, in one piece where it lies in one mapping. */
    void fill(Bytes<?> document, int length) {
        long position = document.readPosition();
        if (document.bytesStore().inside(position, length)) {
            document.nativeRead(position, address, length);
        } else {
            buffer.clear().limit(length);
            document.read(buffer);
            buffer.clear();
        }
    }
}
