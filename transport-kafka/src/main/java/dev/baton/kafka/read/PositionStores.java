package dev.baton.kafka.read;

import dev.baton.kafka.client.Deadline;
import dev.baton.spi.TransportException;

/** What is under way of one reader's position, and what has become of it while the reader is being closed. Confined to its loop. */
final class PositionStores {
    private int underWay;
    private Deadline closing; // null: the reader is not being closed
    private TransportException failure; // of the last one, since it is being closed
    private boolean isFailing; // the last one has failed
    private long failingSinceNanos; // the first of those that failed in a row; valid while isFailing

    void begun() {
        underWay++;
    }

    void ended() {
        underWay--;
    }

    boolean isAnyUnderWay() {
        return underWay > 0;
    }

    /** From here on the reader's close tells what fails, by this deadline. */
    void closing(Deadline deadline) {
        closing = deadline;
    }

    /** One is stored. */
    void succeeded() {
        isFailing = false;
    }

    /** One has failed; returns how long it has been since the first of those that failed in a row. */
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

    /** What failed since this was asked last; null for nothing. */
    TransportException takeFailure() {
        TransportException taken = failure;
        failure = null;
        return taken;
    }
}
