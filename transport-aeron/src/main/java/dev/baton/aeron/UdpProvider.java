package dev.baton.aeron;

import dev.baton.aeron.driver.DriverClient;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportProvider;
import dev.baton.spi.TransportProvider.TopicFootprint;
import dev.baton.spi.options.OptionSpec;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The provider of the {@link UdpTransport}. Thread-safe. */
public final class UdpProvider implements TransportProvider {
    static final String NAME = "aeron-udp";

    private static final long HEAP_BYTES = 64 << 10;
    private static final double DESCRIPTORS = 2; // of its log, and of the image
    private static final double MAPS = 4; // of both by driver and client

    /** Creates the provider for the service loader. */
    public UdpProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String summary() {
        return "streams over UDP without an Archive, Aeron " + DriverClient.LIBRARY_VERSION
                + ": topics in the memory of the process that writes them";
    }

    @Override
    public Set<Guarantee> guarantees() {
        return UdpTransport.GUARANTEES;
    }

    @Override
    public List<OptionSpec> options() {
        return UdpOptions.SPECS;
    }

    @Override
    public List<String> jvmFlags(int featureVersion) {
        return List.of(DriverClient.JVM_FLAG);
    }

    @Override
    public String payloadOption() {
        return UdpOptions.MAX_PAYLOAD.toString();
    }

    @Override
    public Map<String, String> manyTopicsOptions(int payloadBytes, double framesPerSecond) {
        return new AeronProvider().manyTopicsOptions(payloadBytes, 2 * framesPerSecond); // the window is half as long
    }

    @Override
    public TopicFootprint topicFootprint(Map<String, String> options) {
        return new TopicFootprint(
                HEAP_BYTES,
                topicBytes(options),
                DESCRIPTORS,
                MAPS,
                0,
                0,
                TopicFootprint.UNBOUNDED,
                TopicFootprint.UNBOUNDED);
    }

    private static long topicBytes(Map<String, String> options) {
        try {
            return UdpOptions.parse(options).topicBytes();
        } catch (IllegalArgumentException refused) {
            return UdpOptions.defaults().topicBytes(); // open() reports it
        }
    }

    @Override
    public Transport open(Map<String, String> options) {
        return UdpTransport.open(UdpOptions.parse(options));
    }
}
