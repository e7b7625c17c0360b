package dev.baton.aeron.archive;

import dev.baton.aeron.RecordingFile;
import dev.baton.aeron.recording.ArchiveSession;
import dev.baton.aeron.recording.Catalog;
import dev.baton.aeron.recording.RecordingDescriptor;

/** The stored positions of consumers in the test Archive, to change them while no reader is open. */
public final class StoredPositions {
    private static final int COPIES = 3;
    private static final int COPY_BYTES = 32;

    private StoredPositions() {}

    /** Flips one bit of the newest position, counted over its copies. */
    public static void flip(ArchiveSession session, String topic, String consumer, int bit) {
        RecordingDescriptor positions = ended(session, topic, consumer);
        RecordingFile.flip(positions, positions.stop() - COPIES * COPY_BYTES, bit);
    }

    /** Damages each copy of the newest position. */
    public static void damage(ArchiveSession session, String topic, String consumer) {
        for (int copy = 0; copy < COPIES; copy++) {
            flip(session, topic, consumer, 8 * COPY_BYTES * copy + 70);
        }
    }

    /** Stores another position. */
    public static void move(ArchiveSession session, String topic, String consumer, long sequence, long position) {
        ended(session, topic, consumer);
        RecordedPosition stored = RecordedPosition.open(session, Catalog.topic(session, topic), consumer, true);
        stored.moveTo(sequence, position);
        stored.close();
    }

    /**
     * Stores so many positions of a new consumer, and leaves it without another one, as the end of its process does, at the moment in
     * which Aeron asks to repeat the next one, as it does not fit into the rest of the term.
     */
    public static void leaveAtEndOfTerm(ArchiveSession session, String topic, String consumer, int count) {
        RecordedPosition stored = RecordedPosition.open(session, Catalog.topic(session, topic), consumer, true);
        for (int i = 1; i <= count; i++) {
            stored.moveTo(i, 64L + i);
            stored.storeNow();
        }
        stored.moveTo(count + 1, 65L + count);
        stored.work(System.nanoTime() + RecordedPosition.STORE_MILLIS * 1_000_000L);
        stored.abandon();
    }

    private static RecordingDescriptor ended(ArchiveSession session, String topic, String consumer) {
        session.await(
                "the end of the positions",
                () -> !Catalog.consumers(session, topic).get(consumer).isWritten());
        return Catalog.consumers(session, topic).get(consumer);
    }
}
