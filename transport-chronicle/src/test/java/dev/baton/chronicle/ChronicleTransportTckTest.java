package dev.baton.chronicle;

import dev.baton.tck.BackPressureTck;
import dev.baton.tck.BatchTck;
import dev.baton.tck.ChecksumTck;
import dev.baton.tck.ClaimTck;
import dev.baton.tck.ConsumptionTck;
import dev.baton.tck.FixtureSource;
import dev.baton.tck.HeaderTck;
import dev.baton.tck.HotPathAllocationTck;
import dev.baton.tck.IdentityTck;
import dev.baton.tck.OrderTck;
import dev.baton.tck.PayloadTck;
import dev.baton.tck.PositionTck;
import dev.baton.tck.RecoveryTck;
import dev.baton.tck.StartTck;
import dev.baton.tck.StorageFaultTck;
import dev.baton.tck.TransportFixture;
import dev.baton.tck.TwoThreadTck;
import dev.baton.tck.WaitTck;
import dev.baton.tck.admin.ForgetConsumerTck;
import dev.baton.tck.admin.InspectionTck;
import dev.baton.tck.admin.ProviderTck;
import dev.baton.tck.admin.TopicTck;
import dev.baton.tck.chain.ChainEdgesTck;
import dev.baton.tck.chain.ChainTck;
import dev.baton.tck.chain.CompositionTck;
import dev.baton.tck.chain.EdgeTck;
import dev.baton.tck.chain.InletTck;
import dev.baton.tck.chain.MessageTck;
import dev.baton.tck.chain.PartitionsTck;
import dev.baton.tck.chain.RequestsTck;
import dev.baton.tck.chain.SlowConsumerTck;
import dev.baton.tck.chain.StateTck;
import dev.baton.tck.lifecycle.ConfinementTck;
import dev.baton.tck.lifecycle.InterruptTck;
import dev.baton.tck.lifecycle.LifecycleTck;
import dev.baton.tck.lifecycle.OpeningTck;
import org.junit.jupiter.api.Nested;

/** The contract of all transports, kept by this one. */
class ChronicleTransportTckTest {
    interface OnChronicle extends FixtureSource {
        @Override
        default TransportFixture newFixture() {
            return new ChronicleFixture();
        }
    }

    /** For the themes that measure allocation: Chronicle makes a few objects for each block that it maps. */
    interface OnLargeBlocks extends FixtureSource {
        @Override
        default TransportFixture newFixture() {
            return ChronicleFixture.withLargeBlocks();
        }
    }

    @Nested
    class Order extends OrderTck implements OnChronicle {}

    @Nested
    class Consumption extends ConsumptionTck implements OnChronicle {}

    @Nested
    class Claims extends ClaimTck implements OnChronicle {}

    @Nested
    class Confinement extends ConfinementTck implements OnChronicle {}

    @Nested
    class Batches extends BatchTck implements OnChronicle {}

    @Nested
    class Payloads extends PayloadTck implements OnChronicle {}

    @Nested
    class Headers extends HeaderTck implements OnChronicle {}

    @Nested
    class Checksums extends ChecksumTck implements OnChronicle {}

    @Nested
    class BackPressure extends BackPressureTck implements OnChronicle {}

    @Nested
    class Inspection extends InspectionTck implements OnChronicle {}

    @Nested
    class Positions extends PositionTck implements OnChronicle {}

    @Nested
    class Starts extends StartTck implements OnChronicle {}

    @Nested
    class Recovery extends RecoveryTck implements OnChronicle {}

    @Nested
    class Topics extends TopicTck implements OnChronicle {}

    @Nested
    class StorageFaults extends StorageFaultTck {
        @Override
        public TransportFixture newFixture() {
            return ChronicleFixture.thatSyncs();
        }
    }

    @Nested
    class TwoThreads extends TwoThreadTck implements OnChronicle {}

    @Nested
    class Interrupts extends InterruptTck implements OnChronicle {}

    @Nested
    class Lifecycle extends LifecycleTck implements OnChronicle {}

    @Nested
    class Openings extends OpeningTck implements OnChronicle {}

    @Nested
    class HotPathAllocation extends HotPathAllocationTck implements OnLargeBlocks {}

    @Nested
    class Provider extends ProviderTck implements OnChronicle {}

    @Nested
    class PartitionsOfAChain extends PartitionsTck implements OnChronicle {}

    @Nested
    class Chains extends ChainTck implements OnLargeBlocks {}

    @Nested
    class Identities extends IdentityTck implements OnChronicle {}

    @Nested
    class State extends StateTck implements OnChronicle {}

    @Nested
    class Waits extends WaitTck implements OnChronicle {}

    @Nested
    class Edges extends EdgeTck implements OnChronicle {}

    @Nested
    class ChainEdges extends ChainEdgesTck implements OnChronicle {}

    @Nested
    class SlowConsumers extends SlowConsumerTck implements OnChronicle {}

    @Nested
    class Messages extends MessageTck implements OnLargeBlocks {}

    @Nested
    class Inlets extends InletTck implements OnLargeBlocks {}

    @Nested
    class Requests extends RequestsTck implements OnLargeBlocks {}

    @Nested
    class ForgottenConsumers extends ForgetConsumerTck implements OnChronicle {}

    @Nested
    class Compositions extends CompositionTck implements OnLargeBlocks {}
}
