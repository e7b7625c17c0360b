package dev.baton.aeron.recording;

import dev.baton.aeron.ArchiveOptions;
import dev.baton.spi.errors.TopicMismatchException;
import dev.baton.spi.errors.TransportException;
import io.aeron.Aeron;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.client.ArchiveException;
import io.aeron.archive.client.ReplicationParams;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

/**
 * The connection to the Archive that has copies of the recordings of a session's Archive, by the replication of Aeron: the standby
 * replays a recording over UDP and follows it while it is written, so that it has nothing that the original does not have.
 *
 * <p>Positions of copies are requested in rounds. A round ends with a request for the role of the standby, and its positions count
 * only if that role is still there. The Archive answers in the order of requests, and a promotion deletes the role before another
 * process may write to the copies: a position that counts is one of a copy. Nothing waits for an answer but what says so.
 * Confined to its session's thread.
 */
public final class Standby {
    /** The age at which a round counts as lost, and begins again. */
    private static final long ROUND_NANOS = 500_000_000;

    /** The attempts to begin a copy. */
    private static final int ATTEMPTS = 5;

    /** The least time between two of them, about that of one; drawn at random up to three times that. */
    private static final long PAUSE_NANOS = 100_000_000;

    private final ArchiveSession session;
    private ArchiveSession primary; // whose client gets turns while this one waits
    private final Role role;
    private final String source; // channel
    private final ArchiveSession.Request roleRequest;
    private final ArchiveSession.Answer roleAnswer = this::onRole;
    private final List<Copy> due = new ArrayList<>();
    private final List<Copy> asked = new ArrayList<>();
    private final ReplicationParams params = new ReplicationParams();
    private long roleAsked = Aeron.NULL_VALUE; // no round is open
    private long begunNanos; // of the round
    private long begunCalls;
    private boolean isAnswered = true; // the round before
    private long silentNanos; // since when there is no answer
    private TransportException failure; // null while this connection is usable

    private Standby(ArchiveSession session, Role role, String source) {
        this.session = session;
        this.role = role;
        this.source = source;
        roleRequest = (proxy, correlation, control) -> proxy.getStartPosition(role.recording(), correlation, control);
    }

    /**
     * Connects to the standby of a session's Archive, and makes the two a pair if the standby is empty. Waits for both.
     *
     * @throws TopicMismatchException when they are not a pair
     */
    static Standby connect(ArchiveSession primary) {
        ArchiveSession session = ArchiveSession.connectAlone(primary.options().ofStandby());
        try {
            return new Standby(
                    session,
                    Role.ofPair(primary, session),
                    "aeron:udp?endpoint=" + primary.options().source());
        } catch (RuntimeException | Error failed) { // an Error for example of a mapped file without pages
            session.close();
            throw failed;
        }
    }

    /** Sets the session that this connection belongs to. */
    void serve(ArchiveSession session) {
        primary = session;
    }

    /** Waits for the standby, with turns of both clients, as the driver of either would drop one without. */
    private boolean awaitFor(long limitNanos, BooleanSupplier condition) {
        return session.awaitFor(limitNanos, () -> {
            primary.workAlone(System.nanoTime());
            return condition.getAsBoolean();
        });
    }

    boolean isAlive() {
        return failure == null && session.isAlive();
    }

    /** Returns why this connection cannot be used any more. */
    TransportException lost() {
        try {
            session.requireAlive();
        } catch (TransportException gone) {
            return failure == null ? gone : failure;
        }
        return failure;
    }

    /** Creates the copies of topics that have none, and waits until they are begun. */
    public void copy(Collection<RecordingDescriptor> topics) {
        Map<String, RecordingDescriptor> known = Catalog.topics(session);
        List<RecordingDescriptor> missing = topics.stream()
                .filter(each -> isMissing(known.get(each.topic())))
                .toList();
        missing.forEach(this::begin);
        missing.forEach(this::await);
    }

    private static boolean isMissing(RecordingDescriptor copy) {
        return copy == null || copy.isEmpty();
    }

    /** Begins to copy a recording from its start. What was left of an earlier attempt is deleted, which ends that one. */
    private void begin(RecordingDescriptor original) {
        for (RecordingDescriptor each : Catalog.list(session, original.alias(), original.streamId())) {
            if (each.isEmpty()) {
                Catalog.purge(session, each.id());
            }
        }
        replicateNow(original);
    }

    private void replicateNow(RecordingDescriptor original) {
        requireRole();
        session.signals().failed(Aeron.NULL_VALUE, ArchiveException.GENERIC, "");
        session.call(
                "copy " + original.what(),
                () -> session.archive()
                        .replicate(
                                original.id(),
                                AeronArchive.Configuration.controlStreamId(),
                                source,
                                new ReplicationParams()));
    }

    private void requireRole() {
        try {
            session.call(
                    "ask for the role of the standby", () -> session.archive().getStartPosition(role.recording()));
        } catch (TransportException refused) {
            session.requireAlive();
            throw promoted();
        }
    }

    /**
     * Waits until a copy is begun. Begins again where the standby refuses, as Aeron 1.51 does for one of two replications that begin
     * at the same moment ("recording exists for streamId"), also those of two processes.
     */
    private RecordingDescriptor await(RecordingDescriptor original) {
        RecordingDescriptor[] found = {null};
        BooleanSupplier isBegun = () -> {
            found[0] = Catalog.oldest(session, original.alias(), original.streamId());
            return !isMissing(found[0]);
        };
        long limitNanos = 2 * session.timeoutNanos();
        long begunNanos = System.nanoTime();
        for (int attempts = 1; attempts <= ATTEMPTS && isMissing(found[0]); attempts++) {
            long pauseNanos = ThreadLocalRandom.current().nextLong(PAUSE_NANOS, 3 * PAUSE_NANOS);
            if (attempts > 1 && !awaitFor(pauseNanos, isBegun)) {
                begin(original);
            }
            awaitFor(
                    limitNanos - (System.nanoTime() - begunNanos),
                    () -> isBegun.getAsBoolean() || !session.signals().failure().isEmpty());
            if (session.signals().failure().isEmpty()) {
                break;
            }
        }
        if (isMissing(found[0])) {
            throw new TransportException("the standby has not begun to copy " + original.what()
                    + (session.signals().failure().isEmpty() ? " within " + seconds(limitNanos) : "")
                    + remedy());
        }
        if (found[0].identity() != original.identity()) {
            endCopying(session, found[0]);
            Catalog.purge(session, found[0].id());
            throw new TransportException("the standby has found another " + original.what() + " at " + source
                    + ", which is another Archive; set " + ArchiveOptions.ADDRESS
                    + " to the address by which the standby reaches the Archive (" + session.options()
                    + " is the standby)");
        }
        return found[0];
    }

    /** Returns what makes a copy stop, for an error. */
    String remedy() {
        String failed = session.signals().failure();
        return (failed.isEmpty() ? "" : " (" + failed + ")")
                + "; the standby has to reach the Archive at " + source
                + ", and needs aeron.archive.replication.channel, space and free concurrent recordings; the Archive needs free"
                + " concurrent replays";
    }

    static String seconds(long nanos) {
        return nanos / 1_000_000 + " ms";
    }

    /**
     * Returns the copy of a recording; null for none.
     *
     * @throws TopicMismatchException when the standby has a topic of this name that is another one
     */
    RecordingDescriptor find(RecordingDescriptor original) {
        RecordingDescriptor found = Catalog.oldest(session, original.alias(), original.streamId());
        if (isMissing(found)) {
            return null;
        }
        boolean isContinued = found.isWritten() || found.stop() >= original.start(); // or what is missing was purged
        if (isContinued && found.identity() == original.identity()) {
            return found;
        }
        if (original.streamId() == RecordingDescriptor.TOPICS) {
            throw new TopicMismatchException("the standby's " + original.what()
                    + " is not a copy of that in the Archive, which was deleted, purged or restored behind Baton's back; promote the"
                    + " standby, or stop it, empty its directory and start it again");
        }
        Catalog.purge(session, found.id()); // positions of a consumer or topic that is gone, or that lag by a segment
        return null;
    }

    /** Returns the copy of a recording, and begins to make it if there is none. Waits for the standby. */
    RecordingDescriptor findOrBegin(RecordingDescriptor original) {
        RecordingDescriptor found = find(original);
        if (found != null) {
            return found;
        }
        begin(original);
        return await(original);
    }

    /** Deletes the copies of topics, all or, when one is being written, none. */
    public void delete(Collection<String> topics) {
        requireRole();
        awaitFor(
                session.timeoutNanos(),
                () -> { // copying ends a moment after the recording
                    try {
                        Catalog.deletable(session, topics);
                        return true;
                    } catch (TransportException inUse) {
                        session.requireAlive();
                        return false;
                    }
                });
        Catalog.delete(session, topics);
    }

    /** Deletes the copy of a consumer's positions. */
    public void forget(String topic, String consumer) {
        requireRole();
        for (RecordingDescriptor each : Catalog.list(
                session, RecordingDescriptor.consumerAlias(topic, consumer), RecordingDescriptor.CONSUMERS)) {
            Catalog.purge(session, each.id());
        }
    }

    /**
     * Promotes the Archive of a session, unless it was: ends its copying, has its topics checked, and allows to write them. Waits for
     * the Archive.
     *
     * @param check of the topics, which nobody writes meanwhile
     */
    public static void promote(ArchiveSession session, Runnable check) {
        if (Role.isPromoted(session)) {
            return;
        }
        Role promoting = Role.beginPromotion(session);
        for (int stream :
                new int[] {RecordingDescriptor.TOPICS, RecordingDescriptor.ENDS, RecordingDescriptor.CONSUMERS}) {
            for (RecordingDescriptor each : Catalog.list(session, "", stream)) {
                endCopying(session, each);
            }
        }
        check.run();
        promoting.endPromotion(session);
    }

    private static void endCopying(ArchiveSession session, RecordingDescriptor copy) {
        if (copy.isWritten()) {
            session.call(
                    "end the copying of " + copy.what(), () -> session.archive().tryStopRecordingByIdentity(copy.id()));
            session.await("the end of copying " + copy.what(), () -> {
                RecordingDescriptor now = Catalog.again(session, copy);
                return now == null || !now.isWritten();
            });
        }
    }

    /** Requests a copy's position with the next round. */
    void want(Copy copy) {
        due.add(copy);
    }

    /** Begins to copy again where a copy ends. Called while the role of a round counts. */
    void replicate(RecordingDescriptor original, RecordingDescriptor copy) {
        params.reset().dstRecordingId(copy.id());
        session.ask(
                (proxy, correlation, control) -> proxy.replicate(
                        original.id(),
                        AeronArchive.Configuration.controlStreamId(),
                        source,
                        params,
                        correlation,
                        control),
                (id, refused) -> {
                    if (refused != null) {
                        session.signals().failed(Aeron.NULL_VALUE, ArchiveException.GENERIC, refused);
                    }
                });
    }

    /**
     * Gives the client a turn and continues the round. Does not wait.
     *
     * @throws TransportException when the standby has not answered for the timeout, or was promoted
     */
    int work(long nowNanos) {
        if (failure != null) {
            throw failure;
        }
        isAnswered |= roleAsked == Aeron.NULL_VALUE && due.isEmpty(); // a lost round that nobody has repeated
        int work = session.work(nowNanos);
        if (failure != null) {
            throw failure;
        }
        if (roleAsked != Aeron.NULL_VALUE && (nowNanos - begunNanos > ROUND_NANOS || session.calls() != begunCalls)) {
            end(false);
        }
        if (!isAnswered && nowNanos - silentNanos > session.timeoutNanos()) {
            failure = new TransportException("the standby (" + session.options() + ") has not answered for "
                    + seconds(session.timeoutNanos()) + "; nothing is reported as stored without it");
            throw failure;
        }
        if (roleAsked == Aeron.NULL_VALUE && !due.isEmpty()) {
            begin(nowNanos);
        }
        return work;
    }

    private void begin(long nowNanos) {
        begunNanos = nowNanos;
        begunCalls = session.calls();
        if (isAnswered) {
            silentNanos = nowNanos;
            isAnswered = false;
        }
        asked.addAll(due);
        due.clear();
        for (int i = 0; i < asked.size(); i++) {
            asked.get(i).ask(session);
        }
        roleAsked = session.ask(roleRequest, roleAnswer);
        if (roleAsked == Aeron.NULL_VALUE) {
            end(false);
        }
    }

    private void onRole(long start, String refused) {
        if (refused != null) {
            failure = promoted();
            return;
        }
        isAnswered = true;
        end(true);
    }

    private void end(boolean counts) {
        session.forget(roleAsked);
        roleAsked = Aeron.NULL_VALUE;
        for (int i = 0; i < asked.size(); i++) {
            asked.get(i).endRound(session, counts);
        }
        asked.clear();
    }

    private TransportException promoted() {
        return new TopicMismatchException("the standby (" + session.options() + ") was promoted, or emptied, since this"
                + " process has connected with epoch " + role.epoch()
                + ": nothing more counts as stored here, and what was"
                + " not reported as stored may be lost; use the promoted Archive");
    }

    void close() {
        session.close();
    }
}
