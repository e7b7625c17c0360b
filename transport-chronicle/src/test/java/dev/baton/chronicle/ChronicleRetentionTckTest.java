package dev.baton.chronicle;

import dev.baton.tck.BackPressureTck;
import dev.baton.tck.BatchTck;
import dev.baton.tck.ClaimTck;
import dev.baton.tck.ConsumptionTck;
import dev.baton.tck.FixtureSource;
import dev.baton.tck.HeaderTck;
import dev.baton.tck.OrderTck;
import dev.baton.tck.PayloadTck;
import dev.baton.tck.PositionTck;
import dev.baton.tck.RecoveryTck;
import dev.baton.tck.StartTck;
import dev.baton.tck.TransportFixture;
import dev.baton.tck.TwoThreadTck;
import dev.baton.tck.admin.ForgetConsumerTck;
import dev.baton.tck.admin.InspectionTck;
import dev.baton.tck.admin.TopicTck;
import dev.baton.tck.chain.ChainTck;
import dev.baton.tck.chain.CompositionTck;
import dev.baton.tck.lifecycle.ConfinementTck;
import dev.baton.tck.lifecycle.InterruptTck;
import dev.baton.tck.lifecycle.LifecycleTck;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The contract, also while the space of what has been read is given back. */
@Tag("long")
class ChronicleRetentionTckTest {
    interface OnFreeing extends FixtureSource {
        @Override
        default TransportFixture newFixture() {
            return ChronicleFixture.thatFrees();
        }
    }

    /** For themes that measure allocation, as in {@link ChronicleTransportTckTest}. */
    interface OnFreeingLargeBlocks extends FixtureSource {
        @Override
        default TransportFixture newFixture() {
            return ChronicleFixture.thatFreesWithLargeBlocks();
        }
    }

    @Nested
    class Order extends OrderTck implements OnFreeing {}

    @Nested
    class Consumption extends ConsumptionTck implements OnFreeing {}

    @Nested
    class Claims extends ClaimTck implements OnFreeing {}

    @Nested
    class Confinement extends ConfinementTck implements OnFreeing {}

    @Nested
    class Batches extends BatchTck implements OnFreeing {}

    @Nested
    class Payloads extends PayloadTck implements OnFreeing {}

    @Nested
    class Headers extends HeaderTck implements OnFreeing {}

    @Nested
    class BackPressure extends BackPressureTck implements OnFreeing {}

    @Nested
    class Inspection extends InspectionTck implements OnFreeing {}

    @Nested
    class Positions extends PositionTck implements OnFreeing {}

    @Nested
    class Starts extends StartTck implements OnFreeing {}

    @Nested
    class Recovery extends RecoveryTck implements OnFreeing {}

    @Nested
    class Topics extends TopicTck implements OnFreeing {}

    @Nested
    class TwoThreads extends TwoThreadTck implements OnFreeing {}

    @Nested
    class Interrupts extends InterruptTck implements OnFreeing {}

    @Nested
    class Lifecycle extends LifecycleTck implements OnFreeing {}

    @Nested
    class Chains extends ChainTck implements OnFreeingLargeBlocks {}

    @Nested
    class ForgottenConsumers extends ForgetConsumerTck implements OnFreeing {}

    @Nested
    class Compositions extends CompositionTck implements OnFreeingLargeBlocks {}
}
