package dev.baton.engine.snapshots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Chain;
import dev.baton.ChainListener;
import dev.baton.Claim;
import dev.baton.Deployment;
import dev.baton.Deployment.ReplacedInput;
import dev.baton.ErrorPolicy;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.RunningChain;
import dev.baton.StatefulService;
import dev.baton.TickingService;
import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import dev.baton.state.SnapshotInput;
import dev.baton.state.SnapshotOutput;
import dev.baton.state.SnapshotPolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a service with state shares its loop, what its listener is told, and what a build that differs does. */
class StatefulPartTest {
    private final HostileTransport transport = new HostileTransport();
    private final List<Long> received = new ArrayList<>();
    private final List<String> events = new ArrayList<>();
    private boolean isEndless; // the saving of a state
    private int outputs = 2;
    private boolean holds;
    private boolean isAtomic;
    private long failsAt; // once; behind the addition, or before it where it is atomic
    private ErrorPolicy errors = ErrorPolicy.stop();
    private SnapshotPolicy policy = SnapshotPolicy.standard().orInputs(2);

    /** The sum of all inputs, sent once or several times. */
    private final class Sum implements StatefulService {
        private long sum;

        @Override
        public boolean holdsInputs() {
            return holds;
        }

        @Override
        public boolean isFailureAtomic() {
            return isAtomic;
        }

        @Override
        public int maxOutputs() {
            return 2;
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            if (isAtomic) {
                failAt(in.getLong(0));
            }
            sum += in.getLong(0);
            failAt(in.getLong(0));
            for (int i = 0; i < outputs; i++) {
                out.claim(8).putLong(0, sum).commit(8);
            }
        }

        private void failAt(long value) {
            if (value == failsAt) {
                failsAt = 0;
                throw new IllegalStateException("half done");
            }
        }

        @Override
        public int snapshotVersion() {
            return 0;
        }

        @Override
        public boolean saveState(SnapshotOutput out) {
            events.add("slice");
            if (isEndless) {
                return false;
            }
            out.putLong(sum);
            return true;
        }

        @Override
        public void restoreState(SnapshotInput in, int version) {
            while (in.remaining() > 0) {
                sum = in.getLong();
            }
        }
    }

    private final ChainListener listener = new ChainListener() {
        @Override
        public void onSnapshotBegun(String service, long input) {
            events.add("begun " + service + " " + input);
        }

        @Override
        public void onSnapshot(String service, long input, long bytes, long nanos) {
            assertThat(nanos).isPositive();
            events.add("whole " + service + " " + input + " " + bytes);
        }

        @Override
        public void onRestored(String service, long input, long nanos) {
            events.add("restored " + service + " " + input);
        }
    };

    @Test
    void listenerIsNotifiedOfSnapshotsAndRestores() {
        run(1, 2);
        assertThat(events).containsExactly("restored s1 0", "begun s1 2", "slice", "whole s1 2 8");
        events.clear();
        run(3, 3);
        assertThat(events).containsExactly("restored s1 2", "begun s1 3", "slice", "whole s1 3 8");
    }

    @Test
    void otherChainsContinueWhileStateIsSaved() {
        isEndless = true;
        policy = policy.orInputs(1);
        HostileTransport others = new HostileTransport();
        try (Loops loops = Loops.manual();
                RunningChain saving = chain(loops).start();
                RunningChain other = Chain.named("other")
                        .then("s1", () -> (in, out) -> out.forward(in))
                        .build()
                        .on(others)
                        .with(loops)
                        .onOutput(in -> events.add("other"))
                        .start()) {
            saving.inlet().send(bytes(1));
            while (!events.contains("slice")) {
                loops.turn();
            }
            other.inlet().send(bytes(1));
            while (!events.contains("other")) {
                loops.turn();
            }
            assertThat(saving.status().parts().get(0).snapshots().isSaving()).isTrue();
            isEndless = false;
        }
    }

    @Test
    void buildSendingLessOnRedeliveryIsNotSilenced() {
        policy = SnapshotPolicy.every(Duration.ofHours(1));
        try (Loops loops = Loops.manual();
                RunningChain running = chain(loops).start()) {
            send(running, loops, 1, 3);
            loops.turn();
            loops.turn();
            running.close(Duration.ZERO); // without a last snapshot
        }
        assertThat(transport.frames("c-1")).hasSize(6);
        outputs = 1;
        run(4, 5);
        assertThat(received).containsExactly(1L, 1L, 3L, 3L, 6L, 6L, 10L, 15L);
    }

    /** Handles inputs 1 to 3. */
    private void runWithoutSnapshot() {
        policy = SnapshotPolicy.every(Duration.ofHours(1));
        try (Loops loops = Loops.manual();
                RunningChain running = chain(loops).start()) {
            send(running, loops, 1, 3);
            loops.turn();
            loops.turn();
            running.close(Duration.ZERO);
        }
    }

    /** Writes inputs 4 to 6 as another writer, and handles what the topic then holds. */
    private void handleRewritten() {
        transport.write("c-0", 4, 6);
        received.clear();
        try (Loops loops = Loops.manual();
                RunningChain running =
                        chain(loops).replacedInput(ReplacedInput.HANDLE_ALL).start()) {
            for (int i = 0; i < 6; i++) {
                loops.turn();
            }
            assertThat(running.failure()).isEmpty();
        }
    }

    @Test
    void rewrittenInputIsHandledWithoutSnapshot() {
        runWithoutSnapshot();
        transport.topic("c-0").frames.clear();
        handleRewritten();
        assertThat(received).endsWith(4L, 4L, 9L, 9L, 15L, 15L);
    }

    @Test
    void rewrittenInputWithSomeStoredOutputsIsHandled() {
        runWithoutSnapshot();
        transport.topic("c-1").stored = 5; // the second output of input 3 was lost
        transport.crash();
        transport.topic("c-1").acknowledged.put("sink", 5L);
        transport.topic("c-0").frames.remove(2); // restored from a copy of two frames, and written further
        handleRewritten();
        assertThat(received).endsWith(7L, 7L, 12L, 12L, 18L, 18L);
    }

    @Test
    void stateThatIsTooLongStopsChain() {
        policy = policy.atMost(7);
        try (Loops loops = Loops.manual();
                RunningChain running = chain(loops).start()) {
            send(running, loops, 1, 2);
            for (int i = 0; i < 5; i++) {
                loops.turn();
            }
            assertThat(running.failure().orElseThrow()).hasMessageContaining("more than 7 bytes");
        }
    }

    @Test
    void continuingPoliciesRequireAtomicFailures() {
        for (ErrorPolicy each : List.of(
                ErrorPolicy.retry(1),
                ErrorPolicy.deadLetter(),
                ErrorPolicy.skipTo((service, in, attempts, cause) -> {}),
                ErrorPolicy.stop().on(IOException.class, ErrorPolicy.retry(1)))) {
            errors = each;
            isAtomic = false;
            assertThatThrownBy(() -> run(1, 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("service s1 has a state")
                    .hasMessageContaining("return true from Service.isFailureAtomic");
            isAtomic = true;
            try (Loops loops = Loops.manual();
                    RunningChain running = chain(loops).start()) {
                assertThat(running.failure()).isEmpty();
            }
        }
        assertThat(transport.openConnections).isZero();
    }

    @Test
    void halfDoneMessageCountsOnceAfterARestart() {
        outputs = 1;
        failsAt = 2;
        try (Loops loops = Loops.manual();
                RunningChain running = chain(loops).start()) {
            send(running, loops, 1, 3);
            while (running.failure().isEmpty()) {
                loops.turn();
            }
            assertThat(running.failure().orElseThrow())
                    .hasMessageContaining("at message 2")
                    .hasMessageContaining("half done");
        }
        run(4, 4);
        assertThat(received).containsExactly(1L, 3L, 6L, 10L);
    }

    @Test
    void atomicFailuresAreRetriedWithTheSameState() {
        outputs = 1;
        failsAt = 2;
        isAtomic = true;
        errors = ErrorPolicy.retry(1);
        run(1, 3);
        assertThat(received).containsExactly(1L, 3L, 6L);
    }

    @Test
    void interceptedServicesKeepTheirDeclaration() {
        isAtomic = true;
        errors = ErrorPolicy.retry(1);
        try (Loops loops = Loops.manual();
                RunningChain running =
                        chain(loops).around((context, next) -> next).start()) {
            assertThat(running.failure()).isEmpty();
        }
    }

    @Test
    void snapshotTopicIsOpenedBeforeOtherTopics() {
        try (Loops loops = Loops.manual();
                RunningChain running = chain(loops).start()) {
            assertThat(running.failure()).isEmpty();
        }
        assertThat(transport.opened)
                .containsSequence("writer c-0.snapshots", "reader c-0.snapshots", "writer c-1", "reader c-0");
    }

    @Test
    void serviceThatAlsoHoldsInputsIsRefused() {
        holds = true;
        assertThatThrownBy(() -> run(1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("holdsInputs");
    }

    /** A state of the number of ticks, which is sent in each. */
    private static final class Ticks implements StatefulService, TickingService {
        private long count;

        @Override
        public void onMessage(Message in, Outlet out) {}

        @Override
        public int onTick(Outlet out) {
            if (out.remainingCapacity() == 0) {
                return 0;
            }
            out.claim(8).putLong(0, ++count).commit(8);
            return 1;
        }

        @Override
        public int snapshotVersion() {
            return 0;
        }

        @Override
        public boolean saveState(SnapshotOutput out) {
            out.putLong(count);
            return true;
        }

        @Override
        public void restoreState(SnapshotInput in, int version) {
            count = in.getLong();
        }
    }

    @Test
    void snapshotsBeforeFirstInputAcknowledgeNone() {
        transport.firstPosition = 0;
        try (Loops loops = Loops.manual();
                RunningChain running = Chain.named("c")
                        .then("s1", Ticks::new)
                        .build()
                        .on(transport)
                        .with(loops)
                        .snapshots(SnapshotPolicy.every(Duration.ZERO))
                        .listen(listener)
                        .onFailure(failure -> {})
                        .onOutput(in -> received.add(in.getLong(0)))
                        .start()) {
            for (int i = 0; i < 20; i++) {
                loops.turn();
            }
            assertThat(events).contains("whole s1 0 8");
            assertThat(running.failure()).isEmpty();
        }
    }

    private Deployment chain(Loops loops) {
        return Chain.named("c")
                .then("s1", Sum::new)
                .build()
                .on(transport)
                .with(loops)
                .snapshots(policy)
                .onError(errors)
                .listen(listener)
                .onFailure(failure -> {})
                .onOutput(in -> received.add(in.getLong(0)));
    }

    private void run(long from, long to) {
        try (Loops loops = Loops.manual();
                RunningChain running = chain(loops).start()) {
            send(running, loops, from, to);
            assertThat(running.close(Duration.ofSeconds(5)))
                    .as(running.failure().toString())
                    .isTrue();
        }
    }

    private static byte[] bytes(long value) {
        byte[] payload = new byte[8];
        payload[0] = (byte) value;
        return payload;
    }

    private static void send(RunningChain running, Loops loops, long from, long to) {
        for (long value = from; value <= to; value++) {
            Claim claim = running.inlet().tryClaim(8);
            while (claim == null) {
                loops.turn();
                claim = running.inlet().tryClaim(8);
            }
            claim.putLong(0, value).commit(8);
        }
    }
}
