package dev.baton.aeron.archive;

import dev.baton.aeron.driver.DriverClient;
import dev.baton.aeron.driver.PreparedOpening;
import dev.baton.aeron.log.StagingPool;
import dev.baton.aeron.recording.ArchiveSession;
import dev.baton.aeron.recording.Catalog;
import dev.baton.spi.Connection;
import dev.baton.spi.Opening;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.support.ThreadConfinement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.agrona.CloseHelper;

/**
 * A connection of one thread, with the writers and readers that it has opened and a client of the media driver of its own, which
 * is alive as long as this connection has its turns. Confined to the thread that connected.
 */
final class ArchiveConnection extends ThreadConfinement implements Connection {
    private final ArchiveTopics topics;
    private final ArchiveSession session;
    private final StagingPool staging = new StagingPool();
    private final List<ArchiveWriter> writers = new ArrayList<>();
    private final List<ArchiveReader> readers = new ArrayList<>();

    ArchiveConnection(ArchiveTopics topics, ArchiveSession session) {
        super("this connection to the Aeron Archive");
        this.topics = topics;
        this.session = session;
    }

    @Override
    public Opening<TopicWriter> beginWriter(String topic, String topology) {
        check();
        ArchiveTopics.Place place = ArchiveTopics.Place.ofWriter(topic);
        return opening(
                place,
                writers,
                (waits, onClose) ->
                        ArchiveWriter.open(session, Catalog.topic(session, topic), topology, waits, staging, onClose));
    }

    @Override
    public Opening<TopicReader> beginReader(String topic, String consumer, StartPosition from) {
        check();
        if (consumer.isBlank()) {
            throw new IllegalArgumentException("topic '" + topic + "': consumer name must not be blank");
        }
        ArchiveTopics.Place place = ArchiveTopics.Place.ofReader(topic, consumer);
        return opening(
                place,
                readers,
                (waits, onClose) ->
                        ArchiveReader.open(session, Catalog.topic(session, topic), consumer, from, waits, onClose));
    }

    /**
     * Returns an opening whose first step waits with a client of its own until the place is free, if another thread takes it; the
     * second one opens, and waits itself if the connection's thread took both.
     *
     * @param open opens a writer or reader, given whether it may wait for one that was killed, and the function to be called
     *     when it is closed
     */
    private <E, T extends E> Opening<E> opening(
            ArchiveTopics.Place place, List<T> all, BiFunction<Boolean, Consumer<T>, T> open) {
        return new PreparedOpening<>(
                this,
                () -> {
                    boolean waits = isCurrentThread();
                    if (!waits) {
                        topics.awaitFree(place);
                    }
                    return waits;
                },
                waits -> opened(
                        place,
                        all,
                        onClose ->
                                open.apply(waits != null && waits, onClose)), // null: finished without the first step
                waits -> {}); // nothing was taken
    }

    /** Opens a writer or a reader in its place, which it leaves when it is closed. */
    private <T> T opened(ArchiveTopics.Place place, List<T> all, Function<Consumer<T>, T> open) {
        session.requireAlive();
        topics.take(place);
        try {
            T opened = open.apply(closed -> {
                all.remove(closed);
                topics.leave(place);
            });
            all.add(opened);
            return opened;
        } catch (RuntimeException | Error failed) { // an Error for example without direct memory
            topics.leave(place);
            throw failed;
        }
    }

    @Override
    public int doWork() {
        check();
        long now = System.nanoTime();
        int work = session.work(now);
        for (int i = 0; i < writers.size(); i++) {
            writers.get(i).work(now);
        }
        for (int i = 0; i < readers.size(); i++) {
            work += readers.get(i).work(now);
        }
        return work;
    }

    @Override
    public void await(long nanos) {
        DriverClient.await(nanos);
    }

    @Override
    public void close() {
        if (release()) {
            List<AutoCloseable> opened = new ArrayList<>(writers);
            opened.addAll(readers);
            try {
                CloseHelper.closeAll(opened);
            } finally {
                session.close();
            }
        }
    }
}
