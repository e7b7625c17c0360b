package dev.baton;

import dev.baton.spi.Connection;
import dev.baton.spi.Opening;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import java.util.function.Supplier;

/**
 * A connection that checks each call on it, and on what was opened through it, by the rules of {@link Connection}: only the thread
 * that connected, or that adopted the connection last, may call, with the exceptions stated there, and no thread after the close.
 * {@link Misuses} has what was found. Any thread, as it checks that.
 */
final class CheckingConnection implements Connection {
    private final Connection connection;
    private final Runnable beforeCall;
    private volatile Thread owner = Thread.currentThread();
    private volatile boolean isClosed;

    /**
     * Checks the calls on a connection.
     *
     * @param beforeCall run before each check, to let other threads go first
     */
    CheckingConnection(Connection connection, Runnable beforeCall) {
        this.connection = connection;
        this.beforeCall = beforeCall;
    }

    /** Checks a call of the current thread. */
    void check(String call) {
        beforeCall.run();
        Thread current = Thread.currentThread();
        Thread expected = owner;
        if (isClosed) {
            Misuses.found(call + " after the close of the connection, by thread '" + current.getName() + "'");
        } else if (current != expected) {
            Misuses.found(call + " by thread '" + current.getName() + "', the connection belongs to thread '"
                    + expected.getName() + "'");
        }
    }

    /** Checks a close, which may follow that of the connection. */
    void checkClose(String call) {
        if (!isClosed) {
            check(call);
        }
    }

    @Override
    public TopicWriter openWriter(String topic, String topology) {
        check("openWriter");
        return checking(topic, connection.openWriter(topic, topology));
    }

    @Override
    public TopicReader openReader(String topic, String consumer) {
        check("openReader");
        return checking(topic, connection.openReader(topic, consumer));
    }

    @Override
    public TopicReader openReader(String topic, String consumer, StartPosition from) {
        check("openReader");
        return checking(topic, connection.openReader(topic, consumer, from));
    }

    @Override
    public Opening<TopicWriter> beginWriter(String topic, String topology) {
        check("beginWriter");
        Opening<TopicWriter> opening = connection.beginWriter(topic, topology);
        return new CheckingOpening<>(opening, () -> checking(topic, opening.finish()));
    }

    @Override
    public Opening<TopicReader> beginReader(String topic, String consumer) {
        check("beginReader");
        Opening<TopicReader> opening = connection.beginReader(topic, consumer);
        return new CheckingOpening<>(opening, () -> checking(topic, opening.finish()));
    }

    @Override
    public Opening<TopicReader> beginReader(String topic, String consumer, StartPosition from) {
        check("beginReader");
        Opening<TopicReader> opening = connection.beginReader(topic, consumer, from);
        return new CheckingOpening<>(opening, () -> checking(topic, opening.finish()));
    }

    private TopicWriter checking(String topic, TopicWriter writer) {
        return new CheckingWriter(this, topic, writer);
    }

    private TopicReader checking(String topic, TopicReader reader) {
        return new CheckingReader(this, topic, reader);
    }

    /** The first step, and its withdrawal, may be another thread's. */
    private final class CheckingOpening<T> implements Opening<T> {
        private final Opening<T> opening;
        private final Supplier<T> finish;

        CheckingOpening(Opening<T> opening, Supplier<T> finish) {
            this.opening = opening;
            this.finish = finish;
        }

        @Override
        public void prepare() {
            opening.prepare();
        }

        @Override
        public T finish() {
            check("finish of an opening");
            return finish.get();
        }

        @Override
        public void withdraw() {
            opening.withdraw();
        }
    }

    @Override
    public int doWork() {
        check("doWork");
        return connection.doWork();
    }

    @Override
    public void await(long nanos) {
        check("await");
        connection.await(nanos);
    }

    @Override
    public void adopt() {
        owner = Thread.currentThread();
        connection.adopt();
    }

    @Override
    public boolean needsWork() {
        check("needsWork");
        return connection.needsWork();
    }

    @Override
    public void wake() {
        connection.wake();
    }

    @Override
    public void close() {
        isClosed = true;
        connection.close();
    }
}
