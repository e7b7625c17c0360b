package dev.baton.test;

import dev.baton.spi.Transport;
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
import dev.baton.tck.chain.WholeChainTck;
import dev.baton.tck.fencing.FailuresTck;
import dev.baton.tck.fencing.RivalChainsTck;
import dev.baton.tck.fencing.RivalReadersTck;
import dev.baton.tck.fencing.RivalWritersTck;
import dev.baton.tck.lifecycle.ConfinementTck;
import dev.baton.tck.lifecycle.InterruptTck;
import dev.baton.tck.lifecycle.LifecycleTck;
import dev.baton.tck.lifecycle.OpeningTck;
import java.util.OptionalInt;
import org.junit.jupiter.api.Nested;

/** The contract of all transports, kept by the one of the kit; without a provider, as no deployment names it. */
class MemoryTransportTckTest {
    /** The storage of one test. */
    private static final class MemoryFixture implements TransportFixture {
        private final MemoryTransport first = MemoryTransport.create(100);

        @Override
        public Transport open() {
            return first;
        }

        @Override
        public Transport reopen() {
            return first.reopen();
        }

        @Override
        public Transport openAnother() {
            return first.reopen();
        }

        @Override
        public OptionalInt backlog() {
            return OptionalInt.empty();
        }

        @Override
        public int manyFrames() {
            return 20_000;
        }

        @Override
        public void close() {
            // nothing is stored
        }
    }

    interface InMemory extends FixtureSource {
        @Override
        default TransportFixture newFixture() {
            return new MemoryFixture();
        }
    }

    @Nested
    class OfOrder extends OrderTck implements InMemory {}

    @Nested
    class OfConsumption extends ConsumptionTck implements InMemory {}

    @Nested
    class OfClaim extends ClaimTck implements InMemory {}

    @Nested
    class OfConfinement extends ConfinementTck implements InMemory {}

    @Nested
    class OfBatch extends BatchTck implements InMemory {}

    @Nested
    class OfPayload extends PayloadTck implements InMemory {}

    @Nested
    class OfHeader extends HeaderTck implements InMemory {}

    @Nested
    class OfChecksum extends ChecksumTck implements InMemory {}

    @Nested
    class OfBackPressure extends BackPressureTck implements InMemory {}

    @Nested
    class OfInspection extends InspectionTck implements InMemory {}

    @Nested
    class OfPosition extends PositionTck implements InMemory {}

    @Nested
    class Starts extends StartTck implements InMemory {}

    @Nested
    class OfRecovery extends RecoveryTck implements InMemory {}

    @Nested
    class OfIdentity extends IdentityTck implements InMemory {}

    @Nested
    class OfTopic extends TopicTck implements InMemory {}

    @Nested
    class OfTwoThread extends TwoThreadTck implements InMemory {}

    @Nested
    class OfInterrupt extends InterruptTck implements InMemory {}

    @Nested
    class OfLifecycle extends LifecycleTck implements InMemory {}

    @Nested
    class OfOpening extends OpeningTck implements InMemory {}

    @Nested
    class OfHotPathAllocation extends HotPathAllocationTck implements InMemory {}

    @Nested
    class OfState extends StateTck implements InMemory {}

    @Nested
    class Waits extends WaitTck implements InMemory {}

    @Nested
    class OfEdge extends EdgeTck implements InMemory {}

    @Nested
    class OfChainEdges extends ChainEdgesTck implements InMemory {}

    @Nested
    class OfChain extends ChainTck implements InMemory {}

    @Nested
    class OfPartitions extends PartitionsTck implements InMemory {}

    @Nested
    class OfSlowConsumer extends SlowConsumerTck implements InMemory {}

    @Nested
    class OfMessage extends MessageTck implements InMemory {}

    @Nested
    class OfInlet extends InletTck implements InMemory {}

    @Nested
    class OfRequests extends RequestsTck implements InMemory {}

    @Nested
    class OfRivalReaders extends RivalReadersTck implements InMemory {}

    @Nested
    class OfRivalWriters extends RivalWritersTck implements InMemory {}

    @Nested
    class OfRivalChains extends RivalChainsTck implements InMemory {}

    @Nested
    class OfFailures extends FailuresTck implements InMemory {}

    @Nested
    class OfComposition extends CompositionTck implements InMemory {}

    @Nested
    class OfForgetConsumer extends ForgetConsumerTck implements InMemory {}

    @Nested
    class OfWholeChain extends WholeChainTck implements InMemory {}
}
