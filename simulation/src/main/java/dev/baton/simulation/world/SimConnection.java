package dev.baton.simulation.world;

import dev.baton.simulation.plan.Rule;
import dev.baton.simulation.time.Actor;
import dev.baton.spi.Connection;
import dev.baton.spi.Opening;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** One thread's access to the simulated storage; reports misuse. Confined to its actor. */
final class SimConnection implements Connection {
    /**
     * The opening of a simulated writer or reader in two steps: the first step occupies its place in the topic, the second adds it to its
     * connection. Used by one actor at a time.
     */
    static final class PreparedOpening<T> implements Opening<T> {
        private final SimConnection connection;
        private final String what;
        private final Supplier<T> preparing;
        private final Consumer<T> joining;
        private final Consumer<T> undoing;
        private final Consumer<T> checking;
        private T prepared;

        PreparedOpening(
                SimConnection connection,
                String what,
                Supplier<T> preparing,
                Consumer<T> joining,
                Consumer<T> undoing,
                Consumer<T> checking) {
            this.connection = connection;
            this.what = what;
            this.preparing = preparing;
            this.joining = joining;
            this.undoing = undoing;
            this.checking = checking;
        }

        @Override
        public boolean isAtOnce() {
            return !connection.world.setting.opensInSteps;
        }

        @Override
        public void prepare() {
            if (!isAtOnce()) {
                take();
            }
        }

        private void take() {
            connection.transport.checkAlive();
            connection.meetFault(what);
            prepared = preparing.get();
            connection.transport.prepared.add(this);
        }

        @Override
        public void requireNewest() {
            connection.transport.checkAlive();
            checking.accept(prepared);
        }

        @Override
        public T finish() {
            if (isAtOnce()) {
                take();
            }
            connection.use("the end of " + what);
            connection.transport.prepared.remove(this);
            joining.accept(prepared);
            return prepared;
        }

        @Override
        public void withdraw() {
            if (!isAtOnce()) {
                connection.transport.checkAlive();
                connection.transport.prepared.remove(this);
                undo();
            }
        }

        /** Frees its place in the topic. */
        void undo() {
            undoing.accept(prepared);
        }
    }

    final SimTransport transport;
    final World world;
    final List<SimWriter> writers = new ArrayList<>();
    final List<SimReader> readers = new ArrayList<>();
    Actor owner;
    boolean isClosed;
    private int opening; // writers and readers
    private boolean isAwaiting;
    private TransportException background;

    SimConnection(SimTransport transport, Actor owner) {
        this.transport = transport;
        this.world = transport.world;
        this.owner = owner;
    }

    /** Checks the caller; every method except close calls it first. */
    void use(String what) {
        transport.checkAlive();
        if (isClosed) {
            world.account().violate(Rule.CONFINED, what + " after the close of the connection", null);
            throw new IllegalStateException(what + " after close");
        }
        if (world.scheduler.current != owner) {
            world.account()
                    .violate(
                            Rule.CONFINED,
                            what + " by " + world.scheduler.current + " on a connection of " + owner,
                            null);
        }
    }

    @Override
    public Opening<TopicWriter> beginWriter(String topic, String topology) {
        use("beginWriter");
        return new PreparedOpening<>(
                this,
                "openWriter " + topic,
                () -> SimWriter.open(this, world.storage.topic(topic), topology),
                writer -> joined((SimWriter) writer),
                writer -> ((SimWriter) writer).withdrawn(),
                writer -> ((SimWriter) writer).requireNewest());
    }

    @Override
    public Opening<TopicReader> beginReader(String topic, String consumer, StartPosition from) {
        use("beginReader");
        from.requireIn(transport.name(), transport.startPositions());
        return new PreparedOpening<>(
                this,
                "openReader " + topic,
                () -> SimReader.open(this, world.storage.topic(topic), consumer, from),
                reader -> joined((SimReader) reader),
                reader -> ((SimReader) reader).killed(),
                reader -> {});
    }

    private SimWriter joined(SimWriter writer) {
        writers.add(writer);
        return writer;
    }

    private SimReader joined(SimReader reader) {
        readers.add(reader);
        return reader;
    }

    void meetFault(String what) {
        opening++;
        try {
            world.meetOpenFault(transport.process, what);
        } finally {
            opening--;
        }
    }

    /** {@return whether a writer or a reader is being opened} */
    boolean isOpening() {
        return opening > 0;
    }

    /** Fails, visible from the next turn on. */
    void failInBackground(TransportException failure) {
        background = failure;
        news();
    }

    @Override
    public int doWork() {
        use("doWork");
        isAwaiting = false;
        if (background != null) {
            throw background;
        }
        int work = 0;
        for (SimWriter writer : writers) {
            work += writer.doWork();
        }
        return work;
    }

    @Override
    public void await(long nanos) {
        use("await");
        isAwaiting = true;
        world.scheduler.park(nanos);
    }

    /** Wakes the loop, as there are new frames. */
    void news() {
        if (isAwaiting && !isClosed && !transport.process.isDead) {
            isAwaiting = false;
            world.scheduler.unpark(owner);
        }
    }

    @Override
    public void close() {
        transport.checkAlive();
        if (isClosed) {
            return;
        }
        RuntimeException failure = null;
        for (SimWriter writer : writers) {
            try {
                writer.close();
            } catch (RuntimeException thrown) {
                failure = thrown;
            }
        }
        readers.forEach(SimReader::close);
        isClosed = true;
        transport.connections.remove(this);
        if (failure != null) {
            throw failure;
        }
    }
}
