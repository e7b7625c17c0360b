package dev.baton.aeron;

import dev.baton.aeron.driver.DriverClient;
import dev.baton.aeron.log.FragmentLayout;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportProvider;
import dev.baton.spi.TransportProvider.TopicFootprint;
import dev.baton.spi.options.OptionSpec;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.agrona.BitUtil;

/** The provider of the {@link AeronTransport}. Thread-safe. */
public final class AeronProvider implements TransportProvider {
    static final String NAME = "aeron";

    private static final long HEAP_BYTES = 16 << 10;
    private static final double SECONDS_OF_WINDOW = 0.1;
    private static final double DESCRIPTORS =
            1.01; // of its log, which the client keeps open, and 4 of a driver with 512 topics
    private static final double MAPS = 3; // of its log by driver and client, and of its state
    private static final int TERM_PER_WINDOW = 2;

    /** Creates the provider for the service loader. */
    public AeronProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String summary() {
        return "streams in shared memory, Aeron IPC " + DriverClient.LIBRARY_VERSION
                + "; with a running media driver, driver=DIR, they cross processes";
    }

    @Override
    public Set<Guarantee> guarantees() {
        return AeronTransport.guarantees(false);
    }

    @Override
    public Set<Guarantee> guarantees(Map<String, String> options) {
        return AeronTransport.guarantees(AeronOptions.isShared(options));
    }

    @Override
    public List<OptionSpec> options() {
        return AeronOptions.SPECS;
    }

    @Override
    public List<String> jvmFlags(int featureVersion) {
        return List.of(DriverClient.JVM_FLAG);
    }

    @Override
    public String payloadOption() {
        return AeronOptions.MAX_PAYLOAD.toString();
    }

    /** Sizes half a term for the frames of a tenth of a second. */
    @Override
    public Map<String, String> manyTopicsOptions(int payloadBytes, double framesPerSecond) {
        double window = framesPerSecond * SECONDS_OF_WINDOW * FragmentLayout.logBytes(payloadBytes);
        int wanted =
                (int) Math.max(AeronOptions.LEAST_TERM, Math.min(AeronOptions.MOST_TERM, TERM_PER_WINDOW * window));
        int payload = Math.min(AeronOptions.LONGEST_PAYLOAD, BitUtil.align(Math.max(payloadBytes, 16), Long.BYTES));
        int needed = AeronOptions.termFor(payload);
        return Map.of(
                AeronOptions.TERM_LENGTH.toString(),
                Integer.toString(Math.max(needed, BitUtil.findNextPositivePowerOfTwo(wanted))),
                AeronOptions.MAX_PAYLOAD.toString(),
                Integer.toString(payload));
    }

    @Override
    public TopicFootprint topicFootprint(Map<String, String> options) {
        return new TopicFootprint(
                HEAP_BYTES,
                topicBytes(options),
                AeronOptions.isShared(options) ? DESCRIPTORS + 1 : DESCRIPTORS, // readers map the log themselves
                MAPS,
                0,
                0,
                TopicFootprint.UNBOUNDED,
                TopicFootprint.UNBOUNDED);
    }

    private static long topicBytes(Map<String, String> options) {
        try {
            return AeronOptions.parse(options).topicBytes();
        } catch (IllegalArgumentException refused) {
            return AeronOptions.defaults().topicBytes(); // open() reports it
        }
    }

    @Override
    public Transport open(Map<String, String> options) {
        return AeronTransport.open(AeronOptions.parse(options));
    }
}
