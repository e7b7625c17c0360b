package dev.baton.aeron.ipc;

import dev.baton.spi.Opening;
import dev.baton.spi.TopicReader;
import java.util.function.Function;

/**
 * A reader whose subscription the driver takes a while to answer: any thread waits for it, before the reader is opened. Its steps are
 * taken one after the other.
 */
final class ReaderOpening implements Opening<TopicReader> {
    private final IpcTopics topics;
    private final String topic;
    private final String consumer;
    private final Function<IpcTopics.Place, TopicReader> open;
    private IpcTopics.Place place; // null: not taken

    /** @param open opens the reader, on the connection's thread */
    ReaderOpening(IpcTopics topics, String topic, String consumer, Function<IpcTopics.Place, TopicReader> open) {
        this.topics = topics;
        this.topic = topic;
        this.consumer = consumer;
        this.open = open;
    }

    @Override
    public void prepare() {
        place = topics.take(topic, consumer);
    }

    @Override
    public TopicReader finish() {
        try {
            return open.apply(place);
        } catch (RuntimeException failed) {
            withdraw();
            throw failed;
        }
    }

    @Override
    public void withdraw() {
        IpcTopics.Place taken = place;
        place = null;
        if (taken != null) {
            topics.leave(taken);
        }
    }
}
