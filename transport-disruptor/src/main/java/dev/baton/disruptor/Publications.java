package dev.baton.disruptor;

/** The number of publications of all writers of one connection. Confined to the connection's thread. */
final class Publications {
    private long count;

    /** Counts one more. @return the number so far */
    long add() {
        return ++count;
    }

    /** {@return the number so far} */
    long count() {
        return count;
    }
}
