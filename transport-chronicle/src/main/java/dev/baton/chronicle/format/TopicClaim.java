package dev.baton.chronicle.format;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import net.openhft.chronicle.core.io.IOTools;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;

/**
 * The writer lock of a topic whose queue is not open, taken in its metadata file without the library, so that no process
 * begins to write it while it is repaired or deleted. A topic without metadata, or with damaged metadata, has no lock, and
 * no process can open it. Confined to one thread.
 */
public final class TopicClaim implements AutoCloseable {
    private static final VarHandle NUMBERS =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final ByteBuffer metadata; // null: nothing is claimed
    private final int writer;
    private final long process;
    private final long user;
    private boolean isTaken;

    private TopicClaim(ByteBuffer metadata, int writer, long process, LongPredicate isAlive) {
        this.metadata = metadata;
        this.writer = writer;
        this.process = process;
        user = metadata == null ? 0 : claim(isAlive);
    }

    /**
     * Claims a topic unless a live process writes it. This process has no writer of it.
     *
     * @param isAlive whether the process with a number lives
     * @param process number of this process
     */
    static TopicClaim of(Path directory, LongPredicate isAlive, long process) throws IOException {
        try {
            long place = StoredMetadata.placeOf(directory, StoredMetadata.WRITER_PROCESS);
            if (place >= 0 && place % Long.BYTES == 0) {
                Path metadata = directory.resolve(SingleChronicleQueue.QUEUE_METADATA_FILE);
                try (FileChannel file = FileChannel.open(metadata, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                    ByteBuffer mapped =
                            file.map(MapMode.READ_WRITE, 0, place + Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
                    return new TopicClaim(mapped, (int) place, process, isAlive);
                }
            }
        } catch (NoSuchFileException | FileDefect notInUse) {
            // no process can open it
        }
        return none();
    }

    /** Returns a claim of nothing. */
    static TopicClaim none() {
        return new TopicClaim(null, 0, 0, number -> false);
    }

    private long claim(LongPredicate isAlive) {
        while (true) {
            long found = (long) NUMBERS.getVolatile(metadata, writer);
            if (found == process) {
                return 0; // left by a writer of this process that failed
            }
            if (isAlive.test(found)) {
                return found;
            }
            if (NUMBERS.compareAndSet(metadata, writer, found, process)) {
                isTaken = true;
                return 0;
            }
        }
    }

    /** {@return whether this claim has taken the lock, which nothing that lives had} */
    boolean isTaken() {
        return isTaken;
    }

    /** {@return the number of the live process that writes the topic; 0 for none} */
    public long writer() {
        return user;
    }

    /**
     * {@return the number of a live process that reads the topic; 0 for none} It stays the same while the caller excludes
     * other users of the metadata.
     *
     * @param isReader whether a name in the metadata is that of the number of a reader's process
     */
    public long reader(Path directory, Predicate<String> isReader, LongPredicate isAlive) throws IOException {
        if (metadata == null) {
            return 0;
        }
        try {
            for (Map.Entry<String, Long> number : StoredMetadata.of(directory).entrySet()) {
                if (isReader.test(number.getKey()) && isAlive.test(number.getValue())) {
                    return number.getValue();
                }
            }
        } catch (FileDefect damaged) {
            // no process can open it
        }
        return 0;
    }

    /** Ends the claim, also in metadata that are deleted, which another process may have open. */
    @Override
    public void close() {
        if (metadata != null) {
            if (isTaken) {
                NUMBERS.compareAndSet(metadata, writer, process, 0L);
            }
            IOTools.clean(metadata);
        }
    }
}
