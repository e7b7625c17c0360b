package dev.baton.aeron.archive;

import dev.baton.aeron.recording.ArchiveSession;
import dev.baton.aeron.recording.Catalog;
import dev.baton.aeron.recording.RecordingDescriptor;
import dev.baton.aeron.recording.RecordingReplay;
import dev.baton.spi.Incarnation;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TransportException;
import java.lang.System.Logger.Level;
import java.util.function.Function;
import org.agrona.CloseHelper;

/**
 * The record of a topic's end: the sequence up to which its frames were stored, and the boot of the host that stored them. It is a
 * recording of its own beside that of the topic, stored as the {@link RecordedPosition} of a consumer is. A topic that is shorter
 * than its record, or that is gone while its record is there, was damaged behind Baton's back, and is refused.
 *
 * <p>The record lags behind the topic by up to {@value RecordedPosition#STORE_MILLIS} ms and the time between two turns; a writer
 * that closes stores it exactly. It is as durable as the topic: after a power failure both may be shorter. Boots are told apart
 * on Linux only; elsewhere the loss is logged in another process than the writer's. Confined to its session's thread.
 */
final class RecordedEnd {
    private static final long INTERVAL_NANOS = RecordedPosition.STORE_MILLIS * 1_000_000L;
    private static final long UNKNOWN_BOOT = 0;

    private final RecordedPosition position;
    private final LogEnd found;
    private final long boot;
    private long sequence;
    private long workedNanos = System.nanoTime();

    private RecordedEnd(RecordedPosition position, LogEnd found, long boot) {
        this.position = position;
        this.found = found;
        this.boot = boot;
        if (found.sequence() > 0) {
            moveTo(found.sequence());
        }
    }

    /**
     * Opens the record of a topic whose writer is being opened, or creates it. Waits for the Archive.
     *
     * @throws DamagedTopicException when the topic is shorter than its record
     */
    static RecordedEnd open(ArchiveSession session, RecordingDescriptor topic, LogEnd found) {
        long boot = boot(session);
        RecordedPosition position = RecordedPosition.open(
                session, topic, RecordingDescriptor.endAlias(topic.topic()), RecordingDescriptor.ENDS, true);
        try {
            RecordedPosition.Stored stored = position.atOpenOfAnyTopic();
            if (stored != null) {
                requireAnnounced(session, topic, found, boot, stored);
            }
            return new RecordedEnd(position, found, boot);
        } catch (RuntimeException | Error failed) { // an Error for example without direct memory
            CloseHelper.quietClose(position::withdraw);
            throw failed;
        }
    }

    /** Returns the boot of the Archive's host. */
    private static long boot(ArchiveSession session) {
        return session.options().isRemote() ? UNKNOWN_BOOT : Incarnation.presentBoot();
    }

    /** Returns whether the host was started anew since a record was stored: nothing promises the last frames then. */
    private static boolean isOfOtherBoot(RecordedPosition.Stored stored, long boot) {
        return boot != UNKNOWN_BOOT && stored.position() != UNKNOWN_BOOT && stored.position() != boot;
    }

    /**
     * Refuses a topic that is too short, unless its host has been started anew. Then the consumers that are ahead of the topic are
     * moved back, also those that are ahead of the record: each is a file of its own, and later frames get the same sequences.
     */
    private static void requireAnnounced(
            ArchiveSession session,
            RecordingDescriptor topic,
            LogEnd found,
            long boot,
            RecordedPosition.Stored stored) {
        boolean isRestarted = isOfOtherBoot(stored, boot) && stored.identity() == topic.identity();
        if (stored.sequence() > found.sequence() || stored.identity() != topic.identity()) {
            DamagedTopicException loss = loss(topic, found.sequence(), stored);
            if (!isRestarted) {
                throw loss;
            }
            warn(loss.getMessage() + ". The host was restarted, and the topic continues without what it lost", null);
        }
        if (isRestarted) {
            long end = Catalog.end(session, topic);
            for (RecordingDescriptor each :
                    Catalog.consumers(session, topic.topic()).values()) {
                if (!each.isWritten()) { // a live reader is not ahead
                    moveBack(session, topic, each.consumer(), found.sequence(), end);
                }
            }
        }
    }

    private static void moveBack(
            ArchiveSession session, RecordingDescriptor topic, String consumer, long sequence, long end) {
        RecordedPosition position;
        try {
            position = RecordedPosition.open(session, topic, consumer, true);
        } catch (DamagedTopicException damaged) {
            warn(damaged.getMessage() + ". The writer opens, and that consumer is refused", damaged);
            return;
        }
        try {
            if (position.atOpen() != null && position.atOpen().sequence() > sequence) {
                warn(
                        "consumer '" + consumer + "' of " + topic.what() + " has acknowledged "
                                + position.atOpen().sequence() + ", but the topic ends at " + sequence
                                + " after a restart of the host: the consumer continues there",
                        null);
                position.moveTo(sequence, end);
            }
        } finally {
            position.close();
        }
    }

    /**
     * Returns whether a topic has lost the frames behind an end in a restart of its host, so that a consumer that has acknowledged
     * them may continue at that end. Waits for the Archive.
     */
    static boolean isLostWithHost(ArchiveSession session, RecordingDescriptor topic) {
        RecordedPosition.Stored stored = newest(session, topic.topic());
        return stored != null && stored.identity() == topic.identity() && isOfOtherBoot(stored, boot(session));
    }

    private static void warn(String text, Throwable cause) {
        System.getLogger("dev.baton").log(Level.WARNING, text, cause);
    }

    /** Describes the loss of a topic that is shorter than its record. */
    static DamagedTopicException loss(RecordingDescriptor topic, long newest, RecordedPosition.Stored stored) {
        return new DamagedTopicException(
                topic.what() + " ends at sequence " + newest + " in recording " + topic.id()
                        + (stored.identity() == topic.identity()
                                ? ""
                                : ", which is not the one that was written before")
                        + ", but " + stored.sequence()
                        + " was reported as stored: frames were lost; restore the recordings of the Archive, or delete the"
                        + " topic",
                true);
    }

    /** Returns the newest record of a topic's end; null for none. Waits for the Archive. */
    static RecordedPosition.Stored newest(ArchiveSession session, String topic) {
        RecordingDescriptor record =
                Catalog.oldest(session, RecordingDescriptor.endAlias(topic), RecordingDescriptor.ENDS);
        return record == null ? null : RecordedPosition.newest(session, record, Catalog.end(session, record));
    }

    /**
     * Opens a writer or a reader of a topic; once more where the end of the topic is damaged as by a power failure, and was cut off.
     *
     * @throws DamagedTopicException when the topic is damaged otherwise
     */
    static <T> T behindTornTail(
            ArchiveSession session, RecordingDescriptor topic, Function<RecordingDescriptor, T> opening) {
        try {
            return opening.apply(topic);
        } catch (DamagedTopicException damaged) {
            boolean isCut;
            try {
                isCut = session.isAlive() && cutsTail(session, topic);
            } catch (TransportException failed) {
                throw session.isAlive() ? failed : damaged; // a replay of damage that the Archive does not leave
            }
            if (!isCut) {
                throw damaged;
            }
            return opening.apply(Catalog.topic(session, topic.topic()));
        }
    }

    /**
     * Cuts off a damaged tail of a topic, such as a host leaves that has lost power: behind the record of the end, and also before
     * it where the host was started anew and nothing whole follows. Within one boot nothing tears a tail, and it stays. Waits for
     * the Archive.
     *
     * @return whether the topic was cut
     */
    private static boolean cutsTail(ArchiveSession session, RecordingDescriptor topic) {
        long boot = boot(session);
        RecordedPosition.Stored stored = newest(session, topic.topic());
        RecordingDescriptor now = Catalog.again(session, topic);
        if (stored == null
                || now == null
                || now.isWritten()
                || stored.identity() != topic.identity()
                || boot != UNKNOWN_BOOT && stored.position() == boot) {
            return false;
        }
        LogEnd whole = new LogEnd(now);
        long[] reached = {now.termOf(now.stop() - 1)};
        DamagedTopicException[] damage = {null};
        boolean[] isFollowed = {false};
        boolean isReadable = true;
        try {
            RecordingReplay.scan(session, now, reached[0], now.stop(), (memory, begin, length, to) -> {
                try {
                    (damage[0] == null ? whole : new LogEnd(now)).onFragment(memory, begin, length, to);
                    isFollowed[0] = damage[0] != null;
                    reached[0] = damage[0] == null ? to : reached[0];
                } catch (DamagedTopicException damaged) {
                    damage[0] = damage[0] == null ? damaged : damage[0];
                }
                return !isFollowed[0];
            });
        } catch (DamagedTopicException unreadable) {
            damage[0] = unreadable;
            isReadable = false;
        }
        boolean isBehindRecord = whole.sequence() >= stored.sequence();
        boolean isAnnounced = isOfOtherBoot(stored, boot) && isReadable && !isFollowed[0];
        if (damage[0] == null || whole.writer() == null || !isBehindRecord && !isAnnounced) {
            return false; // the damage is elsewhere, or no tail
        }
        session.call(
                "cut off the damaged end of " + now.what(),
                () -> session.archive().truncateRecording(now.id(), reached[0]));
        warn(
                now.what() + " was cut off at log position " + reached[0] + " of recording " + now.id()
                        + ", behind sequence " + whole.sequence() + ": what followed was damaged, and "
                        + (isBehindRecord ? "not recorded as stored" : "the host was restarted"),
                damage[0]);
        return true;
    }

    /**
     * Checks that a topic that is about to be created does not exist as a record only.
     *
     * @throws DamagedTopicException when it has a record, which names frames
     */
    static void requireNone(ArchiveSession session, String topic) {
        RecordedPosition.Stored stored = newest(session, topic);
        if (stored != null && stored.sequence() > 0) {
            throw new DamagedTopicException(
                    "topic '" + topic + "' is missing in the Archive's catalog, but frames up to sequence "
                            + stored.sequence() + " were reported as stored: its recording was deleted, or its entry is"
                            + " damaged; restore the Archive, or delete the topic before it is created again",
                    true);
        }
    }

    /** Returns the end of the topic when its writer was opened. */
    LogEnd found() {
        return found;
    }

    /** Returns whether the time has come to store a new end. */
    boolean isDue(long nowNanos) {
        return nowNanos - workedNanos >= INTERVAL_NANOS;
    }

    /** Notes a new end, which is stored later. */
    void moveTo(long newSequence) {
        if (newSequence != sequence) {
            sequence = newSequence;
            position.moveTo(newSequence, boot);
        }
    }

    /** Stores a new end when it is due. */
    void work(long nowNanos) {
        workedNanos = nowNanos;
        position.work(nowNanos);
    }

    /** Returns whether ends are still stored, as far as is known. */
    boolean isStored() {
        return position.isStored();
    }

    /** Returns why the standby has no newer ends; null while it gets them. */
    String stalled() {
        return position.stalled();
    }

    /** Stores a new end, for a limited time, and admits another writer. */
    void close() {
        position.close();
    }

    /** Closes after the writer could not be opened. */
    void withdraw() {
        position.withdraw();
    }
}
