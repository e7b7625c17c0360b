package dev.baton.lab.study.chaos;

import dev.baton.kafka.embedded.BrokerProcessOptions.Place;
import dev.baton.lab.launch.BrokerSource;
import dev.baton.lab.launch.Hosts;
import dev.baton.lab.launch.Workspace;
import dev.baton.lab.study.chaos.storage.SmallDisk;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.settings.Subject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.agrona.CloseHelper;

/**
 * The environment of a chain: its directory for queues, on a separate disk when a fault fills it; or its brokers, on separate hosts in the
 * set-up that has some; or its Archive. It is removed at the end with its content. Confined to one thread.
 */
final class ChainGround implements AutoCloseable {
    private static final long DISK_SPARE = 64L << 20;

    private final Workspace workspace;
    private final String name;
    final Path scratch; // for what belongs to the processes, on another disk than the one that is filled
    final Path queues; // null: brokers or an Archive keep the topics
    final Brokers brokers; // null: there are none
    final ArchiveProcess archive; // the media driver with an Archive; null: there is none
    final Hosts hosts; // null: all of it is on this one
    final SmallDisk disk; // null: nothing is filled
    final Subject subject;

    /** Makes it, and starts what it needs. @param name of a directory in the workspace, not there yet */
    ChainGround(
            Workspace workspace, BrokerSource source, ChaosPlan plan, String name, BooleanSupplier isStopRequested) {
        this.workspace = workspace;
        this.name = name;
        scratch = workspace.directory(name + "/scratch");
        SetUp setUp = plan.setUp();
        hosts = setUp.hasHosts()
                ? CommandException.guarded("hosts cannot be created", () -> Hosts.make(setUp.brokers))
                : null;
        archive = setUp.hasDriver()
                ? new ArchiveProcess(
                        workspace.directory(name + "/archive"),
                        ChainProcesses.flags(setUp),
                        setUp.equals(SetUp.AERON_ARCHIVE_UDP),
                        isStopRequested)
                : null;
        brokers = setUp.brokers > 0 ? brokers(source, plan, workspace.directory(name + "/brokers")) : null;
        Path place = archive == null && brokers == null ? workspace.directory(name + "/disk") : null;
        disk = place != null && plan.kinds().contains(InjectedFault.Kind.FULL_DISK)
                ? mounted(place, plan.diskBytes() + DISK_SPARE)
                : null;
        queues = place == null ? null : place.resolve("queues");
        Map<String, String> options = new TreeMap<>(plan.options());
        options.putAll(options(setUp));
        subject = new Subject(Subject.BATON, setUp.transport, options);
    }

    /** The options with which processes of the chain find the servers that were started here; empty for a foreign server. */
    private Map<String, String> options(SetUp setUp) {
        if (archive != null) {
            return archive.options();
        }
        return brokers != null
                ? Map.of(Subject.BROKERS, brokers.cluster.bootstrapServers())
                : setUp.hasDirectory() ? Map.of(Subject.DIRECTORY, queues.toString()) : Map.of();
    }

    private Brokers brokers(BrokerSource source, ChaosPlan plan, Path directory) {
        boolean isLinked = hosts == null && plan.kinds().stream().anyMatch(InjectedFault.Kind::isOfNetwork);
        int count = plan.setUp().brokers;
        try {
            return new Brokers(source.startCluster(
                    directory, count, options -> isLinked ? options.withLinks() : options.at(places(count))));
        } catch (RuntimeException failed) {
            CloseHelper.close(hosts);
            throw failed;
        }
    }

    /** Returns a place on each host; empty without hosts. */
    private List<Place> places(int count) {
        return hosts == null
                ? List.of()
                : IntStream.range(0, count)
                        .mapToObj(host -> new Place(hosts.address(host), hosts.on(host)))
                        .toList();
    }

    /** {@return why a disk cannot be filled on this machine; null when it can} */
    static String whyNoDisk(Workspace workspace) {
        String name = "probe";
        try {
            SmallDisk.at(workspace.directory(name), 1 << 20).close();
            return null;
        } catch (IOException refused) {
            return refused.getMessage();
        } finally {
            workspace.discard(name);
        }
    }

    private static SmallDisk mounted(Path place, long bytes) {
        try {
            return SmallDisk.at(place, bytes);
        } catch (IOException refused) {
            throw CommandException.environment(
                    "cannot mount a disk to be filled: " + refused.getMessage() + "; omit full-disk from --kinds",
                    refused);
        }
    }

    @Override
    public void close() {
        CloseHelper.closeAll(brokers, archive, hosts, disk);
        workspace.discard(name);
    }
}
