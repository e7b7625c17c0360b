package dev.baton.aeron.ipc;

import dev.baton.aeron.driver.DriverClient;
import dev.baton.aeron.driver.PreparedOpening;
import dev.baton.aeron.log.StagingPool;
import dev.baton.spi.Connection;
import dev.baton.spi.Opening;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.support.ThreadConfinement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.agrona.CloseHelper;

/** A connection of one thread, with the writers and readers that it has opened. Confined to the thread that connected. */
final class IpcConnection extends ThreadConfinement implements Connection {
    private final IpcTopics.Client client;
    private final int maxPayload;
    private final Runnable onClose;
    private final StagingPool staging = new StagingPool();
    private final Set<AutoCloseable> opened = new LinkedHashSet<>();

    IpcConnection(IpcTopics.Client client, int maxPayload, Runnable onClose) {
        super("this connection to the aeron transport");
        this.client = client;
        this.maxPayload = maxPayload;
        this.onClose = onClose;
    }

    @Override
    public Opening<TopicWriter> beginWriter(String name, String topology) {
        check();
        IpcTopic topic = client.topic(name);
        return new PreparedOpening<TopicWriter, IpcTopic.Place>(
                this,
                () -> topic.openWriter(topology, maxPayload),
                place -> opened(new IpcWriter(topic, place, staging, maxPayload, opened::remove)),
                place -> topic.closeWriter());
    }

    @Override
    public Opening<TopicReader> beginReader(String name, String consumer, StartPosition from) {
        check();
        if (consumer.isBlank()) {
            throw new IllegalArgumentException("topic '" + name + "': consumer name must not be blank");
        }
        from.requireIn("aeron", Set.of(StartPosition.Kind.STORED));
        IpcTopic topic = client.topic(name);
        return new PreparedOpening<TopicReader, IpcTopic.Seat>(
                this,
                () -> topic.openConsumer(consumer),
                seat -> opened(new IpcReader(topic, seat, opened::remove)),
                topic::withdraw);
    }

    private <T extends AutoCloseable> T opened(T made) {
        opened.add(made);
        return made;
    }

    @Override
    public int doWork() {
        client.driver().work();
        return 0;
    }

    /** Returns false: a frame can be polled at once, and the driver's timeouts allow for the ten turns a second of an idle loop. */
    @Override
    public boolean needsTurns() {
        return false;
    }

    @Override
    public void await(long nanos) {
        DriverClient.await(nanos);
    }

    @Override
    public void close() {
        if (release()) {
            List<AutoCloseable> all = new ArrayList<>(opened);
            try {
                CloseHelper.closeAll(all);
            } finally {
                onClose.run();
            }
        }
    }
}
