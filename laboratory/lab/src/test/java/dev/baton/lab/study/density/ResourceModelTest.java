package dev.baton.lab.study.density;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chronicle.ChronicleProvider;
import dev.baton.disruptor.DisruptorProvider;
import dev.baton.kafka.KafkaProvider;
import dev.baton.lab.FakeProvider;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Shape;
import dev.baton.spi.TransportProvider;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResourceModelTest {
    private static final long SIXTEEN_MEGABYTES = 16 << 20;

    @Test
    void chroniclesYoungGenerationIsBounded() {
        for (String retention : new String[] {"all", "unread"}) {
            for (int instances : new int[] {1, 100, 1_000}) {
                assertThat(demand(new ChronicleProvider(), Map.of("retention", retention), instances)
                                .youngBytes())
                        .as("%d chains, retention %s", instances, retention)
                        .isEqualTo(SIXTEEN_MEGABYTES);
            }
        }
    }

    @Test
    void otherTransportsHaveHalfHeapYoung() {
        for (TransportProvider provider :
                List.of(new DisruptorProvider(), new KafkaProvider(), new FakeProvider("another", true, false))) {
            ResourceModel.RequiredResources demand = demand(provider, Map.of(), 100);
            assertThat(demand.youngBytes()).as(provider.name()).isEqualTo(demand.heapBytes() / 2);
        }
    }

    private static ResourceModel.RequiredResources demand(
            TransportProvider provider, Map<String, String> options, int instances) {
        return ResourceModel.of(
                        provider.topicFootprint(options),
                        0,
                        new Shape(5, instances, 0),
                        new Load(1_000, Load.Arrivals.EVEN, 1),
                        false,
                        1)
                .at(instances, 30);
    }
}
