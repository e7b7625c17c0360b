package dev.baton.aeron;

import dev.baton.aeron.log.FragmentLayout;
import dev.baton.spi.Transport;
import dev.baton.tck.TransportFixture;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** Terms that are short enough for tests to fill. */
final class AeronFixture implements TransportFixture {
    private static final int MAX_PAYLOAD = 100;

    private final AeronOptions options;
    private final boolean isMeasured;

    /** Over an embedded driver. */
    AeronFixture(int termLength) {
        this(AeronOptions.defaults(), termLength, true);
    }

    /** @param isMeasured whether tests measure allocation, for which they send many messages */
    AeronFixture(AeronOptions options, int termLength, boolean isMeasured) {
        this.options = options.with(AeronOptions.TERM_LENGTH, termLength).with(AeronOptions.MAX_PAYLOAD, MAX_PAYLOAD);
        this.isMeasured = isMeasured;
    }

    @Override
    public Transport open() {
        return AeronTransport.open(options);
    }

    @Override
    public List<String> refusedNames() {
        return List.of("", " ", "a/b", "..");
    }

    /** Half a term of the shortest frames, in fragments that hold many. */
    @Override
    public OptionalInt backlog() {
        return OptionalInt.of(options.get(AeronOptions.TERM_LENGTH) / 2 / FragmentLayout.stagedBytes(0));
    }

    @Override
    public boolean allocatesNothing() {
        return isMeasured;
    }

    @Override
    public Transport openAnother() {
        return open();
    }

    @Override
    public Map<String, String> openingOptions() {
        return options.get(AeronOptions.DRIVER) == null
                ? Map.of()
                : Map.of(
                        AeronOptions.DRIVER.toString(),
                        options.get(AeronOptions.DRIVER).toString());
    }

    /** Deletes the topics that other tests would find on the same driver. */
    @Override
    public void close() {
        if (options.get(AeronOptions.DRIVER) != null) {
            try (Transport transport = open()) {
                transport.deleteTopics(transport.topics());
            }
        }
    }
}
