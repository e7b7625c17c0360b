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
import org.junit.jupiter.api.Tag;

/**
 * The contract of all transports, kept by this one over a media driver of another process. What chains allocate is measured by
 * {@link ExternalAllocationTckTest}.
 */
@Tag("slow")
class ExternalTckTest {
    interface OnDriver extends FixtureSource {
        @Override
        default TransportFixture newFixture() {
            return new AeronFixture(options(), AeronOptions.LEAST_TERM, false);
        }
    }

    /** With room for measurements. */
    interface OnLongTerms extends FixtureSource {
        @Override
        default TransportFixture newFixture() {
            return new AeronFixture(options(), 16 * AeronOptions.LEAST_TERM, true);
        }
    }

    /** That of the Archive's process, which neighbouring tests have started. */
    static AeronOptions options() {
        return AeronOptions.defaults()
                .with(AeronOptions.DRIVER, TestArchive.shared().driver());
    }

    @Nested
    class Order extends OrderTck implements OnDriver {}

    @Nested
    class Consumption extends ConsumptionTck implements OnDriver {}

    @Nested
    class Claims extends ClaimTck implements OnDriver {}

    @Nested
    class Confinement extends ConfinementTck implements OnDriver {}

    @Nested
    class Batches extends BatchTck implements OnDriver {}

    @Nested
    class Payloads extends PayloadTck implements OnDriver {}

    @Nested
    class Headers extends HeaderTck implements OnDriver {}

    @Nested
    class Checksums extends ChecksumTck implements OnDriver {}

    @Nested
    class BackPressure extends BackPressureTck implements OnDriver {}

    @Nested
    class Inspection extends InspectionTck implements OnDriver {}

    @Nested
    class Positions extends PositionTck implements OnDriver {}

    @Nested
    class Starts extends StartTck implements OnDriver {}

    @Nested
    class Recovery extends RecoveryTck implements OnDriver {}

    @Nested
    class Identities extends IdentityTck implements OnDriver {}

    @Nested
    class Topics extends TopicTck implements OnDriver {}

    @Nested
    class TwoThreads extends TwoThreadTck implements OnDriver {}

    @Nested
    class Interrupts extends InterruptTck implements OnDriver {}

    @Nested
    class Lifecycle extends LifecycleTck implements OnDriver {}

    @Nested
    class Openings extends OpeningTck implements OnDriver {}

    @Nested
    class HotPathAllocation extends HotPathAllocationTck implements OnLongTerms {}

    @Nested
    class Provider extends ProviderTck implements OnDriver {}

    @Nested
    class PartitionsOfAChain extends PartitionsTck implements OnDriver {}

    @Nested
    class Chains extends ChainTck implements OnDriver {}

    @Nested
    class State extends StateTck implements OnDriver {}

    @Nested
    class Waits extends WaitTck implements OnDriver {}

    @Nested
    class Edges extends EdgeTck implements OnDriver {}

    @Nested
    class ChainEdges extends ChainEdgesTck implements OnDriver {}

    @Nested
    class SlowConsumers extends SlowConsumerTck implements OnDriver {}

    @Nested
    class Messages extends MessageTck implements OnDriver {}

    @Nested
    class Inlets extends InletTck implements OnDriver {}

    @Nested
    class Requests extends RequestsTck implements OnDriver {}

    @Nested
    class ForgottenConsumers extends ForgetConsumerTck implements OnDriver {}

    @Nested
    class Compositions extends CompositionTck implements OnDriver {}
}
