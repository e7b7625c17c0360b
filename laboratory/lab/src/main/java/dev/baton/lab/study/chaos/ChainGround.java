package dev.baton.lab.study.chaos;

import dev.baton.lab.launch.BrokerSource;
import dev.baton.lab.launch.Workspace;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.settings.Subject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * Where a chain lives: its directory for queues, on a disk of its own when a fault fills it, or its brokers. Removed at the
 * end with all that is in it. Confined to one thread.
 */
final class ChainGround implements AutoCloseable {
    private static final long DISK_SPARE = 64L << 20;

    private final Workspace workspace;
    private final String name;

    /** For what belongs to the processes, on another disk than the one that is filled. */
    final Path scratch;

    final Path queues; // null: brokers keep the topics
    final Brokers brokers; // null: a directory does
    final SmallDisk disk; // null: nothing is filled
    final Subject subject;

    /**
     * Makes it, and starts what it needs.
     *
     * @param name of a directory in the workspace, not there yet
     */
    ChainGround(Workspace workspace, BrokerSource source, ChaosPlan plan, String name) {
        this.workspace = workspace;
        this.name = name;
        scratch = workspace.directory(name + "/scratch");
        SetUp setUp = plan.setUp();
        if (setUp.brokers() > 0) {
            queues = null;
            disk = null;
            brokers = Brokers.start(
                    source,
                    setUp.brokers(),
                    workspace.directory(name + "/brokers"),
                    plan.kinds().stream().anyMatch(Fault.Kind::isOfNetwork));
            subject = new Subject(
                    Subject.BATON, setUp.transport(), Map.of(Subject.BROKERS, brokers.cluster.bootstrapServers()));
        } else {
            brokers = null;
            Path place = workspace.directory(name + "/disk");
            disk = plan.kinds().contains(Fault.Kind.FULL_DISK) ? mounted(place, plan.diskBytes() + DISK_SPARE) : null;
            queues = place.resolve("queues");
            subject = new Subject(Subject.BATON, setUp.transport(), Map.of(Subject.DIRECTORY, queues.toString()));
        }
    }

    /** Why a disk cannot be filled on this machine; null when it can. */
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
                    "cannot mount a disk to be filled: " + refused.getMessage() + "; leave full-disk out of --kinds",
                    refused);
        }
    }

    @Override
    public void close() {
        if (brokers != null) {
            brokers.close();
        }
        if (disk != null) {
            disk.close();
        }
        workspace.discard(name);
    }
}
