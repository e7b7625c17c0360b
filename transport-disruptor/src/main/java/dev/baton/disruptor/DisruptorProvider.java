package dev.baton.disruptor;

import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportProvider;
import dev.baton.spi.TransportProvider.TopicFootprint;
import dev.baton.spi.options.OptionSpec;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Opens a {@link DisruptorTransport} by name. Thread-safe. */
public final class DisruptorProvider implements TransportProvider {
    static final String NAME = "disruptor";

    /**
     * The version of the library that sequences the rings, which its jar names only in files that the library does not
     * read.
     */
    static final String LIBRARY_VERSION = "4.0.0";

    /** The heap of a topic: 4 KB in the class histogram of trials with 20 and 200 chains of six topics; rounded up. */
    private static final long HEAP_BYTES = 8 << 10;

    private static final int MIN_PAYLOAD = 16;
    private static final int MIN_SLOTS = 256;
    private static final int MAX_SLOTS = 1 << 16;
    private static final double SECONDS_OF_SLOTS = 0.25;

    /** Creates the provider; called by {@link java.util.ServiceLoader}. */
    public DisruptorProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String summary() {
        return "rings of byte slots in memory, sequenced by the LMAX Disruptor " + LIBRARY_VERSION;
    }

    @Override
    public Set<Guarantee> guarantees() {
        return DisruptorTransport.GUARANTEES;
    }

    @Override
    public List<OptionSpec> options() {
        return DisruptorOptions.SPECS;
    }

    @Override
    public String payloadOption() {
        return DisruptorOptions.MAX_PAYLOAD.toString();
    }

    /** Returns slots for a quarter of a second, as long as the payload. */
    @Override
    public Map<String, String> manyTopicsOptions(int payloadBytes, double framesPerSecond) {
        int wanted = (int) Math.max(MIN_SLOTS, Math.min(MAX_SLOTS, framesPerSecond * SECONDS_OF_SLOTS));
        return Map.of(
                DisruptorOptions.SLOTS.toString(),
                Integer.toString(Integer.highestOneBit(2 * wanted - 1)),
                DisruptorOptions.MAX_PAYLOAD.toString(),
                Integer.toString(Math.max(MIN_PAYLOAD, (payloadBytes + 7) / 8 * 8)));
    }

    @Override
    public TopicFootprint topicFootprint(Map<String, String> options) {
        return new TopicFootprint(
                HEAP_BYTES, ringBytes(options), 0, 0, 0, 0, TopicFootprint.UNBOUNDED, TopicFootprint.UNBOUNDED);
    }

    private static long ringBytes(Map<String, String> options) {
        try {
            return DisruptorOptions.parse(options).ringBytes();
        } catch (IllegalArgumentException refused) {
            return DisruptorOptions.defaults().ringBytes(); // open() reports it
        }
    }

    @Override
    public Transport open(Map<String, String> options) {
        return DisruptorTransport.create(DisruptorOptions.parse(options));
    }
}
