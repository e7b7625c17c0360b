package dev.baton.aeron.recording;

import dev.baton.spi.TransportException;
import io.aeron.archive.client.ArchiveException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** Deletes topics and the positions of their consumers. Stateless. */
public final class Deletion {
    /** A replay whose reader has closed may take so long to end. */
    private static final long REPLAY_NANOS = TimeUnit.SECONDS.toNanos(2);

    private Deletion() {}

    /** Deletes topics that nobody uses; none when one of them is in use. Unknown names are ignored. */
    public static void delete(ArchiveSession session, Collection<String> names) {
        List<RecordingDescriptor> doomed = new ArrayList<>();
        for (String name : new TreeSet<>(names)) {
            for (RecordingDescriptor each : all(session, name)) {
                if (each.isWritten()) {
                    throw new TransportException("topic '" + name + "' is in use and cannot be deleted: it has a live "
                            + (each.streamId() == RecordingDescriptor.TOPICS
                                    ? "writer"
                                    : "reader of consumer '" + each.consumer() + "'"));
                }
                doomed.add(each);
            }
        }
        doomed.forEach(each -> purge(session, each.id()));
    }

    /**
     * The recordings of a topic, its own first: one that somebody inspects is refused before a consumer is gone. Positions that a killed
     * deletion leaves are of another identity than a topic that is created later.
     */
    private static List<RecordingDescriptor> all(ArchiveSession session, String name) {
        List<RecordingDescriptor> all = new ArrayList<>(
                Catalog.list(session, RecordingDescriptor.topicAlias(name), RecordingDescriptor.TOPICS));
        all.addAll(Catalog.list(session, RecordingDescriptor.consumersOf(name), RecordingDescriptor.CONSUMERS));
        return all;
    }

    /** Deletes a recording that nobody writes, as soon as nobody replays it any more. */
    public static void purge(ArchiveSession session, long recording) {
        long begun = System.nanoTime();
        while (true) {
            try {
                session.archive().purgeRecording(recording);
                return;
            } catch (ArchiveException refused) {
                boolean isActive = refused.errorCode() == ArchiveException.ACTIVE_RECORDING;
                if (refused.errorCode() == ArchiveException.UNKNOWN_RECORDING) {
                    return; // deleted by another one meanwhile
                }
                if (!isActive || System.nanoTime() - begun > REPLAY_NANOS) {
                    throw isActive
                            ? new TransportException(
                                    "a recording is in use and cannot be deleted: " + refused.getMessage(), refused)
                            : ArchiveSession.refused("delete a recording", refused);
                }
                session.awaitFor(1_000_000, () -> false);
            } catch (TransportException told) {
                throw told;
            } catch (RuntimeException failed) {
                throw ArchiveSession.refused("delete a recording", failed);
            }
        }
    }
}
