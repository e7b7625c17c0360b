package dev.baton.measuring.machine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A small file of the kernel that is read repeatedly: kept open, read from its beginning, and parsed in place, so that reading allocates
 * nothing. Confined to one thread.
 */
final class KernelFile implements AutoCloseable {
    private final FileChannel channel;
    private final ByteBuffer bytes;

    private KernelFile(FileChannel channel, int mostBytes) {
        this.channel = channel;
        bytes = ByteBuffer.allocateDirect(mostBytes);
    }

    /** Opens it; null when it does not exist. @param mostBytes further bytes are not read */
    static KernelFile open(Path file, int mostBytes) {
        try {
            return new KernelFile(FileChannel.open(file, StandardOpenOption.READ), mostBytes);
        } catch (IOException absent) {
            return null;
        }
    }

    /** Takes a new reading. @return false when the file no longer exists, as for a thread that has ended */
    boolean read() {
        try {
            bytes.clear();
            channel.read(bytes, 0);
            return bytes.flip().hasRemaining();
        } catch (IOException gone) {
            return false;
        }
    }

    /** {@return the index behind the last of these characters; 0 for none} */
    int behindLast(char mark) {
        for (int at = bytes.limit() - 1; at >= 0; at--) {
            if (bytes.get(at) == mark) {
                return at + 1;
            }
        }
        return 0;
    }

    /** {@return the index of the next line; -1 for none} */
    int nextLine(int from) {
        for (int at = from; at < bytes.limit() - 1; at++) {
            if (bytes.get(at) == '\n') {
                return at + 1;
            }
        }
        return -1;
    }

    /** {@return whether these characters are at an index} */
    boolean has(int from, String text) {
        if (from + text.length() > bytes.limit()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (bytes.get(from + i) != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** The number in a word of the line, counted from 0 at that index; -1 when the word is no number. */
    long number(int from, int word) {
        int at = from;
        for (int left = word; ; left--) {
            while (at < bytes.limit() && bytes.get(at) == ' ') {
                at++;
            }
            if (left == 0) {
                break;
            }
            while (at < bytes.limit() && bytes.get(at) > ' ') {
                at++;
            }
        }
        long number = -1;
        while (at < bytes.limit() && bytes.get(at) >= '0' && bytes.get(at) <= '9') {
            number = Math.max(0, number) * 10 + bytes.get(at++) - '0';
        }
        return number;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException left) {
            // it was only read
        }
    }
}
