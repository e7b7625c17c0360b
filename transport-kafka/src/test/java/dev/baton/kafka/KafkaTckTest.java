package dev.baton.kafka;

import dev.baton.tck.BackPressureTck;
import dev.baton.tck.BatchTck;
import dev.baton.tck.ChainTck;
import dev.baton.tck.ChecksumTck;
import dev.baton.tck.ClaimTck;
import dev.baton.tck.ConfinementTck;
import dev.baton.tck.ConsumptionTck;
import dev.baton.tck.FixtureSource;
import dev.baton.tck.GroupTck;
import dev.baton.tck.HeaderTck;
import dev.baton.tck.HotPathAllocationTck;
import dev.baton.tck.InspectionTck;
import dev.baton.tck.LanesTck;
import dev.baton.tck.LifecycleTck;
import dev.baton.tck.OrderTck;
import dev.baton.tck.PayloadTck;
import dev.baton.tck.PositionTck;
import dev.baton.tck.ProviderTck;
import dev.baton.tck.RecoveryTck;
import dev.baton.tck.SlowConsumerTck;
import dev.baton.tck.TopicTck;
import dev.baton.tck.TransportFixture;
import dev.baton.tck.TwoThreadTck;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The contract of all transports, kept by this one. */
@Tag("broker")
class KafkaTckTest {
    interface OnKafka extends FixtureSource {
        @Override
        default TransportFixture newFixture() {
            return new KafkaFixture();
        }
    }

    @Nested
    class Order extends OrderTck implements OnKafka {}

    @Nested
    class Consumption extends ConsumptionTck implements OnKafka {}

    @Nested
    class Claims extends ClaimTck implements OnKafka {}

    @Nested
    class Confinement extends ConfinementTck implements OnKafka {}

    @Nested
    class Batches extends BatchTck implements OnKafka {}

    @Nested
    class Payloads extends PayloadTck implements OnKafka {}

    @Nested
    class Headers extends HeaderTck implements OnKafka {}

    @Nested
    class Checksums extends ChecksumTck implements OnKafka {}

    @Nested
    class BackPressure extends BackPressureTck implements OnKafka {}

    @Nested
    class Inspection extends InspectionTck implements OnKafka {}

    @Nested
    class Positions extends PositionTck implements OnKafka {}

    @Nested
    class Recovery extends RecoveryTck implements OnKafka {}

    @Nested
    class Topics extends TopicTck implements OnKafka {}

    @Nested
    class TwoThreads extends TwoThreadTck implements OnKafka {}

    @Nested
    class Lifecycle extends LifecycleTck implements OnKafka {}

    @Nested
    class HotPathAllocation extends HotPathAllocationTck implements OnKafka {}

    @Nested
    class Provider extends ProviderTck implements OnKafka {}

    @Nested
    class LanesOfAChain extends LanesTck implements OnKafka {}

    @Nested
    @Tag("long")
    class Groups extends GroupTck implements OnKafka {}

    @Nested
    class Chains extends ChainTck implements OnKafka {}

    @Nested
    class SlowConsumers extends SlowConsumerTck implements OnKafka {}
}
