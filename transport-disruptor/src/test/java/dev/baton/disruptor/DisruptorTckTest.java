package dev.baton.disruptor;

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
class DisruptorTckTest {
    interface OnDisruptor extends FixtureSource {
        @Override
        default TransportFixture newFixture() {
            return new DisruptorFixture();
        }
    }

    @Nested
    class Order extends OrderTck implements OnDisruptor {}

    @Nested
    class Consumption extends ConsumptionTck implements OnDisruptor {}

    @Nested
    class Claims extends ClaimTck implements OnDisruptor {}

    @Nested
    class Confinement extends ConfinementTck implements OnDisruptor {}

    @Nested
    class Batches extends BatchTck implements OnDisruptor {}

    @Nested
    class Payloads extends PayloadTck implements OnDisruptor {}

    @Nested
    class Headers extends HeaderTck implements OnDisruptor {}

    @Nested
    class Checksums extends ChecksumTck implements OnDisruptor {}

    @Nested
    class BackPressure extends BackPressureTck implements OnDisruptor {}

    @Nested
    class Inspection extends InspectionTck implements OnDisruptor {}

    @Nested
    class Positions extends PositionTck implements OnDisruptor {}

    @Nested
    class Starts extends StartTck implements OnDisruptor {}

    @Nested
    class Recovery extends RecoveryTck implements OnDisruptor {}

    @Nested
    class Identities extends IdentityTck implements OnDisruptor {}

    @Nested
    class Topics extends TopicTck implements OnDisruptor {}

    @Nested
    class TwoThreads extends TwoThreadTck implements OnDisruptor {}

    @Nested
    class Interrupts extends InterruptTck implements OnDisruptor {}

    @Nested
    class Lifecycle extends LifecycleTck implements OnDisruptor {}

    @Nested
    class Openings extends OpeningTck implements OnDisruptor {}

    @Nested
    class HotPathAllocation extends HotPathAllocationTck implements OnDisruptor {}

    @Nested
    class Provider extends ProviderTck implements OnDisruptor {}

    @Nested
    class PartitionsOfAChain extends PartitionsTck implements OnDisruptor {}

    @Nested
    class Chains extends ChainTck implements OnDisruptor {}

    @Nested
    class State extends StateTck implements OnDisruptor {}

    @Nested
    class Waits extends WaitTck implements OnDisruptor {}

    @Nested
    class Edges extends EdgeTck implements OnDisruptor {}

    @Nested
    class ChainEdges extends ChainEdgesTck implements OnDisruptor {}

    @Nested
    class SlowConsumers extends SlowConsumerTck implements OnDisruptor {}

    @Nested
    class Messages extends MessageTck implements OnDisruptor {}

    @Nested
    class Inlets extends InletTck implements OnDisruptor {}

    @Nested
    class Requests extends RequestsTck implements OnDisruptor {}

    @Nested
    class ForgottenConsumers extends ForgetConsumerTck implements OnDisruptor {}

    @Nested
    class Compositions extends CompositionTck implements OnDisruptor {}
}
