package dev.baton.aeron.recording;

import dev.baton.aeron.ArchiveOptions;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TransportException;
import io.aeron.Aeron;
import io.aeron.ChannelUriStringBuilder;
import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.logbuffer.ControlledFragmentHandler;
import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A replay of a recording from a position on. It begins without waiting: {@link #advance} takes steps until there is an {@link
 * #image}. It ends where the recording ended, or with {@link #close}. Confined to its session's thread.
 */
public final class RecordingReplay implements AutoCloseable, ArchiveSession.Answer {
    /** The number of replays that may end at one position, one after the other, before it counts as damaged. */
    private static final int ATTEMPTS = 3;

    private static final int ALL = Integer.MAX_VALUE;
    private static final long NONE = Aeron.NULL_VALUE;

    private final ArchiveSession session;
    private final RecordingDescriptor recording;
    private final long from;
    private final long length;
    private final int sessionId = ThreadLocalRandom.current().nextInt();
    private final int stream = ThreadLocalRandom.current().nextInt();
    private final long begunNanos = System.nanoTime();

    private long subscribing;
    private Subscription subscription; // null until the driver has added it
    private long asked = NONE; // correlation of the request
    private long replayId = NONE; // of the Archive, once it has answered
    private String error;
    private Image image;

    private RecordingReplay(ArchiveSession session, RecordingDescriptor recording, long from, long length) {
        this.session = session;
        this.recording = recording;
        this.from = from;
        this.length = length;
        String channel = channel(session.options().isRemote() ? session.localEndpoint() : null);
        subscribing =
                session.call("subscribe to a replay", () -> session.aeron().asyncAddSubscription(channel, stream));
    }

    private String channel(String endpoint) {
        ChannelUriStringBuilder uri = new ChannelUriStringBuilder()
                .sessionId(sessionId)
                .sparse(false); // or a full file system ends a process
        return (endpoint == null ? uri.media("ipc") : uri.media("udp").endpoint(endpoint)).build();
    }

    /** Begins a replay. */
    public static RecordingReplay begin(ArchiveSession session, RecordingDescriptor recording, long from, long length) {
        return new RecordingReplay(session, recording, from, length);
    }

    /**
     * Hands over the fragments of a recording between two positions, and waits for them.
     *
     * @throws DamagedTopicException when the Archive sends nothing for the timeout, or ends {@value #ATTEMPTS} replays too early
     */
    public static void scan(
            ArchiveSession session, RecordingDescriptor recording, long from, long to, Fragments handler) {
        int attempts = 1;
        for (long at = from, reached; at < to; at = reached) {
            reached = scan(session, recording, at, to, handler, attempts);
            attempts = reached > at ? 1 : attempts + 1;
        }
    }

    /** Takes one replay, and returns the position that it has reached; the end when the handler has seen enough. */
    private static long scan(
            ArchiveSession session,
            RecordingDescriptor recording,
            long from,
            long to,
            Fragments handler,
            int attempts) {
        try (RecordingReplay replay = begin(session, recording, from, to - from)) {
            session.await("a replay of '" + recording.alias() + "'", replay::advance);
            Image image = replay.image();
            boolean[] isStopped = {false};
            RuntimeException[] thrown = {null}; // by the handler; Aeron would swallow it
            ControlledFragmentHandler each = (buffer, offset, bytes, header) -> {
                try {
                    if (handler.onFragment(
                            buffer.byteBuffer(), buffer.wrapAdjustment() + offset, bytes, header.position())) {
                        return ControlledFragmentHandler.Action.CONTINUE;
                    }
                } catch (RuntimeException failed) {
                    thrown[0] = failed;
                }
                isStopped[0] = true;
                return ControlledFragmentHandler.Action.ABORT;
            };
            long before = from;
            for (boolean isOver = false; !isStopped[0] && !isOver && before < to; before = image.position()) {
                long reached = before;
                boolean isPolled = session.awaitFor(session.timeoutNanos(), () -> {
                    image.controlledPoll(each, ALL);
                    return isStopped[0] || image.position() > reached || image.isClosed();
                });
                isOver = image.isClosed() && image.position() == reached;
                if (!isPolled || isOver && reached == from && replay.isFutile(attempts)) {
                    throw replay.unreadable(to);
                }
            }
            if (thrown[0] != null) {
                throw thrown[0];
            }
            return isStopped[0] ? to : before;
        } catch (TransportException failed) {
            throw session.isAlive() ? failed : silenced(recording, from, failed);
        }
    }

    /**
     * Describes that the Archive has ended during a replay, or does not answer any more: its thread does not leave a frame of an
     * unknown type (Aeron 1.51).
     */
    public static TransportException silenced(RecordingDescriptor recording, long from, TransportException lost) {
        return new TransportException(
                lost.getMessage() + ". It was replaying " + recording.what() + ", recording " + recording.id()
                        + ", from log position " + from
                        + ". If its process runs and its thread is busy, a frame there has a damaged type: kill it, and"
                        + " restore the recordings of the Archive, or delete the topic",
                lost);
    }

    /**
     * Returns whether another replay would end there, too, as this one has ended where it began.
     *
     * @param attempts replays that have ended there, one after the other
     */
    public boolean isFutile(int attempts) {
        return attempts >= ATTEMPTS || session.signals().hasFailed(asked);
    }

    /** Describes that the Archive does not send what a recording has behind the position that was reached. */
    public DamagedTopicException unreadable(long end) {
        String failure = session.signals().failureOf(asked);
        return new DamagedTopicException(
                recording.what() + " cannot be read: its recording " + recording.id() + " goes to log position " + end
                        + ", but the Archive sends nothing behind " + (image == null ? from : image.position()) + ", "
                        + (failure.isEmpty()
                                ? "as it does for a frame with a damaged length or type"
                                : "as it reports: " + failure)
                        + "; restore the recordings of the Archive, or delete the topic",
                true);
    }

    /** A handler of fragments. */
    public interface Fragments {
        /**
         * Handles a fragment.
         *
         * @param end log position behind the fragment
         * @return whether to continue
         */
        boolean onFragment(ByteBuffer memory, int offset, int length, long end);
    }

    /**
     * Takes a step without waiting, and returns whether there is an image.
     *
     * @throws TransportException when the Archive refuses, or has not answered within the timeout
     */
    public boolean advance() {
        if (image != null) {
            return true;
        }
        if (subscription == null) {
            subscription =
                    session.call("subscribe to a replay", () -> session.aeron().getSubscription(subscribing));
        }
        if (subscription != null && asked == NONE) {
            ask();
        }
        if (subscription != null) {
            image = subscription.imageBySessionId(sessionId);
        }
        if (image == null && error != null) {
            throw new TransportException("recording '" + recording.alias() + "' cannot be replayed from position "
                    + from + ": " + error + ArchiveSession.adviceOnReplay(error));
        }
        if (image == null && System.nanoTime() - begunNanos > session.timeoutNanos()) {
            throw new TransportException("the Archive has not begun a replay of '" + recording.alias() + "' within "
                    + session.options().get(ArchiveOptions.TIMEOUT).toMillis() + " ms");
        }
        return image != null;
    }

    private void ask() {
        String channel;
        if (session.options().isRemote()) {
            String endpoint = subscription.resolvedEndpoint();
            if (endpoint == null) {
                return;
            }
            channel = channel(endpoint);
        } else {
            channel = channel(null);
        }
        asked = session.ask(
                (proxy, correlation, control) ->
                        proxy.replay(recording.id(), from, length, channel, stream, correlation, control),
                this);
    }

    @Override
    public void onAnswer(long value, String failed) {
        replayId = failed == null ? value : NONE;
        error = failed;
    }

    /** Returns the image of the replay; null until it has begun. */
    public Image image() {
        return image;
    }

    /** Returns whether the replay has reached its end or was aborted. */
    public boolean isOver() {
        return image != null && (image.isClosed() || image.isEndOfStream());
    }

    /** Stops the replay without waiting for the Archive. */
    @Override
    public void close() {
        if (!session.isAlive()) {
            return;
        }
        session.forget(asked);
        if (replayId != NONE && !isOver()) {
            session.ask((proxy, correlation, control) -> proxy.stopReplay(replayId, correlation, control), null);
        }
        if (subscription != null) {
            subscription.close();
        } else {
            session.aeron().asyncRemoveSubscription(subscribing);
        }
    }
}
