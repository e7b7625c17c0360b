package dev.baton.aeron.recording;

import io.aeron.ChannelUriStringBuilder;
import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.archive.status.RecordingPos;
import org.agrona.concurrent.status.CountersReader;

/**
 * The image of a publication in this host's media driver while the Archive records it, for a reader that has caught up: it reads
 * from the log of the publication what the Archive would read from its file and send again.
 *
 * <p>The subscription is untethered: the driver ends the image of a reader that does not move, so that it holds back the
 * publication for a limited time. From then on its log may be overwritten. The reader returns to a {@link RecordingReplay} then, long
 * before the driver would let it join again. Confined to its session's thread.
 */
public final class LiveImage implements AutoCloseable {
    /** The distance from the recorded position within which a reader may join, as the part of a term that this divides. */
    private static final int JOIN_PARTS = 8;

    /** The distance beyond which it leaves, as a percentage of a term, before the window of half a term is used up. */
    private static final int LEAVE_PERCENT = 37;

    private final ArchiveSession session;
    private final RecordingDescriptor recording;
    private final int counter; // of the recorded position
    private final int publicationSession;
    private final CountersReader counters;
    private final long subscribing;

    private Subscription subscription; // null until the driver has added it
    private Image image;
    private long recorded; // last known position

    private LiveImage(ArchiveSession session, RecordingDescriptor recording, int counter, int publicationSession) {
        this.session = session;
        this.recording = recording;
        this.counter = counter;
        this.publicationSession = publicationSession;
        counters = session.aeron().countersReader();
        String channel = new ChannelUriStringBuilder()
                .media("ipc")
                .sessionId(publicationSession)
                .tether(false)
                .rejoin(true) // or the driver frees the counter of its position while the image is still in use
                .build();
        subscribing = session.call(
                "subscribe to '" + recording.alias() + "'",
                () -> session.aeron().asyncAddSubscription(channel, recording.streamId()));
    }

    /**
     * Begins to join the publication of a recording that has been read up to a position.
     *
     * @return null when the recording has no publication in this driver, or the position is too far behind what is recorded
     */
    public static LiveImage join(ArchiveSession session, RecordingDescriptor recording, long position) {
        CountersReader counters = session.aeron().countersReader();
        int counter = RecordingPos.findCounterIdByRecording(counters, recording.id(), session.archiveId());
        if (counter == CountersReader.NULL_COUNTER_ID) {
            return null;
        }
        int publicationSession = RecordedPublication.sessionOf(counters, counter);
        long behind = counters.getCounterValue(counter) - position;
        boolean isNear = behind >= 0 && behind <= recording.termLength() / JOIN_PARTS;
        boolean isIts = RecordingPos.isActive(counters, counter, recording.id()); // checked after its values
        boolean isHere = "aeron:ipc".equals(RecordingPos.getSourceIdentity(counters, counter));
        return isNear && isIts && isHere ? new LiveImage(session, recording, counter, publicationSession) : null;
    }

    /**
     * Takes a step without waiting, and returns whether the reader may change to this image from one at a position.
     *
     * @param position of the replay, which has to reach the position at which the driver has joined this image
     */
    public boolean advance(long position) {
        if (subscription == null) {
            subscription = session.call(
                    "subscribe to '" + recording.alias() + "'",
                    () -> session.aeron().getSubscription(subscribing));
        }
        if (subscription != null && image == null) {
            image = subscription.imageBySessionId(publicationSession);
        }
        if (image == null || image.isClosed() || position < image.position()) {
            return false;
        }
        while (image.position() < position && !image.isClosed()) { // Aeron moves within a term
            long endOfTerm = (image.position() & -image.termBufferLength()) + image.termBufferLength();
            image.position(Math.min(position, endOfTerm));
        }
        return !image.isClosed();
    }

    /** Returns the image; null until there is one. */
    public Image image() {
        return image;
    }

    /**
     * Returns the position up to which the Archive has recorded this publication. It does not move any more once the publication
     * has ended.
     */
    public long recorded() {
        long value = counters.getCounterValue(counter);
        if (isRecorded()) { // checked after the value: a reused counter gets its key first
            recorded = value;
        }
        return recorded;
    }

    private boolean isRecorded() {
        return RecordingPos.isActive(counters, counter, recording.id())
                && RecordedPublication.sessionOf(counters, counter) == publicationSession;
    }

    /** Returns whether there is nothing more to read here, or the reader has fallen too far behind. */
    public boolean isOver() {
        return image != null
                && (image.isClosed()
                        || !isRecorded()
                        || recorded() - image.position() > recording.termLength() / 100L * LEAVE_PERCENT);
    }

    @Override
    public void close() {
        if (!session.isAlive()) {
            return;
        }
        if (subscription != null) {
            subscription.close();
        } else {
            session.aeron().asyncRemoveSubscription(subscribing);
        }
    }
}
