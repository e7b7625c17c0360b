package dev.baton.aeron.archive;

import dev.baton.aeron.recording.ArchiveSession;
import io.aeron.Counter;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;

/**
 * A counter of the media driver that says which frame of a topic is the newest one that its writer has written: for readers in the
 * same driver, so that they know how far behind they are. It lasts as long as the writer's client. Stateless.
 */
final class NewestCounter {
    /** There is no writer in this driver. */
    static final long NONE = -1;

    private static final int TYPE = 0x4261_7403;
    private static final int KEY_BYTES = 2 * Long.BYTES;

    private NewestCounter() {}

    /** Makes the counter of a topic's writer. */
    static Counter add(ArchiveSession session, long recording, String topic) {
        UnsafeBuffer key = new UnsafeBuffer(new byte[KEY_BYTES]);
        key.putLong(0, session.archiveId());
        key.putLong(Long.BYTES, recording);
        UnsafeBuffer label = new UnsafeBuffer(new byte[CountersReader.MAX_LABEL_LENGTH]);
        String text = "baton-newest: " + topic;
        int length =
                label.putStringWithoutLengthAscii(0, text, 0, Math.min(text.length(), CountersReader.MAX_LABEL_LENGTH));
        return session.call(
                "add a counter", () -> session.aeron().addCounter(TYPE, key, 0, KEY_BYTES, label, 0, length));
    }

    /** Looks up the counter of a topic; {@link CountersReader#NULL_COUNTER_ID} for none. */
    static int find(ArchiveSession session, long recording) {
        CountersReader counters = session.aeron().countersReader();
        int[] found = {CountersReader.NULL_COUNTER_ID};
        counters.forEach((id, type, key, label) -> {
            if (type == TYPE && key.getLong(0) == session.archiveId() && key.getLong(Long.BYTES) == recording) {
                found[0] = id;
            }
        });
        return found[0];
    }

    /** Sequence of the newest frame; {@link #NONE} when the counter is not that of the topic any more. */
    static long value(ArchiveSession session, int counter, long recording) {
        if (counter == CountersReader.NULL_COUNTER_ID) {
            return NONE;
        }
        CountersReader counters = session.aeron().countersReader();
        long value = counters.getCounterValue(counter);
        boolean isIts = counters.getCounterState(counter) == CountersReader.RECORD_ALLOCATED
                && counters.getCounterTypeId(counter) == TYPE
                && counters.metaDataBuffer()
                                .getLong(
                                        CountersReader.metaDataOffset(counter) + CountersReader.KEY_OFFSET + Long.BYTES)
                        == recording;
        return isIts ? value : NONE;
    }
}
