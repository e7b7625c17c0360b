package dev.baton.broken;

import dev.baton.broken.heap.HeapFixture;
import dev.baton.broken.heap.NetworkFixture;
import dev.baton.broken.heap.StoredFixture;
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
import dev.baton.tck.admin.RetentionTck;
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
import dev.baton.tck.fencing.FailuresTck;
import dev.baton.tck.fencing.RivalChainsTck;
import dev.baton.tck.fencing.RivalReadersTck;
import dev.baton.tck.fencing.RivalWritersTck;
import dev.baton.tck.lifecycle.ConfinementTck;
import dev.baton.tck.lifecycle.InterruptTck;
import dev.baton.tck.lifecycle.LifecycleTck;
import dev.baton.tck.lifecycle.OpeningTck;
import dev.baton.tck.network.NetworkFaultTck;
import dev.baton.tck.network.StalledServerTck;
import org.junit.jupiter.api.Nested;

/** The transport in the heap keeps the contract before it is broken: what the broken one fails, the defect causes. */
class HeapTransportTckTest {
    interface OnKept extends FixtureSource {
        @Override
        default TransportFixture newFixture() {
            return HeapFixture.kept();
        }
    }

    interface OnRivals extends FixtureSource {
        @Override
        default TransportFixture newFixture() {
            return HeapFixture.rivals();
        }
    }

    /** The transport in the heap without frames that every consumer has acknowledged. */
    interface OnTrimmedRivals extends FixtureSource {
        @Override
        default TransportFixture newFixture() {
            return HeapFixture.trimmedRivals();
        }
    }

    interface OnNetwork extends FixtureSource {
        @Override
        default TransportFixture newFixture() {
            return NetworkFixture.whole();
        }
    }

    interface OnMemory extends FixtureSource {
        @Override
        default TransportFixture newFixture() {
            return HeapFixture.whole();
        }
    }

    @Nested
    class OfOrder extends OrderTck implements OnMemory {}

    @Nested
    class OfConsumption extends ConsumptionTck implements OnMemory {}

    @Nested
    class OfClaim extends ClaimTck implements OnMemory {}

    @Nested
    class OfConfinement extends ConfinementTck implements OnMemory {}

    @Nested
    class OfBatch extends BatchTck implements OnMemory {}

    @Nested
    class OfPayload extends PayloadTck implements OnMemory {}

    @Nested
    class OfHeader extends HeaderTck implements OnMemory {}

    @Nested
    class OfChecksum extends ChecksumTck implements OnMemory {}

    @Nested
    class OfBackPressure extends BackPressureTck implements OnMemory {}

    @Nested
    class OfInspection extends InspectionTck implements OnMemory {}

    @Nested
    class OfKeptInspection extends InspectionTck implements OnKept {}

    @Nested
    class OfKeptState extends StateTck implements OnKept {}

    @Nested
    class OfStorageFault extends StorageFaultTck {
        @Override
        public TransportFixture newFixture() {
            return StoredFixture.whole();
        }
    }

    @Nested
    class OfRivalWriters extends RivalWritersTck implements OnRivals {}

    @Nested
    class OfRivalReaders extends RivalReadersTck implements OnRivals {}

    @Nested
    class OfRivalChains extends RivalChainsTck implements OnRivals {}

    @Nested
    class OfFailures extends FailuresTck implements OnRivals {}

    @Nested
    class OfProvider extends ProviderTck implements OnMemory {}

    @Nested
    class OfPosition extends PositionTck implements OnMemory {}

    @Nested
    class Starts extends StartTck implements OnMemory {}

    @Nested
    class OfRecovery extends RecoveryTck implements OnMemory {}

    @Nested
    class OfIdentity extends IdentityTck implements OnMemory {}

    @Nested
    class OfTopic extends TopicTck implements OnMemory {}

    @Nested
    class OfTwoThread extends TwoThreadTck implements OnMemory {}

    @Nested
    class OfInterrupt extends InterruptTck implements OnMemory {}

    @Nested
    class OfLifecycle extends LifecycleTck implements OnMemory {}

    @Nested
    class OfOpening extends OpeningTck implements OnMemory {}

    @Nested
    class OfHotPathAllocation extends HotPathAllocationTck implements OnMemory {}

    @Nested
    class OfState extends StateTck implements OnMemory {}

    @Nested
    class OfEdge extends EdgeTck implements OnMemory {}

    @Nested
    class OfChainEdges extends ChainEdgesTck implements OnMemory {}

    @Nested
    class OfChain extends ChainTck implements OnMemory {}

    @Nested
    class OfPartitions extends PartitionsTck implements OnMemory {}

    @Nested
    class OfSlowConsumer extends SlowConsumerTck implements OnMemory {}

    @Nested
    class OfMessage extends MessageTck implements OnMemory {}

    @Nested
    class OfInlet extends InletTck implements OnMemory {}

    @Nested
    class OfRequests extends RequestsTck implements OnMemory {}

    @Nested
    class OfForgetConsumer extends ForgetConsumerTck implements OnMemory {}

    @Nested
    class OfComposition extends CompositionTck implements OnMemory {}

    @Nested
    class OfNetworkFault extends NetworkFaultTck implements OnNetwork {}

    @Nested
    class OfStalledServer extends StalledServerTck implements OnNetwork {}

    @Nested
    class OfRetention extends RetentionTck implements OnNetwork {}

    @Nested
    class OfWait extends WaitTck implements OnNetwork {}

    @Nested
    class OfWaitInOneProcess extends WaitTck implements OnMemory {}

    @Nested
    class OfNetworkOrder extends OrderTck implements OnNetwork {}

    @Nested
    class OfNetworkConsumption extends ConsumptionTck implements OnNetwork {}

    @Nested
    class OfNetworkClaim extends ClaimTck implements OnNetwork {}

    @Nested
    class OfNetworkConfinement extends ConfinementTck implements OnNetwork {}

    @Nested
    class OfNetworkBatch extends BatchTck implements OnNetwork {}

    @Nested
    class OfNetworkBackPressure extends BackPressureTck implements OnNetwork {}

    @Nested
    class OfNetworkInspection extends InspectionTck implements OnNetwork {}

    @Nested
    class OfNetworkPosition extends PositionTck implements OnNetwork {}

    @Nested
    class OfNetworkRecovery extends RecoveryTck implements OnNetwork {}

    @Nested
    class OfNetworkIdentity extends IdentityTck implements OnNetwork {}

    @Nested
    class OfNetworkTopic extends TopicTck implements OnNetwork {}

    @Nested
    class OfNetworkTwoThread extends TwoThreadTck implements OnNetwork {}

    @Nested
    class OfNetworkLifecycle extends LifecycleTck implements OnNetwork {}

    @Nested
    class OfNetworkOpening extends OpeningTck implements OnNetwork {}

    @Nested
    class OfNetworkForgetConsumer extends ForgetConsumerTck implements OnNetwork {}

    @Nested
    class OfNetworkStart extends StartTck implements OnNetwork {}

    @Nested
    class OfTrimmedRivalWriters extends RivalWritersTck implements OnTrimmedRivals {}

    @Nested
    class OfTrimmedRivalReaders extends RivalReadersTck implements OnTrimmedRivals {}
}
