package dev.baton.aeron.udp;

import dev.baton.spi.errors.TransportException;

/** The place of a reader in a topic whose writer is in the same process. Thread-safe. */
record LocalSeat(HostedTopic hosted, String consumer, long reader, Joined joined) implements Seat {
    @Override
    public String topic() {
        return hosted.name();
    }

    @Override
    public long newest() {
        return hosted.newest();
    }

    @Override
    public Writers writers() {
        return hosted.writers();
    }

    @Override
    public int work(long now, long acknowledged, long read) {
        return 0;
    }

    @Override
    public void acknowledged(long acknowledged, long read) {
        hosted.report(consumer, reader, acknowledged, read, false);
    }

    @Override
    public void missing(long acknowledged, long read) {
        hosted.report(consumer, reader, acknowledged, read, true);
    }

    @Override
    public TransportException failure() {
        return null;
    }

    @Override
    public boolean tryLeave(long acknowledged) {
        hosted.leave(consumer, reader, acknowledged);
        return true;
    }
}
