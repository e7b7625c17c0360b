package dev.baton.aeron.udp;

import dev.baton.aeron.UdpOptions;
import dev.baton.aeron.driver.PreparedOpening;
import dev.baton.aeron.log.StagingPool;
import dev.baton.spi.Connection;
import dev.baton.spi.Opening;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.support.ThreadConfinement;
import io.aeron.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.CloseHelper;

/** A connection of one thread, with the writers and readers that it has opened. Confined to the thread that connected. */
final class UdpConnection extends ThreadConfinement implements Connection {
    /** The longest pause, after which frames of other processes are looked for. */
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(250);

    private final UdpTopics topics;
    private final UdpLink link;
    private final UdpOptions options;
    private final StagingPool staging = new StagingPool();
    private final List<UdpWriter> writers = new ArrayList<>();
    private final List<UdpReader> readers = new ArrayList<>();

    UdpConnection(UdpTopics topics, UdpLink link, UdpOptions options) {
        super("this connection to the aeron-udp transport");
        this.topics = topics;
        this.link = link;
        this.options = options;
    }

    /** The place of a reader, with its subscription. */
    private record Place(Seat seat, Subscription subscription) {}

    @Override
    public Opening<TopicWriter> beginWriter(String name, String topology) {
        check();
        HostedTopic topic = topics.topic(name);
        return new PreparedOpening<TopicWriter, HostedTopic.Place>(
                this,
                () -> topic.openWriter(topology),
                place -> {
                    UdpWriter writer = new UdpWriter(
                            topic,
                            link,
                            place,
                            staging,
                            options.get(UdpOptions.MAX_PAYLOAD),
                            options.window(),
                            writers::remove);
                    writers.add(writer);
                    return writer;
                },
                place -> topic.closeWriter());
    }

    @Override
    public Opening<TopicReader> beginReader(String name, String consumer, StartPosition from) {
        check();
        if (consumer.isBlank()) {
            throw new IllegalArgumentException("topic '" + name + "': consumer name must not be blank");
        }
        from.requireIn("aeron-udp", UdpTopics.START_POSITIONS);
        return new PreparedOpening<TopicReader, Place>(
                this,
                () -> place(topics.join(name, consumer, from)),
                place -> {
                    UdpReader reader = new UdpReader(place.seat(), place.subscription(), topics, link, readers::remove);
                    readers.add(reader);
                    return reader;
                },
                place -> {
                    link.close(place.subscription());
                    topics.leave(place.seat(), TopicReader.UNKNOWN);
                });
    }

    private Place place(Seat seat) {
        try {
            return new Place(seat, link.subscribe(seat.joined()));
        } catch (RuntimeException failed) {
            topics.leave(seat, TopicReader.UNKNOWN);
            throw failed;
        }
    }

    @Override
    public int doWork() {
        check();
        link.requireUsable();
        long now = System.nanoTime();
        int work = link.work();
        for (int i = 0; i < writers.size(); i++) {
            work += writers.get(i).work();
        }
        for (int i = 0; i < readers.size(); i++) {
            work += readers.get(i).work(now);
        }
        return work;
    }

    @Override
    public void await(long nanos) {
        LockSupport.parkNanos(Math.min(nanos, LONGEST_PAUSE_NANOS));
    }

    @Override
    public void close() {
        if (release()) {
            try {
                CloseHelper.closeAll(List.copyOf(writers));
            } finally {
                closeReaders();
            }
        }
    }

    private void closeReaders() {
        try {
            while (!readers.isEmpty()) { // all leave at the same time
                List.copyOf(readers).forEach(UdpReader::tryClose);
                LockSupport.parkNanos(LONGEST_PAUSE_NANOS);
            }
        } finally {
            topics.disconnected();
        }
    }
}
