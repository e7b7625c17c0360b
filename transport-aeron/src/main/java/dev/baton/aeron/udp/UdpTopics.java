package dev.baton.aeron.udp;

import dev.baton.aeron.UdpOptions;
import dev.baton.spi.Connection;
import dev.baton.spi.PartitionTopic;
import dev.baton.spi.StartPosition;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.TransportException;
import io.aeron.ExclusivePublication;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.CloseHelper;

/**
 * The topics of a transport: those of this process if it is the writer's, otherwise the names of topics that it reads. Thread-safe.
 */
public final class UdpTopics {
    /** The positions at which a consumer can begin. */
    public static final Set<StartPosition.Kind> START_POSITIONS = Set.of(
            StartPosition.Kind.STORED,
            StartPosition.Kind.EARLIEST,
            StartPosition.Kind.LATEST,
            StartPosition.Kind.SEQUENCE);

    private static final long SHORT_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final UdpOptions options;
    private final UdpLink link;
    private final Map<String, HostedTopic> hosted = new ConcurrentHashMap<>();
    private final Map<String, Integer> declared = new ConcurrentHashMap<>(); // topics read here, with their readers
    private int connections; // guarded by this
    private boolean isClosed; // guarded by this

    /**
     * Connects to a media driver, or starts an embedded one.
     *
     * @throws OccupiedException when another process writes at the address
     * @throws TransportException when the driver cannot be used
     */
    public UdpTopics(UdpOptions options) {
        this.options = options;
        link = new UdpLink(options, hosted);
    }

    /** {@return the media driver, as results show it} */
    public String driverText() {
        return link.driverText();
    }

    /** Opens a connection for the calling thread. */
    public synchronized Connection connect() {
        requireOpen();
        link.requireUsable();
        connections++;
        return new UdpConnection(this, link, options);
    }

    private void requireOpen() {
        if (isClosed) {
            throw new IllegalStateException("this transport is closed");
        }
    }

    /** Creates topics, all or none, and returns those that did not exist. */
    public synchronized Set<String> create(Collection<String> names) {
        requireOpen();
        names.forEach(PartitionTopic::requirePortable);
        Set<String> present = names();
        PartitionTopic.requireSameCounts(names, present::contains);
        Set<String> created = new TreeSet<>();
        try {
            for (String name : names) {
                if (!present.contains(name) && created.add(name)) {
                    if (options.isWriter()) {
                        link.requireUsable();
                        hosted.put(name, host(name));
                    } else {
                        declared.put(name, 0);
                    }
                }
            }
        } catch (RuntimeException failed) {
            delete(created);
            throw failed;
        }
        return created;
    }

    private HostedTopic host(String name) {
        long identity = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
        ExclusivePublication publication = link.publishTopic(name);
        try {
            return new HostedTopic(name, identity, publication, options);
        } catch (OutOfMemoryError full) { // of the memory outside the heap, which the window takes
            publication.close();
            throw new TransportException(
                    "topic '" + name + "' gets no memory for its newest frames: " + full.getMessage()
                            + "; raise -XX:MaxDirectMemorySize, or set a shorter " + UdpOptions.TERM_LENGTH
                            + " (a topic takes three quarters of it there)",
                    full);
        }
    }

    /** {@return the names of all topics} */
    public synchronized Set<String> names() {
        return Collections.unmodifiableSet(new TreeSet<>(options.isWriter() ? hosted.keySet() : declared.keySet()));
    }

    /** Deletes topics, all or, when one of them is in use, none. */
    public synchronized void delete(Collection<String> names) {
        List<HostedTopic> retired = new ArrayList<>();
        try {
            for (String name : names) {
                HostedTopic topic = hosted.get(name);
                if (topic != null) {
                    topic.retire(); // other threads open topics meanwhile
                    retired.add(topic);
                } else if (declared.getOrDefault(name, 0) > 0) {
                    throw new TransportException("topic '" + name + "' is in use by a reader; close it first");
                }
            }
        } catch (TransportException inUse) {
            retired.forEach(HostedTopic::restore);
            throw inUse;
        }
        for (String name : names) {
            declared.remove(name);
            CloseHelper.close(hosted.remove(name));
        }
    }

    /** Removes a consumer of a topic; false when there is none of this name. */
    public boolean forgetConsumer(String topic, String consumer) {
        require(topic);
        if (!options.isWriter()) {
            throw new UnsupportedOperationException(
                    "only the process that writes topic '" + topic + "' can forget its consumers; call it there");
        }
        return topic(topic).forget(consumer);
    }

    private void require(String name) {
        if (!(options.isWriter() ? hosted : declared).containsKey(name)) {
            throw new TransportException("there is no topic '" + name + "'; create it first");
        }
    }

    /** Returns a topic that this process writes. */
    HostedTopic topic(String name) {
        require(name);
        HostedTopic topic = hosted.get(name);
        if (topic == null) {
            throw new TransportException("topic '" + name + "' cannot be written here, as this process has "
                    + UdpOptions.ROLE + "=reader; write it in the process that has " + UdpOptions.ROLE + "=writer at "
                    + options.get(UdpOptions.REQUESTS));
        }
        return topic;
    }

    /** Takes a seat in a topic. Waits for a process that writes it elsewhere, and for a reader elsewhere that is silent. */
    Seat join(String name, String consumer, StartPosition from) {
        require(name);
        if (options.isWriter()) {
            return joinHere(topic(name), consumer, from);
        }
        readers(name, 1);
        try {
            return link.join(name, consumer, from);
        } catch (RuntimeException failed) {
            readers(name, -1);
            throw failed;
        }
    }

    private Seat joinHere(HostedTopic topic, String consumer, StartPosition from) {
        long reader = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
        long begun = System.nanoTime();
        while (true) {
            try {
                return new LocalSeat(topic, consumer, reader, topic.join(consumer, reader, true, from));
            } catch (OccupiedException occupied) {
                if (!topic.isReadElsewhere(consumer) || System.nanoTime() - begun > 2 * HostedTopic.SILENCE_NANOS) {
                    throw occupied;
                }
                link.work();
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    /**
     * Leaves a seat that {@link #join} has taken, or begins to; false: call again.
     *
     * @param acknowledged {@link dev.baton.spi.TopicReader#UNKNOWN} for a reader that was not opened
     */
    boolean tryLeave(Seat seat, long acknowledged) {
        boolean isLeft = seat.tryLeave(acknowledged);
        if (isLeft && !options.isWriter()) {
            readers(seat.topic(), -1);
        }
        return isLeft;
    }

    /** Leaves a seat, for which it waits as long at most as a topic waits for a silent reader. */
    void leave(Seat seat, long acknowledged) {
        while (!tryLeave(seat, acknowledged)) {
            LockSupport.parkNanos(SHORT_PAUSE_NANOS);
        }
    }

    private void readers(String name, int more) {
        declared.computeIfPresent(name, (topic, readers) -> readers + more);
    }

    synchronized void disconnected() {
        connections--;
        closeIfUnused();
    }

    /** Closes client and driver once the last connection is closed. */
    public synchronized void close() {
        if (!isClosed) {
            isClosed = true;
            closeIfUnused();
        }
    }

    private void closeIfUnused() {
        if (isClosed && connections == 0) {
            link.close();
        }
    }
}
