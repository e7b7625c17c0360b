package dev.baton.deadletters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Chain;
import dev.baton.ErrorPolicy;
import dev.baton.Message;
import dev.baton.MessageFields;
import dev.baton.Outlet;
import dev.baton.RunningChain;
import dev.baton.Service;
import dev.baton.StatefulService;
import dev.baton.fixtures.HostileTransport;
import dev.baton.fixtures.ShiftedClock;
import dev.baton.run.Loops;
import dev.baton.spi.Frame;
import dev.baton.spi.Guarantee;
import dev.baton.spi.errors.TransportException;
import dev.baton.state.SnapshotInput;
import dev.baton.state.SnapshotOutput;
import dev.baton.state.SnapshotPolicy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Dead letters that are sent again: each once, whatever happens in between. */
class RedriveTest {
    private static final String LETTERS = "c-1.dead-letters"; // of the second service

    private final HostileTransport transport = new HostileTransport();
    private final List<Long> received = new ArrayList<>();
    private final Set<Long> poison = new TreeSet<>(List.of(2L, 4L));
    private final List<String> told = new ArrayList<>();
    private long sent;
    private int length = 8; // of a payload
    private int killAt = Integer.MAX_VALUE;
    private int steps;

    RedriveTest() {
        transport.room = 1_000;
        transport.with(Guarantee.EXCLUSIVE);
    }

    @Test
    void redrivenLettersReachTheFailedServiceUnchanged() {
        run(5);
        assertThat(received).containsExactly(1L, 3L, 5L);
        poison.clear();
        assertThat(redrive()).isEqualTo(new Redrive.Report("c-1", 2, 0, 0, 0, 0));
        run(1);
        assertThat(received).containsExactly(1L, 3L, 5L, 2L, 4L, 6L);
        assertThat(told).containsExactly("2 as 6", "4 as 7");
        Frame again = transport.frames("c-1").get(5);
        Frame first = transport.frames("c-1").get(1);
        assertThat(again.validate()).isNull();
        assertThat(again.getLong(0)).isEqualTo(2);
        assertThat(Frame.type(again.head())).isEqualTo(7);
        assertThat(Frame.servicesPassed(again.head())).isEqualTo(Frame.servicesPassed(first.head()));
        assertThat(again.originNanos() - first.originNanos())
                .as("between the clocks of two writers, in ns")
                .isBetween(-50_000_000L, 50_000_000L);
        assertThat(letters()).extracting(DeadLetter::sequence).as("they stay").containsExactly(2L, 4L);
    }

    @Test
    void aLetterIsSentAgainOnce() {
        run(5);
        redrive();
        assertThat(redrive()).isEqualTo(new Redrive.Report("c-1", 0, 0, 0, 0, 0));
        assertThat(transport.frames("c-1")).hasSize(5 + 2);
    }

    @Test
    void messageFailingAgainBecomesNewLetter() {
        run(5);
        redrive();
        run(0);
        assertThat(letters()).extracting(DeadLetter::sequence).containsExactly(2L, 4L, 6L, 7L);
        poison.clear();
        assertThat(redrive().sent()).isEqualTo(2);
        run(0);
        assertThat(received).containsExactly(1L, 3L, 5L, 2L, 4L);
    }

    @Test
    void precedingServiceIsUnaffectedByARedrive() {
        run(5);
        redrive();
        transport.topic("c-0").acknowledged.put("s1", 0L); // a crash before its inputs were acknowledged
        poison.clear();
        run(1);
        assertThat(received).containsExactly(1L, 3L, 5L, 2L, 4L, 6L);
    }

    /** A first service with two outputs for each input, killed when half of its last flush was stored. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void redriveDoesNotCompleteHalfFlush(boolean hasState) {
        Supplier<Service> twice = hasState ? TwiceWithState::new : Twice::new;
        one(twice, "s1", 1);
        transport.topic("c-1").stored = 1;
        transport.topic("c-0").acknowledged.put("s1", 0L);
        transport.crash();
        poison.add(11L);
        one(twice, "s2", 0);
        poison.clear();
        assertThat(redrive().sent()).isEqualTo(1);
        one(twice, "s1", 1);
        transport.crash(); // without a snapshot since then
        one(twice, "s1", 1);
        List<Long> expected = new ArrayList<>(List.of(11L, 11L, 12L, 21L, 22L, 31L, 32L));
        if (!hasState) {
            expected.add(0, 11L); // an input whose flush is not whole is answered again
        }
        assertThat(values("c-1")).containsExactlyElementsOf(expected);
    }

    @Test
    void redriveDoesNotAnswerRetriedMessage() {
        ShiftedClock clock = new ShiftedClock();
        boolean[] fails = {true};
        Chain chain = Chain.named("c")
                .then(
                        "s1",
                        () -> (in, out) -> {
                            if (fails[0] && in.getLong(0) == 1) {
                                throw new IllegalStateException("no");
                            }
                            out.forward(in);
                        },
                        ErrorPolicy.retry(9).after(Duration.ofMinutes(1)).perKey())
                .then("s2", () -> this::handle, ErrorPolicy.deadLetter())
                .build();
        Loops killed = Loops.manual().in(clock);
        RunningChain first =
                chain.on(transport).with(killed).onFailure(failure -> {}).start();
        for (long value = 1; value <= 2; value++) {
            ByteBuffer key = ByteBuffer.allocate(1).put(0, (byte) value);
            first.inlet()
                    .tryClaim(8, new MessageFields().key(key))
                    .putLong(0, value)
                    .commit(8);
        }
        turn(killed);
        fails[0] = false;
        poison.clear();
        clock.pass(Duration.ofMinutes(2));
        transport.duringFlush = topic -> {
            if (topic == transport.topic("c-1")) {
                throw new IllegalStateException("killed");
            }
        };
        turn(killed);
        transport.duringFlush = topic -> {};
        transport.crash();
        assertThat(redrive().sent()).isEqualTo(1);
        try (Loops loops = Loops.manual().in(clock);
                RunningChain running = chain.on(transport).with(loops).start()) {
            turn(loops);
            assertThat(running.failure()).isEmpty();
        }
        assertThat(values("c-1")).containsExactly(2L, 2L, 1L);
    }

    private static void turn(Loops loops) {
        for (int i = 0; i < 20; i++) {
            loops.turn();
        }
    }

    private List<Long> values(String topic) {
        return transport.frames(topic).stream()
                .map(frame -> {
                    frame.validate();
                    return frame.getLong(0);
                })
                .toList();
    }

    /** Runs one service of the chain until it has handled what there is; it is killed at the end. */
    private void one(Supplier<Service> first, String service, int messages) {
        Chain chain = Chain.named("c")
                .then("s1", first)
                .then("s2", () -> this::handle, ErrorPolicy.deadLetter())
                .build();
        Loops loops = Loops.manual();
        RunningChain running = chain.on(transport)
                .with(loops)
                .only(service)
                .snapshots(SnapshotPolicy.every(Duration.ofHours(1)))
                .start();
        for (int i = 0; i < messages; i++) {
            running.inlet().tryClaim(8).putLong(0, ++sent).commit(8);
        }
        turn(loops);
        assertThat(running.failure()).isEmpty();
        if (service.equals("s2")) {
            running.close();
            loops.close();
        } else {
            transport.crash();
        }
    }

    private static class Twice implements Service {
        @Override
        public int maxOutputs() {
            return 2;
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            out.claim(8).putLong(0, 10 * in.getLong(0) + 1).commit(8);
            out.claim(8).putLong(0, 10 * in.getLong(0) + 2).commit(8);
        }
    }

    private static final class TwiceWithState extends Twice implements StatefulService {
        private long count;

        @Override
        public void onMessage(Message in, Outlet out) {
            assertThat(in.getLong(0)).isEqualTo(++count);
            super.onMessage(in, out);
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

    /** Killed at its first flush, poll, open or acknowledgement, then at the second, and so on; each time the chain goes on. */
    @Test
    void killedRedriveIsRepeatedWithoutDuplicates() {
        for (int at = 1; at <= 40; at++) {
            RedriveTest killed = new RedriveTest();
            killed.run(5);
            killed.poison.clear();
            killed.killAt = at;
            boolean wasKilled = killed.isKilled();
            killed.killAt = Integer.MAX_VALUE;
            killed.run(1);
            killed.redrive();
            killed.run(1);
            assertThat(killed.received)
                    .as("killed at step " + at)
                    .containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L, 6L, 7L);
            if (!wasKilled) {
                assertThat(at).as("steps of a redrive").isGreaterThan(5);
                return;
            }
        }
        throw new AssertionError("a redrive takes more than 40 steps");
    }

    /** Whether the redrive met its end; what it had not stored is gone then, and nothing was closed in good order. */
    private boolean isKilled() {
        Runnable step = () -> {
            if (++steps >= killAt) {
                transport.storesLate = true; // nothing is stored any more
                throw new IllegalStateException("killed");
            }
        };
        transport.duringFlush = topic -> step.run();
        transport.duringPoll = step;
        transport.duringOpen = topic -> step.run();
        transport.duringAcknowledge = step;
        try {
            redrive();
            return false;
        } catch (IllegalStateException killed) {
            return true;
        } finally {
            transport.crash();
            transport.storesLate = false;
            transport.duringFlush = topic -> {};
            transport.duringPoll = () -> {};
            transport.duringOpen = topic -> {};
            transport.duringAcknowledge = () -> {};
        }
    }

    /** The topic begins at each of its frames once. */
    @Test
    void retentionTakesNoMoreThanItRemoves() {
        List<List<String>> expected = List.of(
                List.of("2 as 6", "4 as 7", "5 as 8"),
                List.of("2 as 6", "4 as 7", "5 as 8"),
                List.of("4 as 6", "5 as 7"),
                List.of("4 as 6", "5 as 7"),
                List.of("5 as 6"),
                List.of("5 as 6"),
                List.of());
        for (int removed = 0; removed < expected.size(); removed++) {
            RedriveTest each = new RedriveTest();
            each.poison.add(5L);
            each.run(5);
            each.poison.clear();
            each.transport.topic(LETTERS).removed = removed;
            each.transport.knowsBacklog = true;
            assertThat(each.redrive().removed()).isEqualTo(removed);
            assertThat(each.told).as("frames removed: " + removed).isEqualTo(expected.get(removed));
            assertThat(each.redrive().sent()).as("by a second redrive").isZero();
            each.run(0);
            assertThat(each.received).hasSize(2 + expected.get(removed).size());
        }
    }

    @Test
    void letterWithoutDescriptionKeepsItsMessage() {
        run(5);
        transport.topic(LETTERS).removed = 1;
        assertThat(letters()).first().satisfies(letter -> {
            assertThat(letter.isDescribed()).isFalse();
            assertThat(letter.topic()).isEqualTo("c-1");
            assertThat(letter.sequence()).isEqualTo(2);
            assertThat(letter.attempts()).isEqualTo(DeadLetter.UNKNOWN);
            assertThat(letter.type()).isEqualTo(7);
            assertThat(letter.payload()).containsExactly(2, 0, 0, 0, 0, 0, 0, 0);
        });
        assertThat(letters()).last().matches(DeadLetter::isDescribed);
    }

    @Test
    void retentionMayRemoveHalfOfRedrivenLetter() {
        run(5);
        poison.clear();
        redrive();
        poison.add(6L);
        run(1);
        transport.topic(LETTERS).removed = 3;
        assertThat(redrive()).isEqualTo(new Redrive.Report("c-1", 1, 0, 0, 0, 0));
        assertThat(told).last().isEqualTo("8 as 9");
    }

    @Test
    void letterWithoutDescriptionOfATapIsRefused() {
        run(5);
        try (Loops loops = Loops.manual();
                RunningChain tap = Chain.tap("audit", "c-1")
                        .on(transport)
                        .with(loops)
                        .onError(ErrorPolicy.deadLetter())
                        .onOutput(this::fail)
                        .start()) {
            for (int i = 0; i < 20; i++) {
                loops.turn();
            }
            assertThat(tap.failure()).isEmpty();
        }
        transport.topic("c-1---audit.dead-letters").removed = 9;
        assertThatThrownBy(() -> Redrive.run(transport, "c-1---audit.dead-letters", (letter, sequence) -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("holds letters of a consumer beside the chain of topic 'c-1'");
    }

    @Test
    void unacknowledgedRedrivesAreNotRepeatedAfterAKill() {
        run(5);
        redrive();
        transport.topic(LETTERS).acknowledged.put(Redrive.CONSUMER, 0L);
        assertThat(redrive()).isEqualTo(new Redrive.Report("c-1", 0, 2, 0, 0, 0));
        assertThat(transport.frames("c-1")).hasSize(5 + 2);
    }

    @Test
    void letterStoredTwiceByCrashIsSentOnce() {
        poison.addAll(List.of(5L));
        poison.remove(2L);
        transport.maxPayload = 64;
        length = 40; // so that a letter has no room to list the one before
        run(5);
        transport.topic("c-1").acknowledged.put("s2", 0L); // the letter of 4 is written again, that of 5 is known
        run(0);
        assertThat(letters()).extracting(DeadLetter::sequence).containsExactly(4L, 5L, 4L);
        transport.maxPayload = 1_024;
        assertThat(redrive()).isEqualTo(new Redrive.Report("c-1", 2, 0, 1, 0, 0));
        assertThat(transport.frames("c-1")).hasSize(5 + 2);
    }

    @Test
    void aTopicWhoseWriterIsAliveIsRefused() {
        run(5);
        try (Loops loops = Loops.manual();
                RunningChain running = start(loops)) {
            assertThatThrownBy(this::redrive)
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("live writer");
            assertThat(running.failure()).isEmpty();
        }
        assertThat(redrive().sent()).isEqualTo(2);
    }

    @Test
    void growingTopicIsRefusedWithoutWriterExclusion() {
        run(5);
        transport.without(Guarantee.EXCLUSIVE);
        Thread writing = new Thread(() -> {
            while (transport.topic("c-1").stored < 1_000_000) {
                transport.topic("c-1").stored++;
                LockSupport.parkNanos(1_000_000);
            }
        });
        writing.setDaemon(true);
        writing.start();
        assertThatThrownBy(this::redrive).isInstanceOf(TransportException.class).hasMessageContaining("it grows");
    }

    @Test
    void aTopicThatHoldsNoLettersIsRefused() {
        run(1);
        assertThatThrownBy(() -> Redrive.run(transport, "c-1", (letter, sequence) -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("does not end in .dead-letters");
    }

    @Test
    void lettersOfATapAreRefused() {
        run(5);
        try (Loops loops = Loops.manual();
                RunningChain tap = Chain.tap("audit", "c-1")
                        .on(transport)
                        .with(loops)
                        .onError(ErrorPolicy.deadLetter())
                        .onOutput(this::fail)
                        .start()) {
            for (int i = 0; i < 20; i++) {
                loops.turn();
            }
            assertThat(tap.failure()).isEmpty();
        }
        assertThatThrownBy(() -> Redrive.run(transport, "c-1---audit.dead-letters", (letter, sequence) -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a consumer beside the chain of topic 'c-1'");
        assertThat(transport.frames("c-1")).hasSize(5);
    }

    private void fail(Message in) {
        throw new IllegalStateException("no " + in.sequence());
    }

    @Test
    void messageTooLongWithItsMarkIsNamed() {
        run(3);
        transport.maxPayload = 8;
        assertThatThrownBy(this::redrive)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("message 2 of topic 'c-1' is too long");
    }

    private Redrive.Report redrive() {
        return Redrive.run(transport, LETTERS, (letter, sequence) -> told.add(letter.sequence() + " as " + sequence));
    }

    private RunningChain start(Loops loops) {
        return Chain.named("c")
                .then("s1", () -> (in, out) -> out.forward(in))
                .then("s2", () -> this::handle, ErrorPolicy.deadLetter())
                .build()
                .on(transport)
                .with(loops)
                .onOutput(in -> received.add(in.getLong(0)))
                .start();
    }

    private void handle(Message in, Outlet out) {
        if (poison.contains(in.getLong(0))) {
            throw new IllegalStateException("no " + in.getLong(0));
        }
        out.forward(in);
    }

    private void run(int messages) {
        try (Loops loops = Loops.manual();
                RunningChain running = start(loops)) {
            for (int i = 0; i < messages; i++) {
                running.inlet().tryClaim(length).type(7).putLong(0, ++sent).commit(length);
            }
            for (int i = 0; i < 10; i++) {
                loops.turn();
            }
            assertThat(running.failure()).isEmpty();
        }
    }

    private List<DeadLetter> letters() {
        List<DeadLetter> all = new ArrayList<>();
        DeadLetter.readAll(transport, LETTERS, all::add);
        return all;
    }
}
