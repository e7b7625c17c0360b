package dev.baton.jmh;

import dev.baton.chronicle.ChronicleOptions;
import dev.baton.chronicle.ChronicleTransport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.RollCycles;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.wire.DocumentContext;
import org.agrona.IoUtil;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** A hop through a queue: Baton's excerpt for each batch against the reference's excerpt for each message. */
public class ChronicleHop extends TopicHop {
    private static final int HEADER = 5 * Long.BYTES;

    private Path directory;
    private SingleChronicleQueue queue;
    private ExcerptAppender appender;
    private ExcerptTailer tailer;
    private long number;
    private long sum;

    /** Opens both; an iteration's files are removed with it, so each has the same block and index. */
    @Setup(Level.Iteration)
    public void open() throws IOException {
        ChronicleOptions options = ChronicleOptions.defaults();
        directory = Files.createTempDirectory("baton-hop-");
        openBaton(ChronicleTransport.in(directory.resolve("baton"), options));
        queue = SingleChronicleQueueBuilder.single(
                        directory.resolve("reference").toFile())
                .rollCycle(RollCycles.FAST_DAILY)
                .blockSize(options.get(ChronicleOptions.BLOCK_SIZE))
                .indexCount(options.get(ChronicleOptions.INDEX_COUNT))
                .indexSpacing(options.get(ChronicleOptions.INDEX_SPACING))
                .build();
        appender = queue.createAppender();
        tailer = queue.createTailer();
    }

    /** Documents written and read; the tailer has no name, so that its position is stored nowhere. */
    @Override
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public long reference() {
        for (int done = 0; done < MESSAGES; done += batch) {
            for (int i = 0; i < batch; i++) {
                write(++number);
            }
            for (int i = 0; i < batch; i++) {
                read();
            }
        }
        return sum;
    }

    private void write(long value) {
        try (DocumentContext document = appender.writingDocument()) {
            write(document.wire().bytes(), value);
        }
    }

    private void write(Bytes<?> bytes, long value) {
        bytes.writeLong(FIRST);
        bytes.writeLong(value);
        bytes.writeLong(value);
        bytes.writeLong(value);
        bytes.writeLong(value);
        for (int index = 0; index < payload; index += Long.BYTES) {
            bytes.writeLong(value);
        }
    }

    /** Writes a document for each batch, with the length in front of each message, and reads until the batch is complete. */
    @Override
    public long cooperative() {
        for (int done = 0; done < MESSAGES; done += batch) {
            try (DocumentContext document = appender.writingDocument()) {
                Bytes<?> bytes = document.wire().bytes();
                for (int i = 0; i < batch; i++) {
                    bytes.writeInt(HEADER + payload);
                    write(bytes, ++number);
                }
            }
            for (int read = 0; read < batch; ) {
                read += readBatch();
            }
        }
        return sum;
    }

    private int readBatch() {
        try (DocumentContext document = tailer.readingDocument()) {
            if (!document.isPresent()) {
                throw new IllegalStateException("message " + number + " is not there");
            }
            Bytes<?> bytes = document.wire().bytes();
            int count = 0;
            for (; bytes.readRemaining() >= Integer.BYTES; count++) {
                for (int length = bytes.readInt(); length > 0; length -= Long.BYTES) {
                    sum += bytes.readLong();
                }
            }
            return count;
        }
    }

    private void read() {
        try (DocumentContext document = tailer.readingDocument()) {
            if (!document.isPresent()) {
                throw new IllegalStateException("message " + number + " is not there");
            }
            Bytes<?> bytes = document.wire().bytes();
            while (bytes.readRemaining() >= Long.BYTES) {
                sum += bytes.readLong();
            }
        }
    }

    @TearDown(Level.Iteration)
    public void close() {
        closeBaton();
        queue.close();
        IoUtil.delete(directory.toFile(), false);
    }
}
