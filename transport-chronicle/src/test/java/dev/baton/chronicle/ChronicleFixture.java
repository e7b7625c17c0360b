package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chronicle.consumers.TailerPosition;
import dev.baton.chronicle.format.QueueFiles;
import dev.baton.chronicle.format.QueueFormat;
import dev.baton.chronicle.format.StoredPosition;
import dev.baton.chronicle.platform.Device;
import dev.baton.spi.Transport;
import dev.baton.spi.options.Durability;
import dev.baton.tck.StorageFault;
import dev.baton.tck.TopicProbe;
import dev.baton.tck.TransportFixture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import net.openhft.chronicle.core.time.SystemTimeProvider;
import net.openhft.chronicle.core.values.LongValue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;

/** Chronicle in a directory of its own below the one for temporary files. */
final class ChronicleFixture implements TransportFixture {
    private static final int BACKLOG = 64;
    private static final ChronicleOptions SMALL = ChronicleOptions.defaults()
            .with(ChronicleOptions.BLOCK_SIZE, 64 << 10)
            .with(ChronicleOptions.BATCH, 32)
            .with(ChronicleOptions.BACKLOG, BACKLOG);

    private static final String CONSUMER = TailerPosition.PREFIX + TopicProbe.CONSUMER;

    private final TemporaryDirectory directory = new TemporaryDirectory();
    private final ChronicleOptions options;
    private final QueueFormat format;
    private volatile boolean failsSyncs;

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
        return new ChronicleFixture(
                SMALL.with(ChronicleOptions.BLOCK_SIZE, 16 << 20), QueueFormat.unknown("another", "its header"));
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

    /** That syncs each flush. */
    static ChronicleFixture thatSyncs() {
        return new ChronicleFixture(SMALL.with(ChronicleOptions.DURABILITY, Durability.HOST));
    }

    @Override
    public Transport open() {
        return options.get(ChronicleOptions.DURABILITY) == Durability.HOST
                ? TestTransports.in(directory.path(), options, SystemTimeProvider.INSTANCE, this::sync)
                : TestTransports.inFormat(directory.path(), options, format);
    }

    private void sync(Path path, AsynchronousFileChannel channel) throws IOException {
        if (failsSyncs) {
            throw new IOException("Input/output error");
        }
        Device.REAL.force(path, channel);
    }

    @Override
    public Set<StorageFault> storageFaults() {
        return options.get(ChronicleOptions.DURABILITY) == Durability.HOST
                ? EnumSet.allOf(StorageFault.class)
                : EnumSet.complementOf(EnumSet.of(StorageFault.FAILED_SYNCS));
    }

    @Override
    public void begin(StorageFault fault, String topic) {
        Path files = directory.path().resolve(topic);
        try {
            switch (fault) {
                case DAMAGED_POSITION -> damagePosition(files);
                case POSITION_AHEAD -> movePosition(files);
                case LOST_FRAMES -> Files.delete(QueueFiles.in(files).get(0));
                case FAILED_SYNCS -> failsSyncs = true;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void damagePosition(Path files) {
        try (SingleChronicleQueue queue = RawQueue.at(files, options)) {
            for (String copy : List.of("", ".copy")) {
                try (LongValue sequence =
                        queue.metaStore().acquireValueFor(CONSUMER + ".sequence" + copy, Long.MIN_VALUE)) {
                    assertThat(sequence.getVolatileValue()).isPositive();
                    sequence.setVolatileValue(sequence.getVolatileValue() + 2);
                }
            }
        }
    }

    private void movePosition(Path files) {
        try (SingleChronicleQueue queue = RawQueue.at(files, options);
                StoredPosition position = RawQueue.position(queue, CONSUMER)) {
            assertThat(position.sequence()).isPositive();
            position.set(position.sequence() + 1_000, position.index() + 1_000);
        }
    }

    @Override
    public void heal() {
        failsSyncs = false;
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
