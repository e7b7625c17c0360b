package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The logical time of a service ({@link ServiceContext#time}). */
class LogicalTimeTest {
    private final HostileTransport transport = new HostileTransport();
    private final Loops loops = Loops.manual();
    private final List<Long> ofInputs = new ArrayList<>();
    private final List<Long> sent = new ArrayList<>();
    private final List<Long> ofTicks = new ArrayList<>();
    private final List<Long> between = new ArrayList<>(); // of the calls that have no input and no tick
    private boolean isTicking = true;

    /** A service that reads the time wherever it can. */
    private final class Reading implements TickingService {
        private ServiceContext context;

        @Override
        public void onStart(ServiceContext given) {
            context = given;
            between.add(context.time());
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            ofInputs.add(context.time());
            sent.add(in.sentNanos());
        }

        @Override
        public int onTick(Outlet out) {
            if (isTicking) {
                ofTicks.add(context.time());
            }
            return 0;
        }

        @Override
        public long deadlineNanos() {
            between.add(context.time());
            return Long.MAX_VALUE;
        }

        @Override
        public void onClosed() {
            between.add(context.time());
        }
    }

    @AfterEach
    void close() {
        loops.close();
    }

    private void run() {
        RunningChain running = Chain.named("c")
                .then("s1", Reading::new)
                .build()
                .on(transport)
                .with(loops)
                .batch(1)
                .start();
        for (int i = 0; i < 5; i++) {
            running.inlet().send(new byte[1]);
        }
        for (int i = 0; i < 5; i++) {
            loops.turn();
        }
        running.close();
        assertThat(ofInputs).hasSize(5);
    }

    @Test
    void ticksLeaveTheTimeOfInputsAsItIs() {
        run();
        assertThat(ofTicks).isNotEmpty();
        for (int i = 0; i < 5; i++) {
            assertThat(ofInputs.get(i) - ofInputs.get(0)).isEqualTo(sent.get(i) - sent.get(0));
        }
    }

    @Test
    void ticksNeverPrecedeInputsOrOtherTicks() {
        run();
        assertThat(ofTicks).isSorted();
        assertThat(ofTicks.get(ofTicks.size() - 1)).isGreaterThanOrEqualTo(ofInputs.get(4));
    }

    @Test
    void otherCallsReadTheNewestTime() {
        isTicking = false;
        run();
        assertThat(between.get(0)).isEqualTo(Long.MIN_VALUE);
        assertThat(between).isSorted().last().isEqualTo(ofInputs.get(4));
    }
}
