package dev.baton.chronicle;

import dev.baton.chronicle.consumers.TailerPosition;
import dev.baton.chronicle.directory.ValidName;
import dev.baton.chronicle.log.ScratchPool;
import dev.baton.chronicle.log.TopicLog;
import dev.baton.chronicle.reading.ChronicleReader;
import dev.baton.chronicle.writing.ChronicleWriter;
import dev.baton.spi.Connection;
import dev.baton.spi.Opening;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.support.Interrupts;
import dev.baton.spi.support.ThreadConfinement;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The connection of one thread: its writers and readers, with the scratch memory that they share. Confined to the
 * thread that made it, but for {@link #close}.
 */
final class ChronicleConnection implements Connection {
    private final ChronicleTransport transport;
    private final ThreadConfinement confinement = new ThreadConfinement("this connection to the chronicle transport");
    private final ScratchPool writersPool = new ScratchPool();
    private final ScratchPool readersPool = new ScratchPool();
    private final Set<TopicWriter> writers = new LinkedHashSet<>();
    private final Set<TopicReader> readers = new LinkedHashSet<>();

    ChronicleConnection(ChronicleTransport transport) {
        this.transport = transport;
    }

    /**
     * An opening whose first step opens the files of the topic, or shares those that another connection has open, and checks
     * them, which takes time in proportion to their length.
     */
    private final class TopicOpening<T> implements Opening<T> {
        private final String topic;
        private final Function<TopicLog, Supplier<T>> prepare;
        private TopicLog log; // null before it is prepared
        private Supplier<T> open; // null before it is prepared

        TopicOpening(String topic, Function<TopicLog, Supplier<T>> prepare) {
            this.topic = topic;
            this.prepare = prepare;
        }

        @Override
        public void prepare() {
            open = Interrupts.without(this::shareAndPrepare);
        }

        private Supplier<T> shareAndPrepare() {
            TopicLog shared = transport.logs().share(topic);
            try {
                Supplier<T> prepared = prepare.apply(shared);
                log = shared;
                return prepared;
            } finally {
                if (log == null) {
                    transport.logs().release(shared);
                }
            }
        }

        @Override
        public T finish() {
            try {
                confinement.check();
                transport.logs().checkOpen();
                return Interrupts.without(open);
            } catch (RuntimeException | Error e) {
                withdraw();
                throw e;
            }
        }

        @Override
        public void withdraw() {
            transport.logs().release(log);
        }
    }

    @Override
    public Opening<TopicWriter> beginWriter(String topic, String topology) {
        confinement.check();
        return new TopicOpening<>(topic, log -> {
            ChronicleWriter.prepare(log);
            return () -> openWriter(log, topology);
        });
    }

    private TopicWriter openWriter(TopicLog log, String topology) {
        TopicWriter writer = ChronicleWriter.open(
                closed -> closed(writers, closed, log),
                log,
                topology,
                writersPool,
                transport.locks(),
                transport.space(),
                transport.options());
        writers.add(writer);
        return writer;
    }

    @Override
    public Opening<TopicReader> beginReader(String topic, String consumer, StartPosition from) {
        confinement.check();
        from.requireIn(transport.name(), transport.startPositions());
        ValidName.check("consumer", consumer);
        TailerPosition.checkName(consumer);
        return new TopicOpening<>(topic, log -> {
            long checked = ChronicleReader.prepare(log, consumer, from);
            return () -> openReader(log, consumer, from, checked);
        });
    }

    private TopicReader openReader(TopicLog log, String consumer, StartPosition from, long checked) {
        TopicReader reader = ChronicleReader.open(
                closed -> closed(readers, closed, log), log, consumer, from, checked, readersPool, transport.locks());
        readers.add(reader);
        return reader;
    }

    @Override
    public boolean needsTurns() {
        return false;
    }

    /** Waits for no other thread: it takes as long as writing and unmapping the open topics takes. */
    @Override
    public void close() {
        confinement.release();
        RuntimeException failure = null;
        for (TopicWriter writer : List.copyOf(writers)) {
            failure = closed(writer::close, failure);
        }
        for (TopicReader reader : List.copyOf(readers)) {
            failure = closed(reader::close, failure);
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static RuntimeException closed(Runnable close, RuntimeException failure) {
        try {
            close.run();
        } catch (RuntimeException e) {
            if (failure == null) {
                return e;
            }
            failure.addSuppressed(e);
        }
        return failure;
    }

    /** Removes a writer or reader that has closed itself. */
    private <T> void closed(Set<T> open, T closed, TopicLog log) {
        open.remove(closed);
        transport.logs().release(log);
    }
}
