package dev.baton.aeron.archive;

import dev.baton.aeron.recording.ArchiveSession;
import dev.baton.aeron.recording.RecordingDescriptor;
import dev.baton.aeron.recording.RecordingReplay;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TransportException;
import io.aeron.Aeron;
import io.aeron.Counter;
import io.aeron.Image;
import io.aeron.logbuffer.ControlledFragmentHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;

/**
 * The sequence of a topic's newest frame, for the backlog of a reader. A writer in the same media driver publishes it in a
 * counter, which lasts as long as the writer's client. Without that counter this class requests the end of the recording at
 * intervals and replays its last term, step by step, without waiting. Confined to its session's thread.
 */
final class NewestSequence implements ArchiveSession.Answer {
    private static final int ALL = Integer.MAX_VALUE;

    /** The interval between two replays, each of up to a term. */
    private static final long INTERVAL_NANOS = 500_000_000;

    private static final long NONE = -1; // there is no writer in this driver
    private static final int COUNTER_TYPE = 0x4261_7403;
    private static final int KEY_BYTES = 2 * Long.BYTES;

    private final ArchiveSession session;
    private final RecordingDescriptor recording;
    private int counter = CountersReader.NULL_COUNTER_ID;
    private long newest;
    private boolean isDue;
    private long begunNanos = System.nanoTime() - INTERVAL_NANOS;
    private long replayedTo; // log position of the last replay
    private RecordingReplay replay; // null between two
    private LogEnd found;
    private ControlledFragmentHandler handler;
    private long end;
    private long asked = Aeron.NULL_VALUE;

    NewestSequence(ArchiveSession session, RecordingDescriptor recording, long newest) {
        this.session = session;
        this.recording = recording;
        this.newest = newest;
    }

    /** Adds the counter of a topic's writer. */
    static Counter addCounter(ArchiveSession session, long recording, String topic) {
        UnsafeBuffer key = new UnsafeBuffer(new byte[KEY_BYTES]);
        key.putLong(0, session.archiveId());
        key.putLong(Long.BYTES, recording);
        UnsafeBuffer label = new UnsafeBuffer(new byte[CountersReader.MAX_LABEL_LENGTH]);
        String text = "baton-newest: " + topic;
        int length =
                label.putStringWithoutLengthAscii(0, text, 0, Math.min(text.length(), CountersReader.MAX_LABEL_LENGTH));
        return session.call(
                "add a counter", () -> session.aeron().addCounter(COUNTER_TYPE, key, 0, KEY_BYTES, label, 0, length));
    }

    /**
     * Returns the sequence of the newest frame, as of the counter or the last replay; without a counter a replay follows soon.
     *
     * @param read a sequence that is known to exist
     */
    long atLeast(long read) {
        long counted = counted();
        if (counted == NONE) {
            counter = findCounter();
            counted = counted();
        }
        if (counted == NONE) {
            isDue = true;
        }
        newest = Math.max(Math.max(counted, newest), read);
        return newest;
    }

    /** Returns the id of the topic's counter, {@link CountersReader#NULL_COUNTER_ID} for none. */
    private int findCounter() {
        int[] found = {CountersReader.NULL_COUNTER_ID};
        session.aeron().countersReader().forEach((id, type, key, label) -> {
            if (type == COUNTER_TYPE
                    && key.getLong(0) == session.archiveId()
                    && key.getLong(Long.BYTES) == recording.id()) {
                found[0] = id;
            }
        });
        return found[0];
    }

    /** Returns the value of the counter, {@link #NONE} when the counter is not that of the topic any more. */
    private long counted() {
        if (counter == CountersReader.NULL_COUNTER_ID) {
            return NONE;
        }
        CountersReader counters = session.aeron().countersReader();
        long value = counters.getCounterValue(counter);
        int key = CountersReader.metaDataOffset(counter) + CountersReader.KEY_OFFSET;
        boolean isIts = counters.getCounterState(counter) == CountersReader.RECORD_ALLOCATED
                && counters.getCounterTypeId(counter) == COUNTER_TYPE
                && counters.metaDataBuffer().getLong(key + Long.BYTES) == recording.id();
        return isIts ? value : NONE;
    }

    /** Takes a step of a replay, if there is one or one is due. */
    void work(long nowNanos) {
        if (replay != null) {
            try {
                poll();
            } catch (TransportException refused) { // such as one replay more than the Archive may have
                session.requireAlive();
                close();
            }
        } else if (isDue && nowNanos - begunNanos >= INTERVAL_NANOS) {
            isDue = false;
            begunNanos = nowNanos;
            session.forget(asked);
            asked = session.ask(
                    (proxy, correlation, control) -> proxy.getMaxRecordedPosition(recording.id(), correlation, control),
                    this);
        }
    }

    @Override
    public void onAnswer(long position, String error) {
        asked = Aeron.NULL_VALUE;
        if (error == null && replay == null && position > Math.max(replayedTo, recording.start())) {
            end = position;
            found = new LogEnd(recording);
            handler = (buffer, offset, length, header) -> {
                try {
                    found.onFragment(buffer.byteBuffer(), buffer.wrapAdjustment() + offset, length, header.position());
                } catch (DamagedTopicException reportedByPoll) {
                    // the backlog is that of the frames before
                }
                return ControlledFragmentHandler.Action.CONTINUE;
            };
            long from = recording.termOf(end - 1);
            replay = RecordingReplay.begin(session, recording, from, end - from);
        }
    }

    private void poll() {
        if (!replay.advance()) {
            return;
        }
        Image image = replay.image();
        image.controlledPoll(handler, ALL);
        if (image.position() >= end) {
            newest = Math.max(newest, found.sequence());
            replayedTo = end;
        }
        if (image.position() >= end || replay.isOver()) {
            close();
        }
    }

    /** Returns whether a replay has begun and is not over. */
    boolean isReplaying() {
        return replay != null;
    }

    void close() {
        if (replay != null) {
            replay.close();
            replay = null;
        }
        session.forget(asked);
    }
}
