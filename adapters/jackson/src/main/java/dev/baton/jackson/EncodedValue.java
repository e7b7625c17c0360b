package dev.baton.jackson;

import dev.baton.Claim;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * The bytes of one value, written once: kept between the call that returns their number and the claim that takes them. Confined to one
 * thread.
 */
final class EncodedValue extends OutputStream {
    /** More bytes than allowed. */
    static final class TooLongException extends IOException {
        private static final long serialVersionUID = 1L;
    }

    private static final int KEPT_BYTES = 1 << 16; // of a longer value only until it is sent

    private byte[] bytes = new byte[256];
    private int length;
    private int maxLength;
    private Object value; // null when these are the bytes of none

    EncodedValue begin(int mostBytes) {
        length = 0;
        maxLength = mostBytes;
        value = null;
        return this;
    }

    @Override
    public void write(int added) throws IOException {
        require(1);
        bytes[length++] = (byte) added;
    }

    @Override
    public void write(byte[] added, int offset, int count) throws IOException {
        require(count);
        System.arraycopy(added, offset, bytes, length, count);
        length += count;
    }

    private void require(int count) throws TooLongException {
        if (count > maxLength - length) {
            throw new TooLongException();
        }
        if (count > bytes.length - length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(maxLength, Math.max(2L * bytes.length, (long) length + count)));
        }
    }

    /**
     * Keeps a value whose bytes these are.
     *
     * @return their number
     */
    int keepFor(Object written) {
        value = written;
        return length;
    }

    boolean isOf(Object asked) {
        return value != null && value == asked;
    }

    /**
     * Writes the bytes to a claim and forgets their value, which may change before it is sent again.
     *
     * @return their number
     */
    int moveTo(Claim into) {
        value = null;
        into.putBytes(0, bytes, 0, length);
        if (bytes.length > KEPT_BYTES) {
            bytes = new byte[256];
        }
        return length;
    }
}
