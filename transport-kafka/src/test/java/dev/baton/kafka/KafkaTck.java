package dev.baton.kafka;

import dev.baton.tck.BackPressureTck;
import dev.baton.tck.BatchTck;
import dev.baton.tck.ChecksumTck;
import dev.baton.tck.ClaimTck;
import dev.baton.tck.ConsumptionTck;
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
import dev.baton.tck.admin.InspectionTck;
import dev.baton.tck.admin.ProviderTck;
import dev.baton.tck.admin.RetentionTck;
import dev.baton.tck.admin.TopicTck;
import dev.baton.tck.chain.ChainEdgesTck;
import dev.baton.tck.chain.ChainTck;
import dev.baton.tck.chain.CompositionTck;
import dev.baton.tck.chain.EdgeTck;
import dev.baton.tck.chain.InletTck;
import dev.baton.tck.chain.PartitionsTck;
import dev.baton.tck.chain.RequestsTck;
import dev.baton.tck.chain.SlowConsumerTck;
import dev.baton.tck.chain.StateTck;
import dev.baton.tck.fencing.FailuresTck;
import dev.baton.tck.fencing.RivalChainsTck;
import dev.baton.tck.fencing.RivalReadersTck;
import dev.baton.tck.fencing.RivalWritersTck;
import dev.baton.tck.group.GroupTck;
import dev.baton.tck.lifecycle.ConfinementTck;
import dev.baton.tck.lifecycle.InterruptTck;
import dev.baton.tck.lifecycle.LifecycleTck;
import dev.baton.tck.lifecycle.OpeningTck;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The contract of all transports over the shared broker, as far as it depends on how frames are written. Stateless. */
@Tag("slow")
abstract class KafkaTck {
    /** For one test, which closes it. */
    abstract KafkaFixture newKafka();

    @Nested
    class Order extends OrderTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class Consumption extends ConsumptionTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class Claims extends ClaimTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class Confinement extends ConfinementTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class Batches extends BatchTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class Payloads extends PayloadTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class Headers extends HeaderTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class Checksums extends ChecksumTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class BackPressure extends BackPressureTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class Inspection extends InspectionTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class Positions extends PositionTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class Starts extends StartTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class Identities extends IdentityTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class State extends StateTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class Edges extends EdgeTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class Recovery extends RecoveryTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class RivalWriters extends RivalWritersTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class RivalReaders extends RivalReadersTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class RivalChains extends RivalChainsTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class Failures extends FailuresTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class Topics extends TopicTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class TwoThreads extends TwoThreadTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class Openings extends OpeningTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class Interrupts extends InterruptTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class Lifecycle extends LifecycleTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class HotPathAllocation extends HotPathAllocationTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class Provider extends ProviderTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class PartitionsOfAChain extends PartitionsTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    /** The load comes from a process whose partitions never move: only the members, which move, store in transactions. */
    @Nested
    @Tag("long")
    class Groups extends GroupTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka().withPlainFirst();
        }
    }

    @Nested
    class Chains extends ChainTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class ChainEdges extends ChainEdgesTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class SlowConsumers extends SlowConsumerTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class Inlets extends InletTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class Requests extends RequestsTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class Compositions extends CompositionTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class Waits extends WaitTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class Retention extends RetentionTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }
}
