package dev.baton.kafka.read;

import dev.baton.kafka.client.Deadline;
import dev.baton.spi.errors.TransportException;

/**
 * The requests in flight that store one reader's position, and their failures while the reader is being closed.
 * Confined to its loop.
 */
final class PositionStores {
    private int inFlight;
    private Deadline closing; // null: the reader is not being closed
    private TransportException failure; // of the last one, since it is being closed
    private boolean isFailing; // the last one has failed
    private long failingSinceNanos; // the first of those that failed in a row; valid while isFailing

    void begun() {
        inFlight++;
    }

    void ended() {
        inFlight--;
    }

    boolean isAnyInFlight() {
        return inFlight > 0;
    }

    /** Begins the close of the reader, which reports failures until this deadline. */
    void closing(Deadline deadline) {
        closing = deadline;
    }

    /** Notes a request that succeeded. */
    void succeeded() {
        isFailing = false;
    }

    /** Notes a request that failed; returns the time since the first of those that failed in a row. */
    long failedForNanos(long now) {
        if (!isFailing) {
            isFailing = true;
            failingSinceNanos = now;
        }
        return now - failingSinceNanos;
    }

    boolean isClosing() {
        return closing != null;
    }

    boolean isTooLate() {
        return closing.isOver();
    }

    void failed(TransportException why) {
        failure = why;
    }

    /** Returns the failure since the last call; null for none. */
    TransportException takeFailure() {
        TransportException taken = failure;
        failure = null;
        return taken;
    }
}
