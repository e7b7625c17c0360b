package dev.baton.aeron.ipc;

import dev.baton.aeron.AeronOptions;
import dev.baton.aeron.log.FragmentLayout;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.Interrupts;
import io.aeron.Image;
import io.aeron.LogBuffers;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.LogBufferDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicLongPosition;

/**
 * The log of a publication under a second name, which stays when the media driver removes the publication of a process that
 * has ended. Readers map it. Thread-safe.
 */
final class LogFile implements AutoCloseable {
    /** Begins the second names; the log position at which the log begins follows. */
    static final String PREFIX = "log-";

    private static final ByteBuffer ZEROS =
            ByteBuffer.allocateDirect(AeronOptions.LEAST_TERM).asReadOnlyBuffer(); // its position is never moved
    private static final int PARTITIONS = LogBufferDescriptor.PARTITION_COUNT;

    int users; // guarded by the topic
    private final LogBuffers buffers;

    private LogFile(LogBuffers buffers) {
        this.buffers = buffers;
    }

    /** Returns whether there is a log that begins at a position. */
    static boolean exists(Path topic, long begin) {
        return Files.exists(topic.resolve(PREFIX + begin));
    }

    /**
     * Gives the log of a publication its second name, a hard link.
     *
     * @throws IOException when another log has the name
     */
    static void link(Path topic, long begin, Path driver, long publication) throws IOException {
        Files.createLink(topic.resolve(PREFIX + begin), path(driver, publication));
    }

    /** Returns the file of a publication. */
    static Path path(Path driver, long publication) {
        return driver.resolve("publications").resolve(publication + ".logbuffer");
    }

    /**
     * Takes the pages of the terms of a log to which nothing was written.
     *
     * @throws IOException when the file system is full
     */
    static void takePages(Path log, int termLength) throws IOException {
        ByteBuffer zeros = ZEROS.duplicate();
        long terms = (long) PARTITIONS * termLength;
        try (FileChannel file = FileChannel.open(log, StandardOpenOption.WRITE)) {
            for (long at = 0; at < terms; at += file.write(zeros, at)) {
                zeros.clear().limit((int) Math.min(zeros.capacity(), terms - at));
            }
        }
    }

    /** Removes the second name; mappings stay. */
    static void unlink(Path topic, long begin) throws IOException {
        Files.deleteIfExists(topic.resolve(PREFIX + begin));
    }

    /**
     * Maps a log.
     *
     * @throws TransportException when there is none, or it cannot be mapped
     */
    static LogFile map(Path topic, long begin) {
        Path file = topic.resolve(PREFIX + begin);
        try {
            return Interrupts.without(() -> new LogFile(new LogBuffers(file.toString())));
        } catch (Exception failed) { // Aeron throws an IOException that it does not declare
            throw new TransportException(
                    "the log " + file + " of topic '" + topic.getFileName() + "' cannot be mapped: " + failed, failed);
        }
    }

    /** Returns an image of the log, which no subscription of the media driver has. */
    Image image(long position) {
        AtomicLongPosition subscriber = new AtomicLongPosition();
        subscriber.set(position);
        int session = LogBufferDescriptor.initialTermId(buffers.metaDataBuffer());
        return new Image(null, session, subscriber, buffers, failure -> {}, "log", 0);
    }

    /** Receives the last frame of each fragment. */
    interface Visitor {
        void onFragment(ByteBuffer memory, int frame, int payload, long sequence, long end);
    }

    /** Visits the fragments that are complete, from a log position on, and returns the position behind them. */
    long walk(long from, Visitor visitor) {
        UnsafeBuffer[] terms = buffers.duplicateTermBuffers();
        int termLength = buffers.termLength();
        int first = LogBufferDescriptor.initialTermId(buffers.metaDataBuffer());
        long position = from;
        while (true) {
            int term = (int) (position / termLength);
            int offset = (int) (position & termLength - 1);
            UnsafeBuffer memory = terms[term % PARTITIONS];
            int length = FrameDescriptor.frameLengthVolatile(memory, offset);
            if (length <= 0 || FrameDescriptor.frameTermId(memory, offset) != first + term) {
                return position;
            }
            position += BitUtil.align(length, FrameDescriptor.FRAME_ALIGNMENT);
            if (!FrameDescriptor.isPaddingFrame(memory, offset)) {
                visit(memory, offset + DataHeaderFlyweight.HEADER_LENGTH, offset + length, position, visitor);
            }
        }
    }

    private static void visit(UnsafeBuffer term, int begin, int end, long position, Visitor visitor) {
        ByteBuffer memory = term.byteBuffer().duplicate().order(ByteOrder.LITTLE_ENDIAN);
        int shift = term.wrapAdjustment();
        int last = begin;
        int next = begin;
        while (next < end) {
            last = next;
            next += FragmentLayout.stagedBytes(memory.getInt(shift + next));
        }
        int frame = shift + last + FragmentLayout.FRAME_OFFSET;
        visitor.onFragment(
                memory,
                frame,
                memory.getInt(shift + last),
                FragmentLayout.firstSequence(memory, shift + last),
                position);
    }

    @Override
    public void close() {
        buffers.close();
    }
}
