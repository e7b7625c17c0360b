package dev.baton.aeron;

import dev.baton.tck.BackPressureTck;
import dev.baton.tck.BatchTck;
import dev.baton.tck.FixtureSource;
import dev.baton.tck.IdentityTck;
import dev.baton.tck.OrderTck;
import dev.baton.tck.PositionTck;
import dev.baton.tck.RecoveryTck;
import dev.baton.tck.StartTck;
import dev.baton.tck.TransportFixture;
import dev.baton.tck.TwoThreadTck;
import dev.baton.tck.WaitTck;
import dev.baton.tck.admin.ForgetConsumerTck;
import dev.baton.tck.admin.InspectionTck;
import dev.baton.tck.admin.TopicTck;
import dev.baton.tck.chain.SlowConsumerTck;
import dev.baton.tck.lifecycle.InterruptTck;
import dev.baton.tck.lifecycle.LifecycleTck;
import dev.baton.tck.lifecycle.OpeningTck;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The contract over the Archive's channels of UDP, as another host has it: control, recording and replay cross the loopback. */
@Tag("long")
class ArchiveUdpTckTest {
    interface OnUdp extends FixtureSource {
        @Override
        default TransportFixture newFixture() {
            return new ArchiveFixture(
                    TestArchive.options()
                            .with(ArchiveOptions.ARCHIVE, TestArchive.shared().address()),
                    false);
        }
    }

    @Nested
    class Order extends OrderTck implements OnUdp {}

    @Nested
    class Batches extends BatchTck implements OnUdp {}

    @Nested
    class BackPressure extends BackPressureTck implements OnUdp {}

    @Nested
    class Positions extends PositionTck implements OnUdp {}

    @Nested
    class Starts extends StartTck implements OnUdp {}

    @Nested
    class Recovery extends RecoveryTck implements OnUdp {}

    @Nested
    class Identities extends IdentityTck implements OnUdp {}

    @Nested
    class Inspection extends InspectionTck implements OnUdp {}

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
    class Waits extends WaitTck implements OnUdp {}

    @Nested
    class SlowConsumers extends SlowConsumerTck implements OnUdp {}

    @Nested
    class ForgottenConsumers extends ForgetConsumerTck implements OnUdp {}
}
