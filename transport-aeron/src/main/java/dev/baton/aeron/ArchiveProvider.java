package dev.baton.aeron;

import dev.baton.aeron.archive.Promotion;
import dev.baton.aeron.driver.DriverClient;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportProvider;
import dev.baton.spi.TransportProvider.TopicFootprint;
import dev.baton.spi.options.OptionSpec;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The provider of the {@link ArchiveTransport}. Thread-safe. */
public final class ArchiveProvider implements TransportProvider {
    static final String NAME = "aeron-archive";

    private static final long HEAP_BYTES = 64 << 10;

    /** Two logs of a topic, one of its end and one of positions. */
    private static final double DESCRIPTORS = 4;

    private static final double MAPS = 2 * DESCRIPTORS;
    private static final long FRAME_BYTES = 80;

    /** Creates the provider for the service loader. */
    public ArchiveProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String summary() {
        return "recordings of an Aeron Archive, Aeron " + DriverClient.LIBRARY_VERSION
                + "; media driver and Archive run as programs of their own";
    }

    @Override
    public Set<Guarantee> guarantees() {
        return ArchiveTransport.GUARANTEES;
    }

    @Override
    public List<OptionSpec> options() {
        return ArchiveOptions.SPECS;
    }

    @Override
    public List<String> jvmFlags(int featureVersion) {
        return List.of(DriverClient.JVM_FLAG);
    }

    @Override
    public String payloadOption() {
        return ArchiveOptions.MAX_PAYLOAD.toString();
    }

    @Override
    public Map<String, String> manyTopicsOptions(int payloadBytes, double framesPerSecond) {
        return new AeronProvider().manyTopicsOptions(payloadBytes, framesPerSecond);
    }

    @Override
    public Map<String, String> longRunOptions() {
        return Map.of(ArchiveOptions.RETENTION.toString(), "unread");
    }

    /** Counts the writer's log and that of the topic's end, a reader's log and the log of its positions. */
    @Override
    public TopicFootprint topicFootprint(Map<String, String> options) {
        return new TopicFootprint(
                HEAP_BYTES,
                2 * topicBytes(options) + 2 * AeronOptions.topicBytes(AeronOptions.LEAST_TERM),
                DESCRIPTORS,
                MAPS,
                64 << 10,
                FRAME_BYTES,
                TopicFootprint.UNBOUNDED,
                TopicFootprint.UNBOUNDED);
    }

    @Override
    public String lostWithHost(Map<String, String> options) {
        return options.getOrDefault(ArchiveOptions.STANDBY.toString(), "").isEmpty() ? "stores a single copy" : null;
    }

    /** Promotes the Archive of the options, which is on the standby's host or is reached over UDP. */
    @Override
    public Map<String, Long> promote(Map<String, String> options, String former, boolean isForced) {
        return Promotion.run(ArchiveOptions.parse(options), former, isForced);
    }

    private static long topicBytes(Map<String, String> options) {
        ArchiveOptions parsed;
        try {
            parsed = ArchiveOptions.parse(options);
        } catch (IllegalArgumentException refused) {
            parsed = ArchiveOptions.defaults(); // open() reports it
        }
        return AeronOptions.topicBytes(parsed.get(ArchiveOptions.TERM_LENGTH));
    }

    @Override
    public Transport open(Map<String, String> options) {
        return ArchiveTransport.open(ArchiveOptions.parse(options));
    }
}
