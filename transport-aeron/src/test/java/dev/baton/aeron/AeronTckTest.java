package dev.baton.aeron;

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
class AeronTckTest {
    interface OnAeron extends FixtureSource {
        @Override
        default TransportFixture newFixture() {
            return new AeronFixture(AeronOptions.LEAST_TERM);
        }
    }

    /** So that not every round of 200 messages has a turn of the driver, which allocates 64 bytes unless C2 has compiled it. */
    interface OnLongTerms extends FixtureSource {
        @Override
        default TransportFixture newFixture() {
            return new AeronFixture(16 * AeronOptions.LEAST_TERM);
        }
    }

    @Nested
    class Order extends OrderTck implements OnAeron {}

    @Nested
    class Consumption extends ConsumptionTck implements OnAeron {}

    @Nested
    class Claims extends ClaimTck implements OnAeron {}

    @Nested
    class Confinement extends ConfinementTck implements OnAeron {}

    @Nested
    class Batches extends BatchTck implements OnAeron {}

    @Nested
    class Payloads extends PayloadTck implements OnAeron {}

    @Nested
    class Headers extends HeaderTck implements OnAeron {}

    @Nested
    class Checksums extends ChecksumTck implements OnAeron {}

    @Nested
    class BackPressure extends BackPressureTck implements OnAeron {}

    @Nested
    class Inspection extends InspectionTck implements OnAeron {}

    @Nested
    class Positions extends PositionTck implements OnAeron {}

    @Nested
    class Starts extends StartTck implements OnAeron {}

    @Nested
    class Recovery extends RecoveryTck implements OnAeron {}

    @Nested
    class Identities extends IdentityTck implements OnAeron {}

    @Nested
    class Topics extends TopicTck implements OnAeron {}

    @Nested
    class TwoThreads extends TwoThreadTck implements OnAeron {}

    @Nested
    class Interrupts extends InterruptTck implements OnAeron {}

    @Nested
    class Lifecycle extends LifecycleTck implements OnAeron {}

    @Nested
    class Openings extends OpeningTck implements OnAeron {}

    @Nested
    class HotPathAllocation extends HotPathAllocationTck implements OnLongTerms {}

    @Nested
    class Provider extends ProviderTck implements OnAeron {}

    @Nested
    class PartitionsOfAChain extends PartitionsTck implements OnAeron {}

    @Nested
    class Chains extends ChainTck implements OnLongTerms {}

    @Nested
    class State extends StateTck implements OnAeron {}

    @Nested
    class Waits extends WaitTck implements OnAeron {}

    @Nested
    class Edges extends EdgeTck implements OnAeron {}

    @Nested
    class ChainEdges extends ChainEdgesTck implements OnAeron {}

    @Nested
    class SlowConsumers extends SlowConsumerTck implements OnAeron {}

    @Nested
    class Messages extends MessageTck implements OnLongTerms {}

    @Nested
    class Inlets extends InletTck implements OnLongTerms {}

    @Nested
    class Requests extends RequestsTck implements OnLongTerms {}

    @Nested
    class ForgottenConsumers extends ForgetConsumerTck implements OnAeron {}

    @Nested
    class Compositions extends CompositionTck implements OnLongTerms {}
}
