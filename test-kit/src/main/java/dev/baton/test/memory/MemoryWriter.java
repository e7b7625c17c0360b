package dev.baton.test.memory;

import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicEnd;
import dev.baton.spi.support.ClaimingWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** The writer of a topic in memory. Confined to the thread of its connection. */
final class MemoryWriter extends ClaimingWriter {
    private static final int CAPACITY = 4096; // commits between two flushes

    private final MemoryConnection connection;
    private final MemoryProcess process;
    private final TransportFaults faults;
    private final MemoryTopic topic;
    private final Incarnation incarnation;
    private final TopicEnd found;
    private final List<byte[]> pending = new ArrayList<>(); // committed
    private final Deque<List<byte[]>> flight = new ArrayDeque<>(); // flushed and not stored
    private final Frame frame = new Frame();
    private byte[] open; // claimed last
    private long flushed;
    private int capacityOfTurn = TransportFaults.UNLIMITED;
    private long turnBegan; // sequence then

    MemoryWriter(MemoryConnection connection, MemoryTopic topic, String topology) {
        super(topic.name, connection.process.maxPayload(), "maxPayload");
        this.connection = connection;
        this.process = connection.process;
        this.faults = process.faults;
        this.topic = topic;
        incarnation = topic.occupy(this, topology, process.environment.wallNanos() - process.environment.nanoTime());
        flushed = topic.size();
        Frame newest = flushed == 0 ? null : MemoryTopic.view(frame, topic.frame(flushed));
        found = TopicEnd.at(
                newest, true, topic.author(flushed), topic.input(flushed)); // a flush is stored whole or not
    }

    private void use(String what) {
        check();
        MemoryConnection.step(process, what);
    }

    @Override
    public int remainingCapacity() {
        check();
        long ofTurn =
                capacityOfTurn == TransportFaults.UNLIMITED ? CAPACITY : capacityOfTurn - (sequence() - turnBegan);
        return (int) Math.max(0, Math.min(ofTurn, CAPACITY - pending.size()));
    }

    @Override
    public int capacity() {
        return CAPACITY;
    }

    @Override
    public Frame claim(int maxLength) {
        use("claim");
        requireClaimable(maxLength);
        if (pending.size() >= CAPACITY) {
            return null;
        }
        openClaim(maxLength);
        open = new byte[Frame.HEADER_BYTES + maxLength];
        Arrays.fill(open, faults.garbage());
        return MemoryTopic.view(frame, open);
    }

    @Override
    public long commit(int length) {
        endClaim(length);
        frame.sequence(sequence() + 1);
        int bytes = Frame.HEADER_BYTES + length;
        pending.add(bytes == open.length ? open : Arrays.copyOf(open, bytes));
        return sequence();
    }

    @Override
    public void flush() {
        use("flush");
        requireNoClaim();
        handOver();
        use("flushed");
    }

    private void handOver() {
        if (pending.isEmpty()) {
            return;
        }
        flushed += pending.size();
        if (faults.storesLate()) {
            flight.add(List.copyOf(pending));
        } else {
            topic.append(this, pending);
        }
        pending.clear();
    }

    /** Takes a turn of the connection: stores the flushes that arrive now, and returns the number of flushes that were in flight. */
    int arrive() {
        capacityOfTurn = faults.capacity();
        turnBegan = sequence();
        int flushes = flight.size();
        if (flushes > 0) {
            store(faults.arriving(flushes));
        }
        return flushes;
    }

    private void store(int flushes) {
        for (int i = 0; i < flushes; i++) {
            topic.append(this, flight.remove());
        }
    }

    @Override
    public void rewind(long sequence) {
        requireRewindable(sequence, flushed);
        while (sequence() > sequence) {
            pending.remove(pending.size() - 1);
        }
        topic.rewound(this, sequence + 1);
    }

    @Override
    public long sequence() {
        return flushed + pending.size();
    }

    @Override
    public long storedSequence() {
        long stored = flushed;
        for (List<byte[]> flush : flight) {
            stored -= flush.size();
        }
        return stored;
    }

    @Override
    public TopicEnd found() {
        return found;
    }

    @Override
    public void answers(InputRef input) {
        use("answers");
        topic.answers(this, sequence() + 1, input);
    }

    @Override
    public Incarnation incarnation() {
        return incarnation;
    }

    void killed() {
        store(faults.arrivingAfterDeath(flight.size()));
        leave();
    }

    void leave() {
        topic.leave(this);
    }

    @Override
    public void close() {
        if (isHeld()) {
            check();
            end();
        }
    }

    void end() {
        if (release() && !process.isDead()) {
            discardClaim();
            handOver();
            store(flight.size());
            topic.leave(this);
            connection.closed(this);
        }
    }
}
