package dev.baton.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.aeron.AeronProvider;
import dev.baton.chronicle.ChronicleProvider;
import dev.baton.disruptor.DisruptorProvider;
import dev.baton.kafka.KafkaProvider;
import dev.baton.lab.FakeProvider;
import dev.baton.lab.request.Load;
import dev.baton.operations.options.ChosenTransport;
import dev.baton.spi.TransportProvider;
import dev.baton.spi.TransportProvider.TopicFootprint;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ManyTopicsTest {
    private static final Load LOAD = new Load(1_000, Load.Arrivals.EVEN, 1);
    private static final int TOPICS_OF_A_CHAIN = 6;

    @Test
    void aTransportAdvisesOptionsForManySmallTopics() {
        assertThat(advised(new DisruptorProvider(), Map.of(), 1_000))
                .isEqualTo(Map.of("slots", "256", "max-payload", "24"));
        assertThat(advised(new KafkaProvider(), Map.of(), 1_000)).isEqualTo(Map.of("linger", "2ms"));
        assertThat(advised(new AeronProvider(), Map.of(), 1_000))
                .isEqualTo(Map.of("term-length", "65536", "max-payload", "24"));
    }

    @Test
    void givenOptionsPrecedeAdvice() {
        assertThat(advised(new DisruptorProvider(), Map.of("slots", "64"), 10_000))
                .isEqualTo(Map.of("slots", "64", "max-payload", "24"));
    }

    @Test
    void transportWithoutAdviceIsUnchanged() {
        assertThat(advised(new FakeProvider("another", false, false), Map.of("size", "2"), 1_000))
                .isEqualTo(Map.of("size", "2"));
    }

    @Test
    void fewInstancesHaveTheDefaultsOfTheirTransport() {
        List<ChosenTransport> chosen = List.of(chosen(new AeronProvider(), Map.of()));
        assertThat(ManyTopics.advised(chosen, ManyTopics.MIN_INSTANCES - 1, 0, LOAD))
                .isEqualTo(chosen);
    }

    /** The memory and the files of the transports that have all their topics in memory, and Chronicle's first pages. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void thousandChainsFitIntoEightGibibytes(boolean isSaturated) {
        List<TransportProvider> providers =
                List.of(new DisruptorProvider(), new AeronProvider(), new ChronicleProvider());
        for (TransportProvider provider : providers) {
            ChosenTransport advised = ManyTopics.advised(
                            List.of(chosen(provider, Map.of())), 1_000, 0, isSaturated ? Load.saturating(1) : LOAD)
                    .get(0);
            TopicFootprint topic = provider.topicFootprint(advised.options());
            assertThat((topic.heapBytes() + topic.directBytes() + topic.fileBytes()) * TOPICS_OF_A_CHAIN * 1_000)
                    .as(provider.name())
                    .isLessThan(8L << 30);
        }
    }

    private static Map<String, String> advised(TransportProvider provider, Map<String, String> typed, double rate) {
        return ManyTopics.advised(chosen(provider, typed), 20, rate).options();
    }

    private static ChosenTransport chosen(TransportProvider provider, Map<String, String> typed) {
        return new ChosenTransport(provider, typed, 0);
    }
}
