package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.deadletters.DeadLetter;
import dev.baton.fixtures.HostileTransport;
import dev.baton.fixtures.ShiftedClock;
import dev.baton.run.Loops;
import dev.baton.spi.Cause;
import dev.baton.spi.Frame;
import dev.baton.status.PartStatus;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that go on behind one that waits for its retry: what is given up, and what is not. */
class UnorderedRetryTest {
    private static final String LETTERS = "c-0.dead-letters";
    private static final Duration PAUSE = Duration.ofMinutes(1);

    private final HostileTransport transport = new HostileTransport();
    private final ShiftedClock clock = new ShiftedClock();
    private final List<Long> received = new ArrayList<>();
    private final List<Long> handled = new ArrayList<>();
    private final Set<Long> failing = new TreeSet<>(List.of(2L));
    private final List<String> events = new ArrayList<>();
    private ErrorPolicy errors = unordered(3);
    private int maxHeld = 64;
    private long sent;

    UnorderedRetryTest() {
        transport.room = 64;
    }

    private static ErrorPolicy unordered(int times) {
        return ErrorPolicy.retryUnorderedAtLeastOnce(times).after(PAUSE);
    }

    @Test
    void laterMessagesGoOnAndTheFailedOneFollows() {
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            send(running, 4);
            turn(loops);
            assertThat(received).containsExactly(1L, 3L, 4L);
            assertThat(part(running).input().waiting()).isOne();
            assertThat(part(running).isOrdered()).isFalse();
            assertThat(acknowledged()).as("before the one that waits").isEqualTo(1);

            failing.clear();
            clock.pass(PAUSE.minusSeconds(1));
            turn(loops);
            assertThat(received).hasSize(3);
            clock.pass(Duration.ofSeconds(1));
            turn(loops);
            assertThat(received).containsExactly(1L, 3L, 4L, 2L);
            assertThat(part(running).input().waiting()).isZero();
            assertThat(acknowledged()).isEqualTo(4);
        }
        assertThat(events).containsExactly("retry 2 after 1");
    }

    @Test
    void aMessageThatWaitsKeepsAllThatItHas() {
        List<String> seen = new ArrayList<>();
        try (Loops loops = loops();
                RunningChain running = Chain.named("c")
                        .then("s1", () -> (in, out) -> {
                            seen.add(in.sequence() + " " + in.type() + " " + in.getLong(0) + " "
                                    + in.key().getLong(0) + " " + in.originNanos());
                            fail(in);
                        })
                        .build()
                        .on(transport)
                        .with(loops)
                        .onError(errors)
                        .checksums(true)
                        .start()) {
            for (long value : List.of(2L, 9L)) {
                running.inlet()
                        .tryClaim(
                                Long.BYTES,
                                new MessageFields()
                                        .originNanos(77 + value)
                                        .key(ByteBuffer.allocate(8).putLong(0, 5 * value)))
                        .type(7)
                        .putLong(0, value)
                        .commit(Long.BYTES);
            }
            turn(loops);
            clock.pass(PAUSE);
            turn(loops);
            running.close(Duration.ZERO); // it fails again and waits, and nobody waits for it
        }
        assertThat(seen).hasSize(3);
        assertThat(seen.get(2)).isEqualTo(seen.get(0)).isNotEqualTo(seen.get(1));
    }

    @Test
    void aCrashWhileOneWaitsLosesNothingAndRepeatsWhatWasBehindIt() {
        Loops loops = loops();
        RunningChain running = start(loops);
        send(running, 4);
        turn(loops);
        transport.store();
        transport.crash();
        failing.clear();
        received.clear();
        try (Loops next = loops();
                RunningChain again = start(next)) {
            turn(next);
            assertThat(handled).containsExactly(1L, 3L, 4L, 2L, 3L, 4L);
            assertThat(acknowledged()).isEqualTo(4);
            assertThat(part(again).input().waiting()).isZero();
        }
    }

    @Test
    void anotherPolicyAfterTheCrashLosesNothingEither() {
        Loops loops = loops();
        RunningChain running = start(loops);
        send(running, 4);
        turn(loops);
        transport.store();
        transport.crash();
        failing.clear();
        errors = ErrorPolicy.stop();
        try (Loops next = loops();
                RunningChain again = start(next)) {
            turn(next);
            assertThat(handled).containsExactly(1L, 3L, 4L, 2L, 3L, 4L);
            assertThat(part(again).isOrdered()).isTrue();
        }
    }

    @Test
    void behindTheLastOneThatWaitedARestartRepeatsNothing() {
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            send(running, 3);
            turn(loops);
            failing.clear();
            clock.pass(PAUSE);
            turn(loops);
            send(running, 1);
            turn(loops);
        }
        transport.topic("c-0").acknowledged.put("s1", 0L);
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            send(running, 1);
            turn(loops);
        }
        assertThat(handled).containsExactly(1L, 3L, 2L, 4L, 5L);
    }

    @Test
    void whatIsSentWhileOneWaitsSaysSo() {
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            send(running, 3);
            turn(loops);
            failing.clear();
            clock.pass(PAUSE);
            turn(loops);
            send(running, 1);
            turn(loops);
        }
        List<Frame> outputs = transport.frames("c-1");
        assertThat(outputs.stream().map(Frame::cause).map(Cause::input)).containsExactly(1L, 3L, 2L, 4L);
        assertThat(outputs.stream().map(Frame::cause).map(Cause::isAhead)).containsExactly(false, true, false, false);
    }

    @Test
    void afterItsRetriesItStopsTheChainAndIsNotAcknowledged() {
        errors = unordered(2);
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            send(running, 3);
            turn(loops);
            for (int i = 0; i < 2; i++) {
                clock.pass(PAUSE);
                turn(loops);
            }
            assertThat(running.failure().orElseThrow()).isInstanceOfSatisfying(ServiceFailure.class, failure -> {
                assertThat(failure.sequence()).isEqualTo(2);
                assertThat(failure).hasMessageContaining("no 2");
            });
            assertThat(acknowledged()).isEqualTo(1);
        }
        assertThat(events).containsExactly("retry 2 after 1", "retry 2 after 2");
    }

    @Test
    void afterItsRetriesItBecomesADeadLetterBeforeItIsAcknowledged() {
        errors = unordered(1).thenDeadLetter();
        transport.storesLate = true;
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            send(running, 3);
            storeAndTurn(loops);
            clock.pass(PAUSE);
            turn(loops);
            send(running, 1);
            transport.topic("c-0").stored = 4;
            turn(loops);
            assertThat(handled).as("the next waits for the letter").containsExactly(1L, 3L);
            assertThat(acknowledged()).isEqualTo(1);
            storeAndTurn(loops);
            assertThat(handled).containsExactly(1L, 3L, 4L);
            assertThat(acknowledged()).isEqualTo(4);
        }
        List<DeadLetter> letters = new ArrayList<>();
        DeadLetter.readAll(transport, LETTERS, letters::add);
        assertThat(letters).singleElement().satisfies(letter -> {
            assertThat(letter.sequence()).isEqualTo(2);
            assertThat(letter.attempts()).isEqualTo(2);
        });
        assertThat(events).containsExactly("retry 2 after 1", "letter 2 after 2");
    }

    @Test
    void afterItsRetriesItIsSkipped() {
        List<Long> skipped = new ArrayList<>();
        errors = unordered(1).thenSkipTo((service, in, attempts, cause) -> skipped.add(in.getLong(0)));
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            send(running, 3);
            turn(loops);
            clock.pass(PAUSE);
            turn(loops);
            assertThat(skipped).containsExactly(2L);
            assertThat(acknowledged()).isEqualTo(3);
        }
    }

    @Test
    void asManyWaitAsMayAndThenTheTopicDoes() {
        errors = unordered(3).maxWaiting(2);
        failing.addAll(List.of(3L, 5L));
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            send(running, 6);
            turn(loops);
            assertThat(handled).as("4 is behind two that wait").containsExactly(1L);
            assertThat(part(running).input().waiting()).isEqualTo(2);
            assertThat(events).endsWith("back-pressure");

            failing.clear();
            clock.pass(PAUSE);
            turn(loops);
            assertThat(handled).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
            assertThat(events).endsWith("back-pressure ended");
        }
    }

    @Test
    void noMoreGoOnBehindOneThatWaitsThanMayBeHeld() {
        maxHeld = 4;
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            send(running, 12);
            turn(loops);
            assertThat(handled).containsExactly(1L, 3L, 4L, 5L);
            failing.clear();
            clock.pass(PAUSE);
            turn(loops);
            assertThat(handled).hasSize(12);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCloseWaitsForIt(boolean isHealed) {
        Loops loops = loops();
        RunningChain running = start(loops);
        send(running, 3);
        turn(loops);
        if (isHealed) {
            failing.clear();
            clock.pass(PAUSE);
        }
        assertThat(running.close(Duration.ofMillis(isHealed ? 10_000 : 1))).isEqualTo(isHealed);
        loops.close();
        assertThat(acknowledged()).isEqualTo(isHealed ? 3 : 1);
        failing.clear();
        try (Loops next = loops();
                RunningChain again = start(next)) {
            turn(next);
            assertThat(part(again).input().waiting()).isZero();
        }
        assertThat(handled.subList(0, 2)).containsExactly(1L, 3L);
        assertThat(handled.subList(2, handled.size())).isEqualTo(isHealed ? List.of(2L) : List.of(2L, 3L));
    }

    @Test
    void anOrderedRetryBesideItKeepsItsOwnCount() {
        errors = unordered(2).on(IllegalArgumentException.class, ErrorPolicy.retry(3));
        int[] calls = {0};
        try (Loops loops = loops();
                RunningChain running = Chain.named("c")
                        .then("s1", () -> (in, out) -> {
                            if (in.getLong(0) == 3 && ++calls[0] < 4) {
                                throw new IllegalArgumentException("not yet");
                            }
                            fail(in);
                            handled.add(in.getLong(0));
                        })
                        .build()
                        .on(transport)
                        .with(loops)
                        .onError(errors)
                        .start()) {
            send(running, 4);
            turn(loops);
            assertThat(handled).containsExactly(1L, 3L, 4L);
            failing.clear();
            clock.pass(PAUSE);
            turn(loops);
            assertThat(handled).containsExactly(1L, 3L, 4L, 2L);
        }
    }

    @Test
    void itWaitsForRoomForItsOutputs() {
        try (Loops loops = loops();
                RunningChain running = Chain.named("c")
                        .then("s1", () -> this::forward)
                        .build()
                        .on(transport)
                        .with(loops)
                        .onError(errors)
                        .start()) {
            transport.room = 8;
            send(running, 3);
            turn(loops);
            failing.clear();
            transport.room = 2; // as many as the topic has outputs, which nobody reads
            clock.pass(PAUSE);
            turn(loops);
            assertThat(handled).containsExactly(1L, 3L);
            transport.room = 8;
            turn(loops);
            assertThat(handled).containsExactly(1L, 3L, 2L);
        }
    }

    @Test
    void anInterceptorIsAroundTheRetryAsWell() {
        List<Long> intercepted = new ArrayList<>();
        try (Loops loops = loops();
                RunningChain running = Chain.named("c")
                        .then("s1", () -> this::forward)
                        .build()
                        .on(transport)
                        .with(loops)
                        .onError(errors)
                        .around((context, next) -> (in, out) -> {
                            intercepted.add(in.getLong(0));
                            next.onMessage(in, out);
                        })
                        .start()) {
            send(running, 3);
            turn(loops);
            failing.clear();
            clock.pass(PAUSE);
            turn(loops);
        }
        assertThat(intercepted).containsExactly(1L, 2L, 3L, 2L);
    }

    @Test
    void aServiceThatHoldsInputsCannotHaveIt() {
        Chain chain = Chain.named("c")
                .then("window", () -> new Service() {
                    @Override
                    public boolean holdsInputs() {
                        return true;
                    }

                    @Override
                    public void onMessage(Message in, Outlet out) {}
                })
                .build();
        try (Loops loops = loops()) {
            assertThatThrownBy(() ->
                            chain.on(transport).with(loops).onError(errors).start())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("window holds inputs")
                    .hasMessageContaining("retryUnorderedAtLeastOnce");
        }
    }

    @Test
    void theNumberThatMayWaitIsChecked() {
        assertThatThrownBy(() -> errors.maxWaiting(0)).hasMessageContaining("1 to 65536");
        assertThatThrownBy(() -> ErrorPolicy.retry(1).maxWaiting(1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("retryUnorderedAtLeastOnce");
        assertThatThrownBy(() -> ErrorPolicy.retryUnorderedAtLeastOnce(0)).hasMessageContaining("at least 1");
    }

    private Loops loops() {
        return Loops.manual().in(clock);
    }

    private RunningChain start(Loops loops) {
        return Chain.named("c")
                .then("s1", () -> this::forward)
                .build()
                .on(transport)
                .with(loops)
                .onError(errors)
                .maxHeld(maxHeld)
                .listen(new Events())
                .onOutput(in -> received.add(in.getLong(0)))
                .start();
    }

    private void forward(Message in, Outlet out) {
        fail(in);
        handled.add(in.getLong(0));
        out.forward(in);
    }

    private void fail(Message in) {
        if (failing.contains(in.getLong(0))) {
            throw new IllegalStateException("no " + in.getLong(0));
        }
    }

    private void send(RunningChain running, int count) {
        for (int i = 0; i < count; i++) {
            running.inlet().tryClaim(Long.BYTES).type(7).putLong(0, ++sent).commit(Long.BYTES);
        }
    }

    private static void turn(Loops loops) {
        for (int i = 0; i < 40; i++) {
            loops.turn();
        }
    }

    private void storeAndTurn(Loops loops) {
        for (int i = 0; i < 4; i++) {
            transport.store();
            turn(loops);
        }
    }

    private long acknowledged() {
        return transport.topic("c-0").acknowledged.getOrDefault("s1", 0L);
    }

    private static PartStatus part(RunningChain running) {
        return running.status().parts().get(0);
    }

    private final class Events implements ChainListener {
        @Override
        public void onRetry(String service, String topic, long sequence, int attempts, Throwable thrown) {
            events.add("retry " + sequence + " after " + attempts);
        }

        @Override
        public void onDeadLetter(String service, String topic, long sequence, int attempts, Throwable thrown) {
            events.add("letter " + sequence + " after " + attempts);
        }

        @Override
        public void onBackPressure(String service, String topic) {
            events.add("back-pressure");
        }

        @Override
        public void onBackPressureEnded(String service, String topic, long nanos) {
            events.add("back-pressure ended");
        }
    }
}
