package dev.baton.aeron.archive;

import dev.baton.aeron.recording.ArchiveSession;
import dev.baton.aeron.recording.RecordingDescriptor;
import dev.baton.aeron.recording.Replay;
import io.aeron.Aeron;
import io.aeron.Image;
import io.aeron.archive.client.ArchiveProxy;
import io.aeron.logbuffer.ControlledFragmentHandler;

/**
 * Finds out now and then which frame of a topic is the newest one, for a reader whose writer is not in this host's driver: asks
 * how far the recording goes, and has its last term replayed. It waits for nothing: each turn goes on a step. Confined to its
 * session's thread.
 */
final class NewestLook implements ArchiveSession.Answer {
    private static final int ALL = Integer.MAX_VALUE;

    /** A look costs the replay of up to a term. */
    private static final long INTERVAL_NANOS = 500_000_000;

    private final ArchiveSession session;
    private final RecordingDescriptor recording;
    private long newest;
    private boolean isWanted;
    private long begunNanos = System.nanoTime() - INTERVAL_NANOS;
    private long lookedTo; // log position of the last look
    private Replay replay; // null while there is no look
    private LogEnd found;
    private ControlledFragmentHandler handler;
    private long end;
    private long asked = Aeron.NULL_VALUE;

    NewestLook(ArchiveSession session, RecordingDescriptor recording, long newest) {
        this.session = session;
        this.recording = recording;
        this.newest = newest;
    }

    /** Sequence of the newest frame, as of the last look; there will be another one soon. */
    long newest() {
        isWanted = true;
        return newest;
    }

    /** One step. */
    void work(long nowNanos) {
        if (replay != null) {
            look();
        } else if (isWanted && nowNanos - begunNanos >= INTERVAL_NANOS) {
            isWanted = false;
            begunNanos = nowNanos;
            session.forget(asked);
            ArchiveProxy proxy = session.proxy();
            long control = session.control();
            asked = session.ask(
                    correlation -> proxy.getMaxRecordedPosition(recording.id(), correlation, control), this);
        }
    }

    @Override
    public void onAnswer(long position, String error) {
        asked = Aeron.NULL_VALUE;
        if (error == null && replay == null && position > Math.max(lookedTo, recording.start())) {
            end = position;
            found = new LogEnd(recording.topic());
            handler = (buffer, offset, length, header) -> {
                found.onFragment(buffer, offset, length, header.position());
                return ControlledFragmentHandler.Action.CONTINUE;
            };
            long from = recording.termOf(end - 1);
            replay = Replay.begin(session, recording, from, end - from);
        }
    }

    private void look() {
        if (!replay.advance()) {
            return;
        }
        Image image = replay.image();
        image.controlledPoll(handler, ALL);
        if (image.position() >= end) {
            newest = Math.max(newest, found.sequence());
            lookedTo = end;
        }
        if (image.position() >= end || replay.isOver()) {
            close();
        }
    }

    void close() {
        if (replay != null) {
            replay.close();
            replay = null;
        }
        session.forget(asked);
    }
}
