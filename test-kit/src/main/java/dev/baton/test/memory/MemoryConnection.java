package dev.baton.test.memory;

import dev.baton.spi.Connection;
import dev.baton.spi.Opening;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.ThreadConfinement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A connection to topics in memory. Confined to the thread that opened it. */
final class MemoryConnection extends ThreadConfinement implements Connection {
    final MemoryProcess process;
    private final MemoryStorage storage;
    private final List<MemoryWriter> writers = new CopyOnWriteArrayList<>(); // any thread may kill the process
    private final List<MemoryReader> readers = new CopyOnWriteArrayList<>();

    MemoryConnection(MemoryProcess process, MemoryStorage storage) {
        super("this connection to the memory transport");
        this.process = process;
        this.storage = storage;
    }

    private void use(String what) {
        check();
        step(process, what);
    }

    /** Takes a step of the process, which may be killed before or at it. */
    static void step(MemoryProcess process, String what) {
        if (process.isDead()) {
            throw wasKilled();
        }
        process.faults.step(process, what);
    }

    private static TransportException wasKilled() {
        return new TransportException("the process of this transport was killed");
    }

    /** Leaves a place that was occupied after the process had been killed. */
    private void requireAlive(Runnable leave) {
        if (process.isDead()) {
            leave.run();
            throw wasKilled();
        }
    }

    @Override
    public Opening<TopicWriter> beginWriter(String topic, String topology) {
        return Opening.atOnce(() -> {
            use("open writer");
            MemoryWriter writer = new MemoryWriter(this, storage.topic(topic), topology);
            writers.add(writer);
            requireAlive(writer::leave);
            return writer;
        });
    }

    @Override
    public Opening<TopicReader> beginReader(String topic, String consumer, StartPosition from) {
        return Opening.atOnce(() -> {
            if (!from.isStored()) {
                use("move consumer");
                storage.topic(topic).move(consumer, from);
            }
            use("open reader");
            MemoryReader reader = new MemoryReader(this, storage.topic(topic), consumer);
            readers.add(reader);
            requireAlive(reader::leave);
            return reader;
        });
    }

    /** Stores flushes in flight; those that are not stored yet count as work. */
    @Override
    public int doWork() {
        use("turn");
        int onTheirWay = 0;
        for (MemoryWriter writer : writers) {
            onTheirWay += writer.arrive();
        }
        return onTheirWay;
    }

    void killed() {
        writers.forEach(MemoryWriter::killed);
        readers.forEach(MemoryReader::killed);
    }

    void closed(MemoryWriter writer) {
        writers.remove(writer);
    }

    void closed(MemoryReader reader) {
        readers.remove(reader);
    }

    @Override
    public void close() {
        if (release() && !process.isDead()) {
            List.copyOf(writers).forEach(MemoryWriter::end);
            List.copyOf(readers).forEach(MemoryReader::end);
            process.closed(this);
        }
    }
}
