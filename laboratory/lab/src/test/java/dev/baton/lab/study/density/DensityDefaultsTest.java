package dev.baton.lab.study.density;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chronicle.ChronicleProvider;
import dev.baton.disruptor.DisruptorProvider;
import dev.baton.kafka.KafkaProvider;
import dev.baton.lab.FakeProvider;
import dev.baton.lab.request.Load;
import dev.baton.operations.line.ChosenTransport;
import dev.baton.operations.settings.Subject;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DensityDefaultsTest {
    private static final Load LOAD = new Load(1_000, Load.Arrivals.EVEN, 1);

    @Test
    void aTransportAdvisesOptionsForManySmallTopics() {
        assertThat(DensityDefaults.forManyTopics(new ChosenTransport(new DisruptorProvider(), Map.of(), 0), 20, 1_000)
                        .options())
                .isEqualTo(Map.of("slots", "256", "max-payload", "24"));
        assertThat(DensityDefaults.forManyTopics(new ChosenTransport(new KafkaProvider(), Map.of(), 1), 20, 1_000)
                        .options())
                .isEqualTo(Map.of("linger", "2ms"));
    }

    @Test
    void whatWasTypedCountsBeforeTheAdvice() {
        assertThat(DensityDefaults.forManyTopics(
                                new ChosenTransport(new DisruptorProvider(), Map.of("slots", "64"), 0), 20, 10_000)
                        .options())
                .isEqualTo(Map.of("slots", "64", "max-payload", "24"));
    }

    @Test
    void aTransportThatAdvisesNothingIsOpenedAsItWasTyped() {
        FakeProvider another = new FakeProvider("another", false, false);
        assertThat(DensityDefaults.forManyTopics(new ChosenTransport(another, Map.of("size", "2"), 0), 20, 1_000)
                        .options())
                .isEqualTo(Map.of("size", "2"));
        assertThat(DensityDefaults.start(another, Subject.BATON, LOAD)).isPositive();
    }

    @Test
    void aSearchBeginsWhereTheTransportSays() {
        int kafka = DensityDefaults.start(new KafkaProvider(), Subject.BATON, LOAD);
        int chronicle = DensityDefaults.start(new ChronicleProvider(), Subject.BATON, LOAD);
        int disruptor = DensityDefaults.start(new DisruptorProvider(), Subject.BATON, LOAD);
        assertThat(kafka).isLessThan(chronicle);
        assertThat(chronicle).isLessThan(disruptor);
    }
}
