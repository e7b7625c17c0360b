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
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The contract over an Archive with a standby. */
@Tag("long")
class StandbyTckTest {
    /** Also the liveness of clients: on a busy host, a start gives the test's own connection no turn for seconds. */
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private static StandbyPair pair;

    @BeforeAll
    static void start() {
        pair = StandbyPair.start(TIMEOUT);
    }

    @AfterAll
    static void stop() {
        pair.close();
    }

    interface OnPair extends FixtureSource {
        @Override
        default TransportFixture newFixture() {
            return new ArchiveFixture(pair.options().with(ArchiveOptions.TIMEOUT, TIMEOUT), false) {
                @Override
                public Duration longestWait() {
                    return Duration.ofSeconds(
                            40); // drivers keep the logs of a closed image for up to 15 s, more on a busy host
                }
            };
        }
    }

    @Nested
    class Order extends OrderTck implements OnPair {}

    @Nested
    class Batches extends BatchTck implements OnPair {}

    @Nested
    class BackPressure extends BackPressureTck implements OnPair {}

    @Nested
    class Positions extends PositionTck implements OnPair {}

    @Nested
    class Starts extends StartTck implements OnPair {}

    @Nested
    class Recovery extends RecoveryTck implements OnPair {}

    @Nested
    class Identities extends IdentityTck implements OnPair {}

    @Nested
    class Inspection extends InspectionTck implements OnPair {}

    @Nested
    class Topics extends TopicTck implements OnPair {}

    @Nested
    class TwoThreads extends TwoThreadTck implements OnPair {}

    @Nested
    class Interrupts extends InterruptTck implements OnPair {}

    @Nested
    class Lifecycle extends LifecycleTck implements OnPair {}

    @Nested
    class Openings extends OpeningTck implements OnPair {}

    @Nested
    class Waits extends WaitTck implements OnPair {}

    @Nested
    class SlowConsumers extends SlowConsumerTck implements OnPair {}

    @Nested
    class ForgottenConsumers extends ForgetConsumerTck implements OnPair {}
}
