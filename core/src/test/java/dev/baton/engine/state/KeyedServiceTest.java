package dev.baton.engine.state;

import static dev.baton.engine.state.KeyedStatesTest.NUMBERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Chain;
import dev.baton.Claim;
import dev.baton.Concurrency;
import dev.baton.ConfigurationException;
import dev.baton.Deployment;
import dev.baton.ErrorPolicy;
import dev.baton.KeyedService;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.RunningChain;
import dev.baton.Service;
import dev.baton.ServiceContext;
import dev.baton.StatefulService;
import dev.baton.ValueCodec;
import dev.baton.fixtures.HostileTransport;
import dev.baton.fixtures.LogRecorder;
import dev.baton.manage.SavedState;
import dev.baton.run.Loops;
import dev.baton.spi.Frame;
import dev.baton.spi.errors.TopicMismatchException;
import dev.baton.state.KeyedState;
import dev.baton.state.SnapshotInput;
import dev.baton.state.SnapshotOutput;
import dev.baton.state.SnapshotPolicy;
import dev.baton.status.PartStatus.SnapshotStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Services with keyed state over a transport that survives them: snapshots of changes, crashes, damage and failures. */
@Timeout(60)
class KeyedServiceTest {
    private static final int CHUNK = 0x5343;
    private static final int END = 0x5345;
    private static final int BYTES = 56; // offset in an end record
    private static final int FOLLOWS = 72; // offset in an end record

    private final HostileTransport transport = new HostileTransport();
    private final List<Long> received = new ArrayList<>();
    private SnapshotPolicy policy = SnapshotPolicy.standard().orInputs(2);
    private ErrorPolicy errors = ErrorPolicy.stop();
    private int keys = 10;
    private int valueBytes = Long.BYTES;
    private int version;
    private long failsAt;
    private long claimsTooMuchAt;
    private boolean isHolding;

    KeyedServiceTest() {
        transport.room = 64;
    }

    /** Numbers with padding. */
    private final class WideNumbers implements ValueCodec<Long> {
        @Override
        public int maxLength(Long value) {
            return valueBytes;
        }

        @Override
        public int encode(Long value, Claim into) {
            into.putLong(0, value);
            return valueBytes;
        }

        @Override
        public Long decode(Message from) {
            return from.getLong(0);
        }
    }

    /** Totals by key, which are sent. */
    private class Totals implements KeyedService {
        KeyedState<Long, Long> totals;

        @Override
        public int keyedStateVersion() {
            return version;
        }

        @Override
        public boolean holdsInputs() {
            return isHolding;
        }

        @Override
        public void onStart(ServiceContext context) {
            totals = context.state("totals", NUMBERS, new WideNumbers());
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            long number = in.getLong(0);
            Long before = totals.get(number % keys);
            long total = number + (before == null ? 0 : before);
            totals.put(number % keys, total);
            if (number == failsAt) {
                throw new IllegalStateException("half done");
            }
            out.claim(number == claimsTooMuchAt ? transport.maxPayload + 1 : 8)
                    .putLong(0, total)
                    .commit(8);
        }
    }

    /** Keyed state and a state of its own. */
    private final class Both extends Totals implements StatefulService {
        @Override
        public int snapshotVersion() {
            return 0;
        }

        @Override
        public boolean saveState(SnapshotOutput out) {
            return true;
        }

        @Override
        public void restoreState(SnapshotInput in, int found) {}
    }

    private Deployment chain(Loops loops) {
        return chain(loops, Totals::new);
    }

    private Deployment chain(Loops loops, Supplier<Service> service) {
        return Chain.named("c")
                .then("s1", service)
                .build()
                .on(transport)
                .with(loops)
                .snapshots(policy)
                .onError(errors)
                .onFailure(failure -> {})
                .onOutput(in -> received.add(in.getLong(0)));
    }

    private void run(long from, long to) {
        try (Loops loops = Loops.manual();
                RunningChain running = chain(loops).start()) {
            for (long value = from; value <= to; value++) {
                send(running, loops, value);
                turn(loops, 20);
            }
            assertThat(running.close(Duration.ofSeconds(5)))
                    .as(running.failure().toString())
                    .isTrue();
        }
    }

    private static void turn(Loops loops, int count) {
        for (int i = 0; i < count; i++) {
            loops.turn();
        }
    }

    private static void send(RunningChain running, Loops loops, long value) {
        Claim claim = running.inlet().tryClaim(8);
        while (claim == null) {
            loops.turn();
            claim = running.inlet().tryClaim(8);
        }
        claim.putLong(0, value).commit(8);
    }

    private List<Long> totals(long from, long to) {
        Map<Long, Long> totals = new HashMap<>();
        List<Long> expected = new ArrayList<>();
        for (long number = 1; number <= to; number++) {
            long total = totals.merge(number % keys, number, Long::sum);
            if (number >= from) {
                expected.add(total);
            }
        }
        return expected;
    }

    /** The sequences of the snapshots that the end records follow, 0 for whole states. */
    private List<Long> follows() {
        return transport.frames("c-0.snapshots").stream()
                .filter(frame -> frame.type() == END)
                .map(frame -> frame.getLong(FOLLOWS))
                .toList();
    }

    @Test
    void savedStateIsThatOfBaseAndChanges() {
        run(1, 40);
        List<Frame> ends = transport.frames("c-0.snapshots").stream()
                .filter(frame -> frame.type() == END)
                .toList();
        int base = follows().lastIndexOf(0L);
        assertThat(base).isLessThan(ends.size() - 1);
        long bytes = ends.stream()
                .skip(base)
                .mapToLong(frame -> frame.getLong(BYTES))
                .sum();
        assertThat(SavedState.newest(transport, "c-0.snapshots", Long.MAX_VALUE))
                .get()
                .extracting(SavedState::bytes)
                .isEqualTo(bytes);
    }

    @Test
    void stateOfBaseAndChangesIsRestored() {
        run(1, 40);
        run(41, 43);
        run(44, 80);
        assertThat(received).isEqualTo(totals(1, 80));
        assertThat(follows()).startsWith(0L).contains(0L, 4L);
        assertThat(follows().stream().filter(each -> each > 0)).hasSizeGreaterThan(20);
    }

    @Test
    void serviceWithoutItsStateWarnsOfTopic() {
        run(1, 4);
        assertThat(warnings(() -> run(5, 8))).isEmpty();

        assertThat(warnings(() -> {
                    try (Loops loops = Loops.manual();
                            RunningChain running = chain(loops, () -> (in, out) -> out.forward(in))
                                    .start()) {
                        assertThat(running.failure()).isEmpty();
                    }
                }))
                .singleElement()
                .asString()
                .contains("service 's1' has no state", "'c-0.snapshots'", "start the build that uses it", "delete");
    }

    private static List<String> warnings(Runnable action) {
        try (LogRecorder log = new LogRecorder()) {
            action.run();
            return log.messages();
        }
    }

    @Test
    void changesExceedingTheirBaseLeadToNewBase() {
        keys = 4;
        run(1, 100);
        List<Long> follows = follows();
        assertThat(follows.stream().filter(each -> each == 0).count()).isBetween(10L, 25L);
        assertThat(follows).hasSizeGreaterThan(48);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void crashesAtAnyStepLoseAndDoubleNothing(long seed) {
        Random random = new Random(seed);
        transport.storesLate = true;
        transport.cutsPollsToOne = random.nextBoolean();
        policy = policy.orInputs(1 + random.nextInt(4));
        keys = 40;
        long sent = 0;
        for (int life = 0; life < 40; life++) {
            try (Loops loops = Loops.manual()) {
                RunningChain running = chain(loops).start();
                for (int step = random.nextInt(60); step > 0; step--) {
                    if (random.nextInt(3) == 0) {
                        Claim claim = running.inlet().tryClaim(8);
                        if (claim != null) {
                            claim.putLong(0, ++sent).commit(8);
                            transport.topic("c-0").stored =
                                    transport.topic("c-0").size(); // an answered sender
                        }
                    }
                    loops.turn();
                    if (random.nextInt(4) == 0) {
                        transport.store();
                    }
                }
                assertThat(running.failure()).isEmpty();
            }
            transport.crash();
        }
        transport.storesLate = false;
        run(sent + 1, sent + 40);
        List<Long> outputs =
                transport.frames("c-1").stream().map(frame -> frame.getLong(0)).toList();
        assertThat(outputs).isEqualTo(totals(1, sent + 40));
        assertThat(follows().stream().filter(each -> each > 0)).isNotEmpty();
    }

    @Test
    void serviceContinuesWhileStateIsWritten() {
        keys = 250;
        valueBytes = 500;
        transport.maxPayload = 100;
        transport.room = 280; // enough for the inputs, and not for the snapshot
        policy = SnapshotPolicy.every(Duration.ofHours(1)).orInputs(250);
        try (Loops loops = Loops.manual()) {
            RunningChain running = chain(loops).start();
            for (long value = 1; value <= 250; value++) {
                send(running, loops, value);
                turn(loops, 2);
            }
            turn(loops, 200);
            assertThat(snapshots(running).isSaving()).isTrue();
            for (long value = 251; value <= 270; value++) {
                send(running, loops, value);
                turn(loops, 2);
            }
            assertThat(received).hasSize(270);
            assertThat(snapshots(running).isSaving()).isTrue();
            transport.room = 2_000;
            turn(loops, 200);
            assertThat(snapshots(running).isSaving()).isFalse();
            assertThat(snapshots(running).input()).isEqualTo(250);
        }
        transport.crash();
        run(271, 300);
        assertThat(received).endsWith(totals(271, 300).toArray(Long[]::new));
    }

    private static SnapshotStatus snapshots(RunningChain running) {
        return running.status().parts().get(0).snapshots();
    }

    @Test
    void damagedNewestChangesAreSkippedForSnapshotBefore() {
        keys = 100;
        run(1, 20);
        damage(1);
        run(21, 22);
        assertThat(received).isEqualTo(totals(1, 22));
    }

    @Test
    void damagedEarlierChangesAreRefused() {
        keys = 100;
        run(1, 20);
        damage(3);
        assertThatThrownBy(() -> run(21, 22))
                .isInstanceOf(TopicMismatchException.class)
                .hasMessageContaining("only a snapshot of those up to 14");
        policy = policy.startEmpty();
        run(121, 122);
        assertThat(received).endsWith(121L, 122L);
        policy = SnapshotPolicy.standard();
        run(221, 221);
        assertThat(received).endsWith(221L + 121L);
    }

    /** Changes a byte of a snapshot, counted from the newest one. */
    private void damage(int fromEnd) {
        List<Frame> frames = transport.frames("c-0.snapshots");
        int ends = 0;
        for (int i = frames.size() - 1; i >= 0; i--) {
            if (frames.get(i).type() == END) {
                ends++;
            } else if (frames.get(i).type() == CHUNK && ends == fromEnd) {
                frames.get(i).putByte(3, (byte) 77);
                return;
            }
        }
    }

    @Test
    void failedCallsLeaveNoChange() {
        errors = ErrorPolicy.deadLetter();
        keys = 1;
        failsAt = 2;
        run(1, 3);
        assertThat(received).containsExactly(1L, 4L);
        failsAt = 0;
        run(4, 4);
        assertThat(received).endsWith(8L);
    }

    /** A claim that is refused in the first run is refused again when its input is redelivered, although outputs are dropped. */
    @Test
    void redeliveryRefusesTheClaimsThatWereRefused() {
        errors = ErrorPolicy.skipTo((service, in, attempts, cause) -> {});
        policy = SnapshotPolicy.standard();
        keys = 1;
        claimsTooMuchAt = 2;
        try (Loops loops = Loops.manual()) {
            RunningChain running = chain(loops).start();
            for (long value = 1; value <= 3; value++) {
                send(running, loops, value);
                turn(loops, 5);
            }
        }
        transport.crash();
        assertThat(outputs()).containsExactly(1L, 4L);
        run(4, 4);
        assertThat(outputs()).containsExactly(1L, 4L, 8L);
    }

    private List<Long> outputs() {
        return transport.frames("c-1").stream().map(frame -> frame.getLong(0)).toList();
    }

    @Test
    void newVersionWritesWholeState() {
        keys = 100;
        run(1, 20);
        int snapshots = follows().size();
        version = 1;
        run(21, 30);
        assertThat(received).isEqualTo(totals(1, 30));
        assertThat(follows().get(snapshots)).isZero();
        assertThat(follows().get(snapshots + 1)).isPositive();
        version = 0;
        assertThatThrownBy(() -> run(31, 31)).hasStackTraceContaining("version 1, which this build of version 0");
    }

    @Test
    void statusShowsWhatRestartReads() {
        keys = 100;
        run(1, 20);
        try (Loops loops = Loops.manual();
                RunningChain running = chain(loops).start()) {
            SnapshotStatus status = snapshots(running);
            assertThat(status.input()).isEqualTo(20);
            assertThat(status.recoveryBytes()).isGreaterThan(status.bytes());
            assertThat(status.restoredInput()).isEqualTo(20);
        }
    }

    @Test
    void stateOfUnkeyedServiceIsRefused() {
        Service plain = new Service() {
            @Override
            public void onStart(ServiceContext context) {
                context.state("totals", NUMBERS, NUMBERS);
            }

            @Override
            public void onMessage(Message in, Outlet out) {}
        };
        try (Loops loops = Loops.manual()) {
            assertThatThrownBy(() -> chain(loops, () -> plain).start())
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("is no KeyedService");
        }
    }

    @Test
    void twoKindsOfStateAreRefused() {
        try (Loops loops = Loops.manual()) {
            assertThatThrownBy(() -> chain(loops, Both::new).start())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("use one of them");
        }
    }

    @Test
    void keyedServiceWithConcurrencyIsRefused() {
        Chain concurrent =
                Chain.named("c").then("s1", Totals::new, Concurrency.perKey(4)).build();
        try (Loops loops = Loops.manual()) {
            assertThatThrownBy(() -> concurrent.on(transport).with(loops).start())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("has a state");
        }
    }

    @Test
    void keyedServiceThatHoldsInputsIsRefused() {
        isHolding = true;
        assertThatThrownBy(() -> run(1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("holdsInputs");
    }
}
