package dev.baton.broken.heap;

import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportProvider;
import dev.baton.spi.TransportProvider.TopicFootprint;
import dev.baton.spi.options.OptionSpec;
import dev.baton.spi.options.Options;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds the transport in the heap by its name, made to be broken like the transport. Stateless. */
public class HeapProvider implements TransportProvider {
    public static final String MAX_PAYLOAD = "max-payload";

    private static final ThreadLocal<HeapProvider> PLANTED = ThreadLocal.withInitial(HeapProvider::new);

    /** Plants a provider for the tests that the calling thread runs. */
    public static void plant(HeapProvider provider) {
        PLANTED.set(provider);
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public String summary() {
        return "slots on the heap";
    }

    @Override
    public Set<Guarantee> guarantees() {
        return Set.of(Guarantee.IMMEDIATE, Guarantee.EXCLUSIVE);
    }

    @Override
    public List<OptionSpec> options() {
        return List.of(OptionSpec.ofBytes(
                MAX_PAYLOAD,
                HeapTransport.MAX_PAYLOAD,
                HeapTransport.MAX_PAYLOAD,
                HeapTransport.MAX_PAYLOAD,
                "",
                "longest payload"));
    }

    @Override
    public String payloadOption() {
        return MAX_PAYLOAD;
    }

    @Override
    public TopicFootprint topicFootprint(Map<String, String> options) {
        return TopicFootprint.unknown(false);
    }

    @Override
    public Transport open(Map<String, String> options) {
        new Options(name(), options(), options)
                .bytes(MAX_PAYLOAD, HeapTransport.MAX_PAYLOAD, HeapTransport.MAX_PAYLOAD);
        return new HeapTransport();
    }

    /** What the service loader finds: it asks the one that the thread has planted. */
    public static final class Registered extends HeapProvider {
        @Override
        public String name() {
            return PLANTED.get().name();
        }

        @Override
        public String summary() {
            return PLANTED.get().summary();
        }

        @Override
        public Set<Guarantee> guarantees() {
            return PLANTED.get().guarantees();
        }

        @Override
        public List<OptionSpec> options() {
            return PLANTED.get().options();
        }

        @Override
        public String payloadOption() {
            return PLANTED.get().payloadOption();
        }

        @Override
        public Map<String, String> manyTopicsOptions(int payloadBytes, double framesPerSecond) {
            return PLANTED.get().manyTopicsOptions(payloadBytes, framesPerSecond);
        }

        @Override
        public Map<String, String> longRunOptions() {
            return PLANTED.get().longRunOptions();
        }

        @Override
        public TopicFootprint topicFootprint(Map<String, String> options) {
            return PLANTED.get().topicFootprint(options);
        }

        @Override
        public Transport open(Map<String, String> options) {
            return PLANTED.get().open(options);
        }
    }
}
