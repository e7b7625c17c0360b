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

    /** Opens a file with a window of this size, for readers of a small part. */
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

    /** Returns whether the file is at least so long. Calls the system only for bytes beyond the window. */
    boolean reaches(long end) {
        return filled > 0 && end <= from + filled || end <= size();
    }

    /** Returns four bytes as one number; bytes behind the end are zero. */
    int word(long at) {
        if (at < from || at + Integer.BYTES > from + filled) {
            fill(at);
        }
        return at + Integer.BYTES > from + filled ? 0 : window.getInt((int) (at - from));
    }

    /** Returns eight bytes as one number; bytes behind the end are zero. */
    long number(long at) {
        return word(at) & 0xFFFF_FFFFL | (long) word(at + Integer.BYTES) << Integer.SIZE;
    }

    /** Copies bytes to the start of a buffer; returns false when the file ends before. */
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

    /** Empties the window, so that the next access reads the file. */
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
