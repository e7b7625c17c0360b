package dev.baton.chronicle;

import dev.baton.chronicle.admin.FileInspector;
import dev.baton.chronicle.consumers.TailerPosition;
import dev.baton.chronicle.directory.StoredRetention;
import dev.baton.chronicle.directory.TopicDirectory;
import dev.baton.chronicle.directory.ValidName;
import dev.baton.chronicle.fencing.TopicDeletion;
import dev.baton.chronicle.fencing.WriterLock;
import dev.baton.chronicle.format.Excerpt;
import dev.baton.chronicle.format.QueueFormat;
import dev.baton.chronicle.log.OpenLogs;
import dev.baton.chronicle.log.TopicLog;
import dev.baton.chronicle.platform.Boot;
import dev.baton.chronicle.platform.Device;
import dev.baton.chronicle.platform.DirectoryLocks;
import dev.baton.chronicle.platform.DiskSpace;
import dev.baton.chronicle.platform.FileFailure;
import dev.baton.chronicle.platform.RuntimeRequirements;
import dev.baton.chronicle.platform.Storage;
import dev.baton.spi.Connection;
import dev.baton.spi.Guarantee;
import dev.baton.spi.PartitionTopic;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import dev.baton.spi.Transport.StorageUse;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.options.Durability;
import dev.baton.spi.support.Interrupts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import net.openhft.chronicle.core.time.SystemTimeProvider;
import net.openhft.chronicle.core.time.TimeProvider;

/**
 * A transport whose topics are Chronicle queues: each a directory of memory-mapped files below one directory, which any
 * number of processes of this machine may open.
 *
 * <p>Needs JVM flags, which {@link ChronicleProvider#jvmFlags} returns and every factory checks. A topic has two open
 * files while it is in use, however many connections use it.
 *
 * <p>Two transports in one JVM on the same directory work like two processes: each has its own mappings, and a second
 * writer of a topic is refused. Acknowledged frames stay until {@link #deleteTopics}, unless {@link
 * ChronicleOptions.Retention} removes them. Thread-safe.
 */
public final class ChronicleTransport implements Transport {
    static final String NAME = "chronicle";

    private static final Set<Guarantee> GUARANTEES = Collections.unmodifiableSet(
            EnumSet.of(Guarantee.IMMEDIATE, Guarantee.DURABLE, Guarantee.EXCLUSIVE, Guarantee.CROSS_PROCESS));

    /**
     * The guarantees where the file format is unknown: frames stay in their files, but nothing repairs what a crash
     * leaves between them.
     */
    private static final Set<Guarantee> GUARANTEES_IN_UNKNOWN_FORMAT =
            Collections.unmodifiableSet(EnumSet.of(Guarantee.IMMEDIATE, Guarantee.EXCLUSIVE, Guarantee.CROSS_PROCESS));

    private final QueueFormat format;
    private final ChronicleOptions options;
    private final TopicDirectory directory;
    private final DirectoryLocks locks;
    private final DiskSpace space;
    private final TimeProvider clock;
    private final Device device;

    private final OpenLogs logs = new OpenLogs(this::open);

    /**
     * Opens a transport over its surroundings, which tests replace.
     *
     * @param free measure of the free space; null for that of the file system
     */
    ChronicleTransport(
            Path directory,
            QueueFormat format,
            ChronicleOptions options,
            Links links,
            TimeProvider clock,
            DiskSpace.Free free,
            Device device) {
        this.format = format;
        this.directory = TopicDirectory.open(directory, links);
        this.options = options.with(
                ChronicleOptions.RETENTION,
                Interrupts.without(() -> StoredRetention.of(this.directory, options.get(ChronicleOptions.RETENTION))));
        this.clock = clock;
        space = free == null
                ? DiskSpace.of(this.directory.root(), options.get(ChronicleOptions.MIN_FREE))
                : new DiskSpace(this.directory.root(), options.get(ChronicleOptions.MIN_FREE), free);
        this.device = device;
        if (options.get(ChronicleOptions.DURABILITY) == Durability.HOST) {
            this.directory.syncParents(device);
        }
        if (this.options.get(ChronicleOptions.RETENTION) == ChronicleOptions.Retention.UNREAD) {
            format.require("retention=unread is possible");
            space.requireFreeing();
        }
        locks = DirectoryLocks.of(this.directory.root());
    }

    /**
     * Opens the topics below a directory with the default options, as {@link #in(Path, ChronicleOptions)}.
     *
     * @param directory made when missing, for its owner alone
     * @return the transport, to be closed by the caller
     * @throws TransportException when the JVM lacks a flag or the directory cannot be written
     */
    public static ChronicleTransport in(Path directory) {
        return in(directory, ChronicleOptions.defaults());
    }

    /**
     * Opens the topics below a directory, which is made when missing, for its owner alone.
     *
     * @param directory made when missing, for its owner alone
     * @param options of all topics; files that exist keep their layout
     * @return the transport, to be closed by the caller
     * @throws TransportException when the system is not Linux, the JVM lacks a flag or its locale has other digits than 0 to 9, or the
     *     directory cannot be written, is a symbolic link, or may be written by anybody
     */
    public static ChronicleTransport in(Path directory, ChronicleOptions options) {
        return in(directory, options, Links.REFUSE);
    }

    /**
     * Opens the topics below a directory as {@link #in(Path, ChronicleOptions)}, with a choice for symbolic links in
     * place of the directory and of the topics below it.
     *
     * @param directory made when missing, for its owner alone
     * @param options of all topics; files that exist keep their layout
     * @param links whether they are followed
     * @return the transport, to be closed by the caller
     */
    public static ChronicleTransport in(Path directory, ChronicleOptions options, Links links) {
        RuntimeRequirements.check();
        return new ChronicleTransport(
                directory, QueueFormat.ofLibrary(), options, links, SystemTimeProvider.INSTANCE, null, Device.REAL);
    }

    static Set<Guarantee> guarantees(QueueFormat format) {
        return format.isKnown() ? GUARANTEES : GUARANTEES_IN_UNKNOWN_FORMAT;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<Guarantee> guarantees() {
        return guarantees(format);
    }

    @Override
    public Set<StartPosition.Kind> startPositions() {
        return EnumSet.allOf(StartPosition.Kind.class);
    }

    @Override
    public int maxPayload() {
        return Excerpt.maxPayload(options.get(ChronicleOptions.BLOCK_SIZE));
    }

    @Override
    public Map<String, String> properties() {
        boolean isHost = options.get(ChronicleOptions.DURABILITY) == Durability.HOST;
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put(
                "durability",
                isHost ? "host: survives a power failure, one fdatasync per flush" : "process: page cache, no fsync");
        properties.put(
                "acknowledgement",
                "stored when flush returns; a position is in the page cache when acknowledge returns");
        properties.put(
                "batching", "all frames of a flush in one excerpt, at most " + options.get(ChronicleOptions.BATCH));
        properties.put("copies", "two: into the mapped file at flush, out of it at poll");
        properties.put(
                "configuration",
                "dir=" + directory.root() + " " + options + " links="
                        + ChronicleOptions.LINKS.typed(directory.links()));
        properties.put("version", QueueFormat.libraryVersion());
        properties.put("file format", format.text());
        return Collections.unmodifiableMap(properties);
    }

    @Override
    public Connection connect() {
        logs.checkOpen();
        return new ChronicleConnection(this);
    }

    /** Reads the files as they are and changes nothing; costs no mapping. */
    @Override
    public TopicInspector inspect(String topic) {
        logs.checkOpen();
        format.require("topics can be inspected");
        return new FileInspector(topic, directory.existing(topic));
    }

    @Override
    public Set<String> createTopics(Collection<String> names) {
        names.forEach(name -> ValidName.check("topic", name));
        PartitionTopic.requireSameCounts(names, directory::exists);
        StoredRetention.keep(directory, options.get(ChronicleOptions.RETENTION), device);
        Set<String> created = new TreeSet<>();
        try {
            for (String name : PartitionTopic.inOrderOfCreation(names)) {
                if (directory.create(
                        name, options.get(ChronicleOptions.DURABILITY) == Durability.HOST ? device : Device.NONE)) {
                    created.add(name);
                }
            }
            StoredRetention.keep(directory, options.get(ChronicleOptions.RETENTION), device);
        } catch (RuntimeException failure) {
            remove(created, failure);
            throw failure;
        }
        return created;
    }

    private void remove(Set<String> created, RuntimeException because) {
        try {
            deleteTopics(created);
        } catch (RuntimeException atRemoval) {
            because.addSuppressed(atRemoval);
        }
    }

    @Override
    public Set<String> topics() {
        return directory.topics();
    }

    @Override
    public Set<String> existing(Set<String> names) {
        return names.stream().filter(directory::exists).collect(Collectors.toSet());
    }

    @Override
    public void deleteTopics(Collection<String> names) {
        Interrupts.without(() -> {
            logs.whileUnused(names, () -> TopicDeletion.delete(names, directory, format, locks));
            return null;
        });
        StoredRetention.forgetIfEmpty(directory);
    }

    @Override
    public boolean forgetConsumer(String topic, String consumer) {
        TopicLog log = Interrupts.without(() -> logs.share(topic));
        try {
            return TailerPosition.forget(log, consumer, locks);
        } finally {
            logs.release(log);
        }
    }

    /** Returns the storage use, whose free bytes leave out {@code min-free}. */
    @Override
    public Optional<StorageUse> storageUse() {
        OptionalLong taken = space.takenBytes();
        if (taken.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new StorageUse(taken.getAsLong(), space.spareBytes()));
        } catch (IOException e) {
            throw new TransportException("cannot determine the free space of " + directory.root() + ": " + e, e);
        }
    }

    /** Idempotent; what connections left open is closed with them. */
    @Override
    public void close() {
        if (logs.close()) {
            locks.close();
        }
    }

    ChronicleOptions options() {
        return options;
    }

    DirectoryLocks locks() {
        return locks;
    }

    DiskSpace space() {
        return space;
    }

    OpenLogs logs() {
        return logs;
    }

    /** Removes what a power failure has left of frames that were never confirmed, and reports it. */
    private void removeTornTail(String topic, Path files) {
        try {
            String removed = locks.withoutWriter(
                    topic, () -> format.removeTornTail(files, Boot::mayHaveTorn, locks::isAlive, locks.process()));
            if (removed != null) {
                System.getLogger("dev.baton")
                        .log(
                                Level.WARNING,
                                "topic {0} in {1}: removed {2}: it was not confirmed or not synced when the machine stopped",
                                topic,
                                files,
                                removed);
            }
        } catch (IOException | UncheckedIOException e) {
            throw new TransportException(
                    "topic " + topic + " cannot be opened in " + files + ": " + FileFailure.reason(e), e);
        }
    }

    private TopicLog open(String topic) {
        Path files = directory.existing(topic);
        StoredRetention.require(directory, options.get(ChronicleOptions.RETENTION)); // or files that are kept are freed
        return locks.exclusively(topic, () -> open(topic, files));
    }

    private TopicLog open(String topic, Path files) {
        removeTornTail(topic, files);
        Device stores = options.get(ChronicleOptions.DURABILITY) == Durability.HOST ? device : Device.NONE;
        TopicLog log = new TopicLog(topic, files, format, options, clock, new Storage(space, stores, locks));
        try {
            WriterLock.clearAfterDeadWriter(log, locks);
            return log;
        } catch (RuntimeException | InternalError e) {
            log.close();
            throw e instanceof TransportException known ? known : log.failed("cannot be opened", e);
        }
    }
}
