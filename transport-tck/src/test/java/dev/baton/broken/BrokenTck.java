package dev.baton.broken;

import dev.baton.broken.defects.PlantedDefect;
import dev.baton.broken.heap.HeapProvider;
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
import java.time.Duration;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The classes of the contract over the transport in the heap with the defect that the thread has planted; run by {@link
 * ContractRun}. Thread-safe.
 */
final class BrokenTck {
    private static final ThreadLocal<Supplier<TransportFixture>> PLANTED = new ThreadLocal<>();

    private BrokenTck() {}

    /** Plants a defect for the tests that the calling thread runs. */
    static void plant(PlantedDefect defect, Duration longestWait) {
        PLANTED.set(() -> defect.fixture().apply(longestWait));
        HeapProvider.plant(defect.provider());
    }

    /** The class that runs a class of the contract. */
    static Class<?> running(Class<?> theme) {
        return Stream.of(BrokenTck.class.getDeclaredClasses())
                .filter(candidate -> candidate.getSuperclass() == theme)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no class here runs " + theme.getSimpleName()));
    }

    @ExtendWith(StopOnceCaught.class)
    interface OnBroken extends FixtureSource {
        @Override
        default TransportFixture newFixture() {
            return PLANTED.get().get();
        }
    }

    static class OfOrder extends OrderTck implements OnBroken {}

    static class OfConsumption extends ConsumptionTck implements OnBroken {}

    static class OfClaim extends ClaimTck implements OnBroken {}

    static class OfConfinement extends ConfinementTck implements OnBroken {}

    static class OfBatch extends BatchTck implements OnBroken {}

    static class OfPayload extends PayloadTck implements OnBroken {}

    static class OfHeader extends HeaderTck implements OnBroken {}

    static class OfBackPressure extends BackPressureTck implements OnBroken {}

    static class OfPosition extends PositionTck implements OnBroken {}

    static class OfStart extends StartTck implements OnBroken {}

    static class OfRecovery extends RecoveryTck implements OnBroken {}

    static class OfIdentity extends IdentityTck implements OnBroken {}

    static class OfTopic extends TopicTck implements OnBroken {}

    static class OfTwoThread extends TwoThreadTck implements OnBroken {}

    static class OfInterrupt extends InterruptTck implements OnBroken {}

    static class OfLifecycle extends LifecycleTck implements OnBroken {}

    static class OfOpening extends OpeningTck implements OnBroken {}

    static class OfChain extends ChainTck implements OnBroken {}

    static class OfEdge extends EdgeTck implements OnBroken {}

    static class OfPartitions extends PartitionsTck implements OnBroken {}

    static class OfChecksum extends ChecksumTck implements OnBroken {}

    static class OfInspection extends InspectionTck implements OnBroken {}

    static class OfProvider extends ProviderTck implements OnBroken {}

    static class OfHotPathAllocation extends HotPathAllocationTck implements OnBroken {}

    static class OfForgetConsumer extends ForgetConsumerTck implements OnBroken {}

    static class OfComposition extends CompositionTck implements OnBroken {}

    static class OfChainEdges extends ChainEdgesTck implements OnBroken {}

    static class OfInlet extends InletTck implements OnBroken {}

    static class OfRequests extends RequestsTck implements OnBroken {}

    static class OfSlowConsumer extends SlowConsumerTck implements OnBroken {}

    static class OfMessage extends MessageTck implements OnBroken {}

    static class OfState extends StateTck implements OnBroken {}

    static class OfNetworkFault extends NetworkFaultTck implements OnBroken {}

    static class OfStalledServer extends StalledServerTck implements OnBroken {}

    static class OfRetention extends RetentionTck implements OnBroken {}

    static class OfStorageFault extends StorageFaultTck implements OnBroken {}

    static class OfWait extends WaitTck implements OnBroken {}

    static class OfRivalWriters extends RivalWritersTck implements OnBroken {}

    static class OfRivalReaders extends RivalReadersTck implements OnBroken {}

    static class OfRivalChains extends RivalChainsTck implements OnBroken {}

    static class OfFailures extends FailuresTck implements OnBroken {}
}
