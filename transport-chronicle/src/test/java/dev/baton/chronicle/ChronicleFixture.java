package dev.baton.chronicle;

import dev.baton.chronicle.format.QueueFormat;
import dev.baton.spi.Transport;
import dev.baton.tck.TransportFixture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;

/** Chronicle in a directory of its own below the one for temporary files. */
final class ChronicleFixture implements TransportFixture {
    private static final int BACKLOG = 64;
    private static final ChronicleOptions SMALL = ChronicleOptions.defaults()
            .with(ChronicleOptions.BLOCK_SIZE, 64 << 10)
            .with(ChronicleOptions.BATCH, 32)
            .with(ChronicleOptions.BACKLOG, BACKLOG);

    private final TemporaryDirectory directory = new TemporaryDirectory();
    private final ChronicleOptions options;
    private final QueueFormat format;

    ChronicleFixture() {
        this(SMALL);
    }

    private ChronicleFixture(ChronicleOptions options) {
        this(options, QueueFormat.ofLibrary());
    }

    private ChronicleFixture(ChronicleOptions options, QueueFormat format) {
        this.options = options;
        this.format = format;
    }

    /**
     * With blocks so large that most rounds of a measurement need no new one: Chronicle makes a few objects for each
     * block that it maps, which FootprintTest bounds.
     */
    static ChronicleFixture withLargeBlocks() {
        return new ChronicleFixture(SMALL.with(ChronicleOptions.BLOCK_SIZE, 16 << 20));
    }

    /** Over a version of the library whose files Baton does not know, with blocks as for measurements of allocation. */
    static ChronicleFixture inUnknownFormat() {
        return new ChronicleFixture(SMALL.with(ChronicleOptions.BLOCK_SIZE, 16 << 20), QueueFormat.of("another"));
    }

    /** That gives back what has been read. Index pages are small, so that what is freed reaches over them. */
    static ChronicleFixture thatFrees() {
        return new ChronicleFixture(SMALL.with(ChronicleOptions.INDEX_COUNT, 64)
                .with(ChronicleOptions.INDEX_SPACING, 4)
                .with(ChronicleOptions.RETENTION, ChronicleOptions.Retention.UNREAD));
    }

    /** The same with room in a file for the many excerpts of a measurement, and few blocks. */
    static ChronicleFixture thatFreesWithLargeBlocks() {
        return new ChronicleFixture(SMALL.with(ChronicleOptions.BLOCK_SIZE, 16 << 20)
                .with(ChronicleOptions.INDEX_COUNT, 2 << 10)
                .with(ChronicleOptions.INDEX_SPACING, 16)
                .with(ChronicleOptions.RETENTION, ChronicleOptions.Retention.UNREAD));
    }

    @Override
    public Transport open() {
        return TestTransports.inFormat(directory.path(), options, format);
    }

    @Override
    public Transport reopen() {
        return open();
    }

    @Override
    public boolean keepsAcknowledgedFrames() {
        return true;
    }

    @Override
    public OptionalInt backlog() {
        return OptionalInt.of(BACKLOG);
    }

    @Override
    public List<String> refusedNames() {
        return List.of("", " ", "a/b", "..", ".hidden", "ü", "a b", "a\\b", "x".repeat(201));
    }

    @Override
    public boolean holdsForeignRecords() {
        return true;
    }

    @Override
    public void writeForeignRecord(String topic) {
        try (SingleChronicleQueue queue = RawQueue.at(directory.path().resolve(topic), options);
                ExcerptAppender appender = queue.createAppender()) {
            appender.writeText("another program's");
        }
    }

    @Override
    public boolean allocatesNothing() {
        return true;
    }

    @Override
    public Collection<String> leftovers() {
        try (Stream<Path> files = Files.walk(directory.path())) {
            return Stream.concat(
                            files.filter(file -> !file.equals(directory.path()))
                                    .filter(file -> !file.endsWith(".writers.lock"))
                                    .map(Path::toString),
                            OpenFiles.below(directory.path()).stream())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        directory.close();
    }
}
