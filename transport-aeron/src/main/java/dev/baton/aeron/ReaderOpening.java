package dev.baton.aeron;

import dev.baton.spi.Opening;
import dev.baton.spi.TopicReader;
import java.util.function.Function;

/**
 * A reader whose subscription the driver takes a while to answer: any thread waits for it, before the reader is opened. Its steps are
 * taken one after the other.
 */
final class ReaderOpening implements Opening<TopicReader> {
    private final AeronTransport transport;
    private final String topic;
    private final String consumer;
    private final Function<AeronTransport.Place, TopicReader> open;
    private AeronTransport.Place place; // null: not taken

    /** @param open opens the reader, on the connection's thread */
    ReaderOpening(
            AeronTransport transport, String topic, String consumer, Function<AeronTransport.Place, TopicReader> open) {
        this.transport = transport;
        this.topic = topic;
        this.consumer = consumer;
        this.open = open;
    }

    @Override
    public void prepare() {
        place = transport.take(topic, consumer);
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
        AeronTransport.Place taken = place;
        place = null;
        if (taken != null) {
            transport.leave(taken);
        }
    }
}
