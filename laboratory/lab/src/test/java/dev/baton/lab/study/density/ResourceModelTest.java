package dev.baton.lab.study.density;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.request.Load;
import dev.baton.lab.request.Shape;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResourceModelTest {
    private static final long SIXTEEN_MEGABYTES = 16 << 20;

    @Test
    void whatChronicleMapsIsCollectedBeforeThereIsMuchToCopyHoweverManyChains() {
        for (String retention : new String[] {"all", "unread"}) {
            for (int instances : new int[] {1, 100, 1_000}) {
                assertThat(demand("chronicle", Map.of("retention", retention), instances)
                                .youngBytes())
                        .as("%d chains, retention %s", instances, retention)
                        .isEqualTo(SIXTEEN_MEGABYTES);
            }
        }
    }

    @Test
    void otherTransportsHaveHalfOfTheHeapForYoungObjects() {
        for (String transport : new String[] {"disruptor", "kafka", "another"}) {
            RequiredResources demand = demand(transport, Map.of(), 100);
            assertThat(demand.youngBytes()).as(transport).isEqualTo(demand.heapBytes() / 2);
        }
    }

    private static RequiredResources demand(String transport, Map<String, String> options, int instances) {
        return ResourceModel.of(
                        transport,
                        options,
                        true,
                        0,
                        new Shape(5, instances, 0),
                        new Load(1_000, Load.Arrivals.EVEN, 1),
                        false,
                        1)
                .at(instances, 30);
    }
}
