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
import org.junit.jupiter.api.Tag;

/**
 * The contract of all transports, over recordings of an Archive in the same driver. What chains allocate is measured by {@link
 * ArchiveAllocationTckTest}.
 */
@Tag("long")
class ArchiveTckTest {
    interface OnArchive extends FixtureSource {
        @Override
        default TransportFixture newFixture() {
            return new ArchiveFixture(TestArchive.options(), false);
        }
    }

    /** With room for measurements. */
    interface OnLongTerms extends FixtureSource {
        @Override
        default TransportFixture newFixture() {
            return new ArchiveFixture(
                    TestArchive.options().with(ArchiveOptions.TERM_LENGTH, 16 * AeronOptions.LEAST_TERM), true);
        }
    }

    @Nested
    class Order extends OrderTck implements OnArchive {}

    @Nested
    class Consumption extends ConsumptionTck implements OnArchive {}

    @Nested
    class Claims extends ClaimTck implements OnArchive {}

    @Nested
    class Confinement extends ConfinementTck implements OnArchive {}

    @Nested
    class Batches extends BatchTck implements OnArchive {}

    @Nested
    class Payloads extends PayloadTck implements OnArchive {}

    @Nested
    class Headers extends HeaderTck implements OnArchive {}

    @Nested
    class Checksums extends ChecksumTck implements OnArchive {}

    @Nested
    class BackPressure extends BackPressureTck implements OnArchive {}

    @Nested
    class Inspection extends InspectionTck implements OnArchive {}

    @Nested
    class Positions extends PositionTck implements OnArchive {}

    @Nested
    class Starts extends StartTck implements OnArchive {}

    @Nested
    class Recovery extends RecoveryTck implements OnArchive {}

    @Nested
    class Identities extends IdentityTck implements OnArchive {}

    @Nested
    class Topics extends TopicTck implements OnArchive {}

    @Nested
    class StorageFaults extends StorageFaultTck implements OnArchive {}

    @Nested
    class TwoThreads extends TwoThreadTck implements OnArchive {}

    @Nested
    class Interrupts extends InterruptTck implements OnArchive {}

    @Nested
    class Lifecycle extends LifecycleTck implements OnArchive {}

    @Nested
    class Openings extends OpeningTck implements OnArchive {}

    @Nested
    class HotPathAllocation extends HotPathAllocationTck implements OnLongTerms {}

    @Nested
    class Provider extends ProviderTck implements OnArchive {}

    @Nested
    class PartitionsOfAChain extends PartitionsTck implements OnArchive {}

    @Nested
    class Chains extends ChainTck implements OnArchive {}

    @Nested
    class State extends StateTck implements OnArchive {}

    @Nested
    class Waits extends WaitTck implements OnArchive {}

    @Nested
    class Edges extends EdgeTck implements OnArchive {}

    @Nested
    class ChainEdges extends ChainEdgesTck implements OnArchive {}

    @Nested
    class SlowConsumers extends SlowConsumerTck implements OnArchive {}

    @Nested
    class Messages extends MessageTck implements OnArchive {}

    @Nested
    class Inlets extends InletTck implements OnArchive {}

    @Nested
    class Requests extends RequestsTck implements OnArchive {}

    @Nested
    class ForgottenConsumers extends ForgetConsumerTck implements OnArchive {}

    @Nested
    class Compositions extends CompositionTck implements OnArchive {}
}
