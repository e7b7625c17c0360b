package dev.baton.manage;

import dev.baton.Chain;
import dev.baton.StatefulService;
import dev.baton.engine.snapshots.SnapshotBytes;
import dev.baton.engine.snapshots.SnapshotScan;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.DamagedTopicException;
import java.util.Optional;

/**
 * A complete snapshot of a service's state, read from its topic without a consumer; the service may run meanwhile. The
 * state is in memory until it is {@link #restore restored}. Confined to one thread.
 */
public final class SavedState {
    private static final int READ_LIMIT = 1_024;

    private final SnapshotScan.Whole whole; // the newest snapshot, which may contain only changes
    private final long bytes; // with those that it follows

    private SavedState(SnapshotScan.Whole whole, long bytes) {
        this.whole = whole;
        this.bytes = bytes;
    }

    /** Returns the state that a further snapshot completes; that of the earlier ones if it follows another one. */
    private static SavedState after(SavedState before, SnapshotScan.Whole next) {
        long follows = next.end().content().follows();
        long bytes = next.end().content().bytes();
        if (follows == 0) {
            return new SavedState(next, bytes);
        }
        boolean isLinked = before != null && before.whole.sequence() == follows;
        return isLinked ? new SavedState(next, before.bytes + bytes) : before;
    }

    /**
     * {@return the newest complete snapshot that contains no input after a given one; empty for none} Torn and damaged
     * snapshots are skipped. Reads the topic from its oldest frame on, and holds at most two states in memory. May block.
     *
     * @param transport transport with the topic
     * @param topic existing topic, with a name from {@link Chain#snapshotTopic}
     * @param input sequence of the newest input that the state may contain
     */
    public static Optional<SavedState> newest(Transport transport, String topic, long input) {
        SavedState[] newest = new SavedState[1];
        SnapshotScan scan = new SnapshotScan(whole -> {
            if (whole.end().input() <= input) {
                newest[0] = after(newest[0], whole);
            }
        });
        try (TopicInspector inspector = transport.inspect(topic)) {
            String last = "";
            boolean isMore = true;
            while (isMore) {
                try {
                    isMore = inspector.read(scan, READ_LIMIT) > 0;
                } catch (DamagedTopicException damaged) {
                    scan.tear();
                    isMore = !damaged.isEnd() && !last.equals(damaged.getMessage());
                    last = damaged.getMessage();
                }
            }
        }
        return Optional.ofNullable(newest[0]);
    }

    /** {@return the sequence of the newest input that the state contains; 0 for none} */
    public long input() {
        return whole.end().input();
    }

    /** {@return the length of the state in bytes; that of a {@link dev.baton.KeyedService} includes values that were replaced} */
    public long bytes() {
        return bytes;
    }

    /** {@return the version of the service that saved it} */
    public int version() {
        return whole.end().version();
    }

    /**
     * Passes the state to a service that has none yet. Can be called once.
     *
     * @param service new service from a chain's factory
     * @throws Exception as {@link StatefulService#restoreState} does
     */
    public void restore(StatefulService service) throws Exception {
        service.restoreState(new SnapshotBytes(whole.chunks()), version());
    }
}
