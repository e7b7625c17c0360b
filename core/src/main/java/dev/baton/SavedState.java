package dev.baton;

import dev.baton.spi.DamagedTopicException;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import java.util.Optional;

/**
 * A whole snapshot of a service's state, read from its topic beside the running service: nothing is consumed. The state is in
 * memory until it is {@link #restore restored}. Confined to one thread.
 */
public final class SavedState {
    private static final int READ_LIMIT = 1_024;

    private final SnapshotScan.Whole whole;

    private SavedState(SnapshotScan.Whole whole) {
        this.whole = whole;
    }

    /**
     * {@return the newest whole snapshot that contains inputs up to one at most; empty for none} Torn and damaged ones are
     * passed over. Reads the topic from its oldest frame on, and holds two states in memory at most. May block.
     *
     * @param transport that has the topic
     * @param topic as {@link Chain#snapshotTopic} names it, which exists
     * @param input the last one that the state may contain
     */
    public static Optional<SavedState> newest(Transport transport, String topic, long input) {
        SnapshotScan.Whole[] newest = new SnapshotScan.Whole[1];
        SnapshotScan scan = new SnapshotScan(true, whole -> {
            if (whole.end().input() <= input) {
                newest[0] = whole;
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
        return Optional.ofNullable(newest[0]).map(SavedState::new);
    }

    /** {@return the sequence of the last input that the state contains; 0 for none} */
    public long input() {
        return whole.end().input();
    }

    /** {@return the length of the state} */
    public long bytes() {
        return whole.end().bytes();
    }

    /** {@return the version of the service that saved it} */
    public int version() {
        return whole.end().version();
    }

    /**
     * Gives the state to a service that has none yet, once.
     *
     * @param service new, as a chain's factory makes it
     * @throws Exception as {@link StatefulService#restoreState} does
     */
    public void restore(StatefulService service) throws Exception {
        service.restoreState(new SnapshotBytes(whole.chunks()), version());
    }
}
