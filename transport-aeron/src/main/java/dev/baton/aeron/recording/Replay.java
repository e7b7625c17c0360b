package dev.baton.aeron.recording;

import dev.baton.spi.TransportException;
import io.aeron.Aeron;
import io.aeron.ChannelUriStringBuilder;
import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.logbuffer.ControlledFragmentHandler;
import java.util.concurrent.ThreadLocalRandom;
import org.agrona.DirectBuffer;

/**
 * A recording that the Archive plays again, from a position on. Begun without waiting: {@link #advance} goes on with it until
 * {@link #image} is there. It ends where the recording ended, or with {@link #close}. Confined to its session's thread.
 */
public final class Replay implements AutoCloseable, ArchiveSession.Answer {
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
    private Subscription subscription; // null until the driver has made it
    private long asked = NONE; // correlation of the request
    private long replayId = NONE; // the Archive's own, once it has told
    private String error;
    private Image image;

    private Replay(ArchiveSession session, RecordingDescriptor recording, long from, long length) {
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
    public static Replay begin(ArchiveSession session, RecordingDescriptor recording, long from, long length) {
        return new Replay(session, recording, from, length);
    }

    /**
     * Hands over what a recording holds from one position to another one, and waits for it.
     *
     * @throws TransportException when that takes longer than the timeout without a fragment
     */
    public static void scan(
            ArchiveSession session, RecordingDescriptor recording, long from, long to, Fragments handler) {
        if (from >= to) {
            return;
        }
        try (Replay replay = begin(session, recording, from, to - from)) {
            session.await("a replay of '" + recording.alias() + "'", replay::advance);
            Image image = replay.image();
            boolean[] isEnough = {false};
            ControlledFragmentHandler each = (buffer, offset, bytes, header) -> {
                if (handler.onFragment(buffer, offset, bytes, header.position())) {
                    return ControlledFragmentHandler.Action.CONTINUE;
                }
                isEnough[0] = true;
                return ControlledFragmentHandler.Action.ABORT;
            };
            while (!isEnough[0] && image.position() < to) {
                long before = image.position();
                session.await("a fragment of '" + recording.alias() + "'", () -> {
                    image.controlledPoll(each, ALL);
                    return isEnough[0] || image.position() > before || image.isClosed();
                });
                if (!isEnough[0] && image.isClosed() && image.position() < to) {
                    throw new TransportException("the replay of '" + recording.alias() + "' ended at "
                            + image.position() + " instead of " + to);
                }
            }
        }
    }

    /** Takes fragments. */
    public interface Fragments {
        /**
         * Takes one.
         *
         * @param end log position behind it
         * @return whether more are wanted
         */
        boolean onFragment(DirectBuffer buffer, int offset, int length, long end);
    }

    /**
     * Goes on without waiting; whether the image is there.
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
            throw new TransportException("recording '" + recording.alias() + "' cannot be replayed from " + from + ": "
                    + error + ArchiveSession.adviceOnReplay(error));
        }
        if (image == null
                && System.nanoTime() - begunNanos > session.options().timeout().toNanos()) {
            throw new TransportException("the Archive has not begun a replay of '" + recording.alias() + "' within "
                    + session.options().timeout().toMillis() + " ms");
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

    /** What is played; null until it has begun. */
    public Image image() {
        return image;
    }

    /** Whether all was played, or the Archive does not go on. */
    public boolean isOver() {
        return image != null && (image.isClosed() || image.isEndOfStream());
    }

    /** Ends it; what the Archive does about that is not waited for. */
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
