package dev.baton.jmh;

import dev.baton.chronicle.ChronicleOptions;
import dev.baton.chronicle.ChronicleTransport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.RollCycles;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.wire.DocumentContext;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** A hop through a queue: Baton's excerpt for each batch against the reference's excerpt for each message. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class ChronicleHop {
    private static final int MESSAGES = 16;

    /** Version 1, one hop, type 2, as a frame begins. */
    private static final long FIRST = 1 | 1L << 16 | 2L << 32;

    /** Messages written before they are read; each invocation carries 16 in all. */
    @Param({"1", "16"})
    public int batch;

    /** Bytes behind the header, a multiple of 8. */
    @Param("32")
    public int payload;

    private Path directory;
    private BatonHop baton;
    private SingleChronicleQueue queue;
    private ExcerptAppender appender;
    private ExcerptTailer tailer;
    private long number;
    private long sum;

    /** Opens both anew, with the same block and index: an iteration's files go with it. */
    @Setup(Level.Iteration)
    public void open() throws IOException {
        ChronicleOptions options = ChronicleOptions.defaults();
        directory = Files.createTempDirectory("baton-hop-");
        baton = new BatonHop(ChronicleTransport.in(directory.resolve("baton"), options), payload);
        queue = SingleChronicleQueueBuilder.single(directory.resolve("by-hand").toFile())
                .rollCycle(RollCycles.FAST_DAILY)
                .blockSize(options.blockSize())
                .indexCount(options.indexCount())
                .indexSpacing(options.indexSpacing())
                .build();
        appender = queue.createAppender();
        tailer = queue.createTailer();
    }

    /** Claim, commit, flush, poll, acknowledge. */
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public long baton() {
        long read = 0;
        for (int done = 0; done < MESSAGES; done += batch) {
            read = baton.carry(batch);
        }
        return read;
    }

    /** Documents written and read; the tailer has no name, so that its position is stored nowhere. */
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public long byHand() {
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
            Bytes<?> bytes = document.wire().bytes();
            bytes.writeLong(FIRST);
            bytes.writeLong(value);
            bytes.writeLong(value);
            bytes.writeLong(value);
            bytes.writeLong(value);
            for (int index = 0; index < payload; index += Long.BYTES) {
                bytes.writeLong(value);
            }
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
    public void close() throws IOException {
        baton.close();
        queue.close();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
