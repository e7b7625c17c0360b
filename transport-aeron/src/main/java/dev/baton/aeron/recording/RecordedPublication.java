package dev.baton.aeron.recording;

import dev.baton.aeron.ArchiveOptions;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.Interrupts;
import io.aeron.Aeron;
import io.aeron.AeronCounters;
import io.aeron.ChannelUriStringBuilder;
import io.aeron.ExclusivePublication;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.client.ArchiveException;
import io.aeron.archive.codecs.SourceLocation;
import io.aeron.archive.status.RecordingPos;
import io.aeron.driver.status.StreamCounter;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.status.HeartbeatTimestamp;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.status.CountersReader;

/**
 * A publication that the Archive records, as an extension of a recording or as a new one. It takes all its memory when it begins:
 * with a sparse log on a full file system a later write would fail with an error of the JVM.
 *
 * <p>The Archive extends a recording only once at a time, so that a live publication excludes others. Each has a session id of
 * its own: frames of a process that the driver has timed out never reach the recording, and the position of the recording does
 * not count for it. Confined to its session's thread.
 */
public final class RecordedPublication {
    private static final long NONE = Aeron.NULL_VALUE;

    /** The heartbeat of a client that the driver has timed out. */
    private static final long DEAD = 0;

    /** The time that a close waits until all is recorded, which usually takes less than a millisecond. */
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** The interval at which the driver checks for clients that have died. */
    private static final long DRIVER_TIMER_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** The time that an opening waits for a writer elsewhere, which may be about to end. */
    private static final long REMOTE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** The interval between two requests for the recorded position to an Archive elsewhere. */
    private static final long ASK_NANOS = 500_000;

    /** The age after which an answer may belong to another writer; no driver times out a client sooner. */
    private static final long FRESH_NANOS = 500_000_000;

    /** The interval between two looks for the file of the recording. */
    private static final long PROBE_NANOS = TimeUnit.SECONDS.toNanos(5);

    /**
     * The time for which an untethered reader that does not move may hold back a publication, before the driver takes its image,
     * and again before it forgets its position; rounded up to the driver's timer, a second.
     */
    private static final long UNTETHERED_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** The time after which the driver lets such a reader join again; it has closed its subscription long before. */
    private static final long RESTING_NANOS = TimeUnit.HOURS.toNanos(1);

    /** The channel of a replay that is stopped before it begins; sparse, as nothing is written. */
    private static final String NOWHERE = "aeron:ipc?sparse=true";

    private static final int PROBE_STREAM = 0x4261_7405;
    private static final String NO_FILE = "recording segment file not created";

    private final ArchiveSession session;
    private final long recordingId;
    private final ExclusivePublication publication;
    private final long subscription; // the Archive's
    private final int counter; // NULL_COUNTER_ID for an Archive elsewhere
    private final CountersReader counters;

    private long recorded; // last known position
    private long asked = NONE;
    private long askedNanos;
    private long askedCalls;
    private long probe = NONE; // correlation of a request
    private long probedNanos = System.nanoTime();
    private long probedCalls;
    private long probedTo; // position
    private String missing; // null as long as the Archive has the file

    private RecordedPublication(
            ArchiveSession session, long recordingId, ExclusivePublication publication, long subscription) {
        this.session = session;
        this.recordingId = recordingId;
        this.publication = publication;
        this.subscription = subscription;
        counters = session.aeron().countersReader();
        counter = session.options().isRemote()
                ? CountersReader.NULL_COUNTER_ID
                : RecordingPos.findCounterIdBySession(counters, publication.sessionId(), session.archiveId());
        recorded = publication.position();
        probedTo = recorded;
    }

    /** Starts a new recording. */
    public static RecordedPublication create(
            ArchiveSession session, String alias, int stream, int termLength, int mtu) {
        ChannelUriStringBuilder channel = channel(session).alias(alias);
        String recorded = channel.build();
        RecordedPublication created = session.call(
                "record '" + alias + "'",
                () -> begin(
                        session,
                        taken(channel.termLength(termLength).mtu(mtu)),
                        stream,
                        () -> session.archive().startRecording(recorded, stream, location(session), true),
                        alias));
        if (session.standby() != null) {
            created.pad();
        }
        return created;
    }

    /**
     * Writes a fragment that readers pass over, so that the recording is not empty: Aeron 1.51 replaces the catalog entry of an empty
     * copy when it begins to copy again, also while another replication already writes to it.
     */
    public void pad() {
        BufferClaim claim = new BufferClaim();
        if (session.awaitFor(
                session.timeoutNanos(), () -> publication.tryClaim(FrameDescriptor.FRAME_ALIGNMENT, claim) > 0)) {
            claim.abort();
        }
    }

    /**
     * Extends a recording that has no writer; after a writer was killed it waits until the driver has timed it out.
     *
     * @param what name of the recording, for the error
     * @param waits whether it may wait for a writer that has been killed
     * @throws OccupiedException when the recording has a live writer
     */
    public static RecordedPublication extend(
            ArchiveSession session, RecordingDescriptor found, String what, boolean waits) {
        RecordingDescriptor recording = awaitEnd(session, found, what, waits);
        ChannelUriStringBuilder channel = channel(session).alias(recording.alias());
        String recorded = channel.build();
        try {
            return session.call(
                    "record '" + recording.alias() + "'",
                    () -> begin(
                            session,
                            taken(channel.mtu(recording.mtu())
                                    .initialPosition(
                                            recording.stop(), recording.initialTermId(), recording.termLength())),
                            recording.streamId(),
                            () -> session.archive()
                                    .extendRecording(
                                            recording.id(), recorded, recording.streamId(), location(session), true),
                            what));
        } catch (TransportException refused) {
            if (refused.getCause() instanceof ArchiveException cause && isOfWriter(session, recording, cause)) {
                throw occupied(session, what);
            }
            throw refused;
        }
    }

    /**
     * Returns whether another writer has the recording, had it since its entry was read, or deletes a part of it. If an extension does not
     * fit the entry and no writer has changed the entry since, the entry is damaged.
     */
    private static boolean isOfWriter(ArchiveSession session, RecordingDescriptor recording, ArchiveException refused) {
        return switch (refused.errorCode()) {
            case ArchiveException.ACTIVE_RECORDING, ArchiveException.GENERIC -> true;
            case ArchiveException.INVALID_EXTENSION -> !recording.equals(Catalog.again(session, recording));
            default -> false;
        };
    }

    private interface Start {
        long subscription();
    }

    private static RecordedPublication begin(
            ArchiveSession session, String channel, int stream, Start start, String what) {
        long subscription = start.subscription();
        long request = session.archive().lastCorrelationId();
        ExclusivePublication publication = null;
        try {
            // after the recording has begun: over UDP a publication without a subscriber tries again only after 100 ms
            publication = session.aeron().addExclusivePublication(channel, stream);
            ArchiveSession.Signals signals = session.signals();
            boolean isAnswered = session.awaitFor(
                    session.timeoutNanos(),
                    () -> signals.recordingOf(subscription) != NONE || signals.hasFailed(request));
            if (!isAnswered) {
                throw new TransportException(
                        "the Archive has not begun to record " + what + " within "
                                + session.options().get(ArchiveOptions.TIMEOUT).toMillis()
                                + " ms: it is busy, or its files cannot be written or be synced; read its error log, then open it again");
            }
            if (signals.hasFailed(request)) {
                throw signals.refusal();
            }
            return new RecordedPublication(session, signals.recordingOf(subscription), publication, subscription);
        } catch (RuntimeException | Error failed) { // an Error for example of a mapped file without pages
            CloseHelper.quietClose(publication);
            stopQuietly(session, subscription);
            throw failed;
        }
    }

    /**
     * Stops the recording of a publication that never comes. After a process was killed in between, the Archive waits for it
     * until it ends, which excludes no other writer, as session ids differ.
     */
    private static void stopQuietly(ArchiveSession session, long subscription) {
        try {
            if (session.isAlive()) {
                session.archive().tryStopRecording(subscription);
            }
        } catch (RuntimeException gone) {
            // with the Archive; the earlier failure is reported
        }
    }

    private static ChannelUriStringBuilder channel(ArchiveSession session) {
        return channel(session, ThreadLocalRandom.current().nextInt());
    }

    private static ChannelUriStringBuilder channel(ArchiveSession session, int sessionId) {
        ChannelUriStringBuilder channel = new ChannelUriStringBuilder().sessionId(sessionId);
        return session.options().isRemote()
                ? channel.media("udp").endpoint(session.options().get(ArchiveOptions.ARCHIVE))
                : channel.media("ipc");
    }

    /** Returns the channel of a publication that takes its memory at once. */
    private static String taken(ChannelUriStringBuilder channel) {
        return channel.sparse(false)
                .untetheredWindowLimitTimeoutNs(UNTETHERED_NANOS)
                .untetheredLingerTimeoutNs(UNTETHERED_NANOS)
                .untetheredRestingTimeoutNs(RESTING_NANOS)
                .build();
    }

    private static SourceLocation location(ArchiveSession session) {
        return session.options().isRemote() ? SourceLocation.REMOTE : SourceLocation.LOCAL;
    }

    private static OccupiedException occupied(ArchiveSession session, String what) {
        return new OccupiedException(what
                + (session.options().isRemote()
                        ? " is in use, or was until moments ago: the Archive records it for another process; close it there,"
                                + " or try again: a killed process is timed out after aeron.client.liveness.timeout of the media"
                                + " driver on its host, 10 s by default; if that does not help, open it on that host"
                        : " is in use by another process, which is alive; close it there first"));
    }

    /**
     * Waits while a recording has a writer that may be dead. A writer whose publication is in this host's driver is alive once its
     * heartbeat has moved; the driver times out a dead one within its client liveness timeout, and ends its publication.
     *
     * <p>It never ends the publication of a process that was killed between the two stores of Aeron's claim, that of the tail and
     * that of the length: behind the tail there is no length that says where the fragment ends. The Archive is requested to stop
     * such a recording.
     */
    public static RecordingDescriptor awaitEnd(
            ArchiveSession session, RecordingDescriptor found, String what, boolean waits) {
        if (!found.isWritten()) {
            return found;
        }
        RecordingDescriptor[] now = {found};
        long heartbeat = heartbeat(session, found);
        boolean isElsewhere = session.options().isRemote() && heartbeat == NONE;
        long limit = !waits ? 0 : isElsewhere ? REMOTE_NANOS : session.clientLivenessNanos() + DRIVER_TIMER_NANOS;
        BooleanSupplier hasEnded = () -> {
            now[0] = Catalog.again(session, found);
            return now[0] == null || !now[0].isWritten();
        };
        boolean isOver = session.awaitFor(
                limit, () -> hasEnded.getAsBoolean() || heartbeat(session, now[0]) > Math.max(heartbeat, DEAD));
        if (!isOver && waits && heartbeat(session, now[0]) == DEAD && stop(session, now[0])) {
            session.awaitFor(CLOSE_NANOS, hasEnded);
        }
        if (now[0] == null) {
            throw new TransportException(what + " was deleted");
        }
        if (now[0].isWritten()) {
            throw occupied(session, what);
        }
        return now[0];
    }

    /** Stops the recording of one publication; of no other, should there be a new one. Returns false when there is none. */
    private static boolean stop(ArchiveSession session, RecordingDescriptor recording) {
        String channel = channel(session, recording.sessionId()).build();
        return session.call(
                "stop the recording '" + recording.alias() + "'",
                () -> session.archive().tryStopRecording(channel, recording.streamId()));
    }

    /**
     * Returns the last heartbeat of the client that writes a recording, in milliseconds since 1970; {@link #DEAD} when the driver
     * has timed it out, {@link #NONE} when this host's driver does not have the publication.
     */
    private static long heartbeat(ArchiveSession session, RecordingDescriptor recording) {
        CountersReader counters = session.aeron().countersReader();
        long[] heartbeat = {NONE};
        counters.forEach((id, type, key, label) -> {
            if (type == AeronCounters.DRIVER_PUBLISHER_LIMIT_TYPE_ID
                    && key.getInt(StreamCounter.SESSION_ID_OFFSET) == recording.sessionId()
                    && key.getInt(StreamCounter.STREAM_ID_OFFSET) == recording.streamId()) {
                int client = HeartbeatTimestamp.findCounterIdByRegistrationId(
                        counters, HeartbeatTimestamp.HEARTBEAT_TYPE_ID, counters.getCounterOwnerId(id));
                heartbeat[0] = client == CountersReader.NULL_COUNTER_ID ? DEAD : counters.getCounterValue(client);
            }
        });
        return heartbeat[0];
    }

    /** Returns the session of the publication whose recorded position a counter has. */
    static int sessionOf(CountersReader counters, int recordingPosition) {
        return counters.metaDataBuffer()
                .getInt(CountersReader.metaDataOffset(recordingPosition) + CountersReader.KEY_OFFSET + Long.BYTES);
    }

    public ExclusivePublication publication() {
        return publication;
    }

    public long recordingId() {
        return recordingId;
    }

    /**
     * Returns the position up to which the Archive has recorded this publication; for an Archive elsewhere as of its last answer.
     * Never counts frames of another writer. Allocates nothing unless the Archive is elsewhere.
     */
    public long recorded() {
        if (counter == CountersReader.NULL_COUNTER_ID) {
            return recorded;
        }
        long value = counters.getCounterValue(counter);
        if (isMine()) { // checked after the value: a reused counter gets its key first
            recorded = value;
        }
        return recorded;
    }

    private boolean isMine() {
        return RecordingPos.isActive(counters, counter, recordingId)
                && sessionOf(counters, counter) == publication.sessionId();
    }

    /** Requests the recorded position from an Archive elsewhere. */
    public void work(long nowNanos) {
        if (counter != CountersReader.NULL_COUNTER_ID || recorded == publication.position()) {
            return;
        }
        long waited = nowNanos - askedNanos;
        boolean isLost = session.calls() != askedCalls || waited >= FRESH_NANOS;
        if (asked != NONE && !isLost || waited < ASK_NANOS) {
            return;
        }
        session.forget(asked);
        askedNanos = nowNanos;
        askedCalls = session.calls();
        asked = session.ask(
                (proxy, correlation, control) -> proxy.getRecordingPosition(recordingId, correlation, control),
                (value, error) -> {
                    asked = NONE;
                    boolean isFresh = System.nanoTime() - askedNanos < FRESH_NANOS;
                    if (error == null && value != AeronArchive.NULL_POSITION && isFresh && isRecorded()) {
                        recorded = Math.max(recorded, Math.min(value, publication.position()));
                    }
                });
    }

    /** Returns whether this publication is recorded, as far as is known. */
    public boolean isRecorded() {
        return !publication.isClosed()
                && publication.isConnected()
                && (counter == CountersReader.NULL_COUNTER_ID || isMine());
    }

    /**
     * Checks at intervals, while frames are written, that the Archive still has the file to which they are recorded: it writes to
     * a deleted file without an error. The Archive answers a request to replay from its end once it has opened the file, and
     * with an error when there was none for its {@code aeron.archive.connect.timeout}. Does not wait.
     *
     * @return why the recording counts as ended; null when nothing is known against it
     */
    public String probe(long nowNanos) {
        if (missing == null
                && nowNanos - probedNanos >= PROBE_NANOS
                && recorded() > probedTo
                && (probe == NONE || session.calls() != probedCalls)) {
            session.forget(probe);
            probedNanos = nowNanos;
            probedCalls = session.calls();
            probedTo = recorded();
            probe = session.ask(
                    (proxy, correlation, control) -> proxy.replay(
                            recordingId, probedTo, Long.MAX_VALUE, NOWHERE, PROBE_STREAM, correlation, control),
                    (replay, error) -> {
                        probe = NONE;
                        if (error == null) {
                            session.ask(
                                    (proxy, correlation, control) -> proxy.stopReplay(replay, correlation, control),
                                    null);
                        } else if (error.contains(NO_FILE)) {
                            missing = "the Archive has lost the file to which it records: " + error;
                        }
                    });
        }
        return missing;
    }

    /** Writes bytes as one fragment; false when there is no room now. */
    public boolean offer(DirectBuffer buffer, int length) {
        return publication.offer(buffer, 0, length) > 0;
    }

    /** Waits for a limited time until all is recorded. */
    public void awaitRecorded() {
        if (isRecorded()) {
            session.awaitFor(CLOSE_NANOS, () -> {
                work(System.nanoTime());
                return recorded() >= publication.position() || !isRecorded();
            });
        }
    }

    /** Waits for a limited time until all is recorded, and stops the recording; the rest is lost. */
    public void close() {
        if (!session.isAlive()) {
            return;
        }
        try {
            awaitRecorded();
            if (recorded() >= publication.position() || !isRecorded()) {
                Interrupts.without(() -> session.archive().tryStopRecording(subscription));
                session.awaitFor(CLOSE_NANOS, () -> session.signals().hasStopped(subscription));
            } // otherwise the Archive records to the end of the publication, and then stops
        } catch (TransportException gone) {
            throw gone;
        } catch (RuntimeException failed) {
            throw ArchiveSession.refused("end a recording", failed);
        } finally {
            publication.close();
        }
    }
}
