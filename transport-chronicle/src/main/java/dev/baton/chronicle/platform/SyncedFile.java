package dev.baton.chronicle.platform;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import net.openhft.chronicle.core.io.IOTools;

/**
 * A file or directory that is open to be synced by {@code fdatasync(2)}, which writes its length and all of its changed
 * pages, including those that other processes mapped.
 *
 * <p>Chronicle's own {@code sync} reaches only the block that an appender is in, and logs a failure without reporting
 * it. Linux reports a failed write once to each open file: a file that is written for long is therefore kept open, and
 * nothing else syncs it. An {@link AsynchronousFileChannel}, whose {@code force} blocks, stays open when its thread is
 * interrupted. Confined to one thread.
 */
public final class SyncedFile implements AutoCloseable {
    private static final VarHandle INTS = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private static final int PAGE = 4 << 10;
    private static final long MAPPED = 64 << 20;

    private final Path path;
    private final AsynchronousFileChannel channel;
    private final Device device;

    private SyncedFile(Path path, AsynchronousFileChannel channel, Device device) {
        this.path = path;
        this.channel = channel;
        this.device = device;
    }

    public static SyncedFile open(Path path, Device device) throws IOException {
        return new SyncedFile(path, AsynchronousFileChannel.open(path, StandardOpenOption.READ), device);
    }

    /** Blocks until the storage device has all of the file; when this throws, it may not have it. */
    public void sync() throws IOException {
        device.force(path, channel);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    /** Syncs a file, or the names in a directory, once. Drops the locks of this process on a file. */
    public static void sync(Path path, Device device) throws IOException {
        if (device == Device.NONE) {
            return;
        }
        try (SyncedFile file = open(path, device)) {
            file.sync();
        }
    }

    /**
     * Creates a file with a text in UTF-8, whole or not at all; leaves one that exists, or that another process creates, as it
     * is. Returns whether it was created here.
     */
    public static boolean create(Path file, String text, Device device) throws IOException {
        Path made = Files.createTempFile(file.getParent(), file.getFileName().toString(), ".tmp");
        try {
            Files.writeString(made, text, StandardCharsets.UTF_8);
            sync(made, device); // or a power failure leaves an empty file
            Files.createLink(file, made); // not in place of another's
            return true;
        } catch (FileAlreadyExistsException createdMeanwhile) {
            return false; // by another process
        } catch (UnsupportedOperationException noLinks) {
            Files.move(made, file);
            return true;
        } finally {
            Files.deleteIfExists(made);
        }
    }

    /**
     * Rewrites every page of a file that is not empty with its own content, atomically, so that the next sync writes it
     * again: after a failed write the operating system treats a page as stored. Returns the number of pages.
     */
    public static int markChanged(Path path) throws IOException {
        int pages = 0;
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long size = file.size();
            for (long from = 0; from < size; from += MAPPED) {
                MappedByteBuffer bytes = file.map(FileChannel.MapMode.READ_WRITE, from, Math.min(MAPPED, size - from));
                try {
                    pages += markChanged(bytes);
                } finally {
                    IOTools.clean(bytes); // the mapping ends here, not with a collection
                }
            }
        }
        return pages;
    }

    private static int markChanged(MappedByteBuffer bytes) {
        int pages = 0;
        for (int page = 0; page + Integer.BYTES <= bytes.capacity(); page += PAGE) {
            if (!isEmpty(bytes, page)) {
                int there;
                do {
                    there = (int) INTS.getVolatile(bytes, page);
                } while (!INTS.compareAndSet(bytes, page, there, there));
                pages++;
            }
        }
        return pages;
    }

    /** Returns whether a page has only zeros: it may be a hole, which stays one. */
    private static boolean isEmpty(MappedByteBuffer bytes, int page) {
        int end = Math.min(page + PAGE, bytes.capacity());
        for (int i = page; i < end; i++) {
            if (bytes.get(i) != 0) {
                return false;
            }
        }
        return true;
    }
}
