package dev.baton.lab.study.density;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chronicle.ChronicleProvider;
import dev.baton.disruptor.DisruptorProvider;
import dev.baton.kafka.KafkaProvider;
import dev.baton.lab.FakeProvider;
import dev.baton.lab.request.Load;
import dev.baton.operations.settings.Subject;
import org.junit.jupiter.api.Test;

class FirstGuessTest {
    private static final Load LOAD = new Load(1_000, Load.Arrivals.EVEN, 1);

    @Test
    void searchWithoutAdviceHasADefaultStart() {
        assertThat(Contenders.start(new FakeProvider("another", false, false), Subject.BATON, LOAD))
                .isPositive();
    }

    @Test
    void searchBeginsAtAdvisedNumber() {
        int kafka = Contenders.start(new KafkaProvider(), Subject.BATON, LOAD);
        int chronicle = Contenders.start(new ChronicleProvider(), Subject.BATON, LOAD);
        int disruptor = Contenders.start(new DisruptorProvider(), Subject.BATON, LOAD);
        assertThat(kafka).isLessThan(chronicle);
        assertThat(chronicle).isLessThan(disruptor);
    }
}
