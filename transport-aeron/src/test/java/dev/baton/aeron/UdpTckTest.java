package dev.baton.aeron;

import dev.baton.tck.BackPressureTck;
import dev.baton.tck.BatchTck;
import dev.baton.tck.ChecksumTck;
import dev.baton.tck.ClaimTck;
import dev.baton.tck.ConsumptionTck;
import dev.baton.tck.FixtureSource;
import dev.baton.tck.HeaderTck;
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
import org.junit.jupiter.api.Tag;

/** The contract of all transports, kept over UDP to several destinations, and for its core by unicast. */
@Tag("long")
class UdpTckTest {
    interface OnUdp extends FixtureSource {
        @Override
        default TransportFixture newFixture() {
            return new UdpFixture(UdpPorts.options());
        }
    }

    interface OnUnicast extends FixtureSource {
        @Override
        default TransportFixture newFixture() {
            return new UdpFixture(UdpPorts.unicast());
        }
    }

    @Nested
    class Order extends OrderTck implements OnUdp {}

    @Nested
    class Consumption extends ConsumptionTck implements OnUdp {}

    @Nested
    class Claims extends ClaimTck implements OnUdp {}

    @Nested
    class Confinement extends ConfinementTck implements OnUdp {}

    @Nested
    class Batches extends BatchTck implements OnUdp {}

    @Nested
    class Payloads extends PayloadTck implements OnUdp {}

    @Nested
    class Headers extends HeaderTck implements OnUdp {}

    @Nested
    class Checksums extends ChecksumTck implements OnUdp {}

    @Nested
    class BackPressure extends BackPressureTck implements OnUdp {}

    @Nested
    class Inspection extends InspectionTck implements OnUdp {}

    @Nested
    class Positions extends PositionTck implements OnUdp {}

    @Nested
    class Starts extends StartTck implements OnUdp {}

    @Nested
    class Recovery extends RecoveryTck implements OnUdp {}

    @Nested
    class Identities extends IdentityTck implements OnUdp {}

    @Nested
    class Topics extends TopicTck implements OnUdp {}

    @Nested
    class TwoThreads extends TwoThreadTck implements OnUdp {}

    @Nested
    class Interrupts extends InterruptTck implements OnUdp {}

    @Nested
    class Lifecycle extends LifecycleTck implements OnUdp {}

    @Nested
    class Openings extends OpeningTck implements OnUdp {}

    @Nested
    class Provider extends ProviderTck implements OnUdp {}

    @Nested
    class PartitionsOfAChain extends PartitionsTck implements OnUdp {}

    @Nested
    class Chains extends ChainTck implements OnUdp {}

    @Nested
    class State extends StateTck implements OnUdp {}

    @Nested
    class Waits extends WaitTck implements OnUdp {}

    @Nested
    class Edges extends EdgeTck implements OnUdp {}

    @Nested
    class ChainEdges extends ChainEdgesTck implements OnUdp {}

    @Nested
    class SlowConsumers extends SlowConsumerTck implements OnUdp {}

    @Nested
    class Messages extends MessageTck implements OnUdp {}

    @Nested
    class Inlets extends InletTck implements OnUdp {}

    @Nested
    class Requests extends RequestsTck implements OnUdp {}

    @Nested
    class ForgottenConsumers extends ForgetConsumerTck implements OnUdp {}

    @Nested
    class Compositions extends CompositionTck implements OnUdp {}

    @Nested
    class UnicastOrder extends OrderTck implements OnUnicast {}

    @Nested
    class UnicastPositions extends PositionTck implements OnUnicast {}

    @Nested
    class UnicastBackPressure extends BackPressureTck implements OnUnicast {}
}
