package dev.baton.chronicle.format;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The bytes of a file, read through a window and never mapped: a file that is cut short meanwhile gives zeros, where
 * a mapped one would end the JVM. Confined to one thread.
 */
final class FileBytes implements AutoCloseable {
    private static final int WINDOW = 256 << 10;

    private final FileChannel channel;
    private final ByteBuffer window;
    private long from;
    private int filled;

    FileBytes(Path file) throws IOException {
        this(file, WINDOW);
    }

    /** With a window of this size, for readers of a small part. */
    FileBytes(Path file, int windowBytes) throws IOException {
        // before anything is allocated: most new topics have no file yet
        if (!Files.readAttributes(file, BasicFileAttributes.class).isRegularFile()) {
            throw new IOException(file.getFileName() + " is no regular file"); // a pipe would be waited for
        }
        channel = FileChannel.open(file, StandardOpenOption.READ);
        window = ByteBuffer.allocate(windowBytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The length of the file now. */
    long size() {
        try {
            return channel.size();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the file is at least so long. Asks the system only for what the window does not show. */
    boolean reaches(long end) {
        return filled > 0 && end <= from + filled || end <= size();
    }

    /** Four bytes as one number; what lies behind the end is zero. */
    int word(long at) {
        if (at < from || at + Integer.BYTES > from + filled) {
            fill(at);
        }
        return at + Integer.BYTES > from + filled ? 0 : window.getInt((int) (at - from));
    }

    /** Eight bytes as one number; what lies behind the end is zero. */
    long number(long at) {
        return word(at) & 0xFFFF_FFFFL | (long) word(at + Integer.BYTES) << Integer.SIZE;
    }

    /** Copies bytes to the start of a buffer; false when the file ends before. */
    boolean copy(long at, int length, ByteBuffer target) {
        if (at >= from && at + length <= from + filled) {
            target.put(0, window, (int) (at - from), length);
            return true;
        }
        target.clear().limit(length);
        boolean isWhole = read(at, target);
        target.clear();
        return isWhole;
    }

    /** Makes the next look one at the file, not at the window. */
    void forget() {
        filled = 0;
    }

    private void fill(long at) {
        from = at;
        window.clear();
        read(at, window);
        filled = window.position();
        window.clear();
    }

    private boolean read(long at, ByteBuffer target) {
        try {
            int last = 0;
            while (target.hasRemaining() && last >= 0) {
                last = channel.read(target, at + target.position());
            }
            return last >= 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
