package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.deadletters.DeadLetter;
import dev.baton.fixtures.HostileTransport;
import dev.baton.fixtures.ShiftedClock;
import dev.baton.run.Loops;
import dev.baton.spi.Cause;
import dev.baton.spi.Frame;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Incarnation;
import dev.baton.spi.StartPosition;
import dev.baton.spi.errors.TopicMismatchException;
import dev.baton.spi.support.SequenceRanges;
import dev.baton.status.PartStatus;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link ErrorPolicy#perKey}: messages that fail are set aside with later ones of their key, and others pass. */
class PerKeyRetryTest {
    private static final String RETRIES = "c-0.retries";
    private static final Duration PAUSE = Duration.ofMinutes(1);
    private static final long KEYLESS = 9; // last digit of messages without a key

    private HostileTransport transport = new HostileTransport();
    private final ShiftedClock clock = new ShiftedClock();
    private final List<Long> received = new ArrayList<>();
    private final List<Long> handled = new ArrayList<>();
    private final Set<Long> failing = new TreeSet<>(List.of(21L));
    private final List<String> events = new ArrayList<>();
    private ErrorPolicy errors = perKey(3);

    PerKeyRetryTest() {
        transport.room = 64;
    }

    private static ErrorPolicy perKey(int times) {
        return ErrorPolicy.retry(times).after(PAUSE).perKey();
    }

    @Test
    void othersPassAndOrderOfKeyIsKept() {
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            send(running, 11, 21, 31, 12, 41, 32);
            turn(loops);
            assertThat(received).containsExactly(11L, 12L, 32L);
            assertThat(part(running).input().waiting()).isEqualTo(3);
            assertThat(acknowledged()).as("set aside durably").isEqualTo(6);

            failing.clear();
            clock.pass(PAUSE.minusSeconds(1));
            turn(loops);
            assertThat(received).hasSize(3);
            clock.pass(Duration.ofSeconds(1));
            turn(loops);
            assertThat(received).containsExactly(11L, 12L, 32L, 21L, 31L, 41L);
            assertThat(part(running).input().waiting()).isZero();
            send(running, 51);
            turn(loops);
            assertThat(received).endsWith(51L);
        }
        assertThat(events).containsExactly("retry 2 after 1");
        assertThat(transport.topic(RETRIES).acknowledged.get("s1")).isGreaterThanOrEqualTo(3);
    }

    @Test
    void keylessMessagesCountAsOneKey() {
        failing.add(19L);
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            send(running, 19, 29, 12, 39);
            turn(loops);
            assertThat(received).containsExactly(12L);
            failing.clear();
            clock.pass(PAUSE);
            turn(loops);
        }
        assertThat(received).containsExactly(12L, 19L, 29L, 39L);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void restartContinuesWithSetAsideMessages(boolean isKilled) {
        Loops loops = loops();
        RunningChain running = start(loops);
        send(running, 11, 21, 31, 12);
        turn(loops);
        if (isKilled) {
            transport.crash();
        } else {
            assertThat(running.close(Duration.ofSeconds(10))).isTrue();
            loops.close();
        }
        failing.clear();
        try (Loops next = loops();
                RunningChain again = start(next)) {
            send(again, 41);
            turn(next);
        }
        assertThat(received).containsExactly(11L, 12L, 21L, 31L, 41L);
    }

    @Test
    void messageSetAsideDuringTheNextStartIsKnown() {
        transport.excludesWriters = false;
        Loops replaced = loops();
        RunningChain before = start(replaced);
        transport.duringOpen = topic -> {
            if (topic.equals(RETRIES)) {
                send(before, 21);
                turn(replaced);
                failing.clear();
            }
        };
        try (Loops next = loops();
                RunningChain after = start(next)) {
            send(after, 31);
            turn(next);
        }
        assertThat(received).containsExactly(21L, 31L);
    }

    @Test
    void sinkWithRetriesDropsNothingThatIsReadAgain() {
        failing.clear();
        failing.add(5L);
        transport.createTopics(List.of("in"));
        transport.write("in", 1, 5);
        try (Loops loops = loops();
                RunningChain running = sink(loops).start()) {
            turn(loops);
            failing.clear();
            clock.pass(PAUSE);
            turn(loops);
            assertThat(running.failure()).isEmpty();
        }
        assertThat(received).containsExactly(1L, 2L, 3L, 4L, 5L);
        try (Loops loops = loops()) {
            StartPosition begin = StartPosition.time(Instant.EPOCH);
            assertThatThrownBy(() -> sink(loops).startAt(begin).start())
                    .isInstanceOf(TopicMismatchException.class)
                    .hasMessageContaining("needs topics of its own");
            assertThatThrownBy(() -> sink(loops).consumer("again").start())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("'again'", ".retries'", "c--sink", "another name");
        }
    }

    private Deployment sink(Loops loops) {
        return Chain.named("c")
                .from("in")
                .build()
                .on(transport)
                .with(loops)
                .onOutput(in -> {
                    if (failing.contains(in.getLong(0))) {
                        throw new IllegalStateException("fails");
                    }
                    received.add(in.getLong(0));
                })
                .onError(errors);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void unknownPositionLosesNoSetAsideMessage(boolean isRemoved) {
        Loops loops = loops();
        RunningChain running = start(loops);
        send(running, 11, 21, 31, 12);
        turn(loops);
        if (isRemoved) { // by retention, when all were handled
            failing.clear();
            clock.pass(PAUSE);
            turn(loops);
            transport.topic(RETRIES).removed = transport.topic(RETRIES).size();
        }
        transport.crash();
        failing.clear();
        transport.knowsSequence = false;
        transport.withholdsFrames = true;
        try (Loops next = loops();
                RunningChain again = start(next)) {
            turn(next);
            transport.withholdsFrames = false;
            send(again, 41);
            turn(next);
        }
        assertThat(received).containsExactly(11L, 12L, 21L, 31L, 41L);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void anotherPolicyIsRefusedWhileItsTopicExists(int other) {
        Loops loops = loops();
        RunningChain running = start(loops);
        send(running, 21);
        turn(loops);
        transport.crash();
        errors = List.of(
                        ErrorPolicy.stop(),
                        ErrorPolicy.retry(3),
                        ErrorPolicy.skipTo((service, in, attempts, cause) -> {}))
                .get(other);
        try (Loops next = loops()) {
            assertThatThrownBy(() -> start(next))
                    .hasMessageContainingAll("'s1'", RETRIES, "no perKey()", "delete that topic");
            transport.deleteTopics(List.of(RETRIES, "c-1.retries"));
            start(next).close();
        }
    }

    @Test
    void retryDoesNotDisplaceLetterOfInput() {
        List<String> letters = new ArrayList<>();
        errors = perKey(1)
                .thenDeadLetter((service, in, attempts, cause) -> letters.add(in.getLong(0) + " after " + attempts))
                .on(
                        UnsupportedOperationException.class,
                        ErrorPolicy.deadLetter(
                                (service, in, attempts, cause) -> letters.add(in.getLong(0) + " at once")));
        Chain chain = Chain.named("c")
                .then("s1", () -> (in, out) -> {
                    handled.add(in.getLong(0));
                    if (in.getLong(0) == 12) {
                        throw new UnsupportedOperationException("bad");
                    }
                    throw new IllegalStateException("later");
                })
                .build();
        try (Loops loops = loops();
                RunningChain running = deployed(chain, loops).start()) {
            send(running, 21);
            turn(loops);
            transport.storesLate = true;
            send(running, 12);
            turn(loops);
            clock.pass(PAUSE); // the retry is due while the letter of 12 is written
            turn(loops);
            transport.storesLate = false;
            transport.store();
            turn(loops);
        }
        assertThat(letters).containsExactly("12 at once", "21 after 2");
        assertThat(handled).containsExactly(21L, 12L, 21L);
    }

    @Test
    void topicWithoutRoomFailsItsService() {
        Loops loops = loops();
        RunningChain running = start(loops);
        send(running, 21, 31, 41);
        turn(loops);
        transport.crash();
        transport.room = 3;
        try (Loops next = loops();
                RunningChain again = start(next)) {
            turn(next);
            assertThat(again.failure()).isEmpty();
            clock.pass(Duration.ofSeconds(10));
            turn(next);
            assertThat(again.failure().orElseThrow())
                    .hasMessageContainingAll(RETRIES, "is full: 3 messages that are set aside", "more room");
        }
    }

    @Test
    void attemptsBeginAgainAfterRestart() {
        errors = perKey(1).thenDeadLetter();
        Loops loops = loops();
        RunningChain running = start(loops);
        send(running, 21);
        turn(loops);
        transport.crash();
        try (Loops next = loops();
                RunningChain again = start(next)) {
            turn(next);
            assertThat(part(again).input().waiting()).isOne();
            clock.pass(PAUSE);
            turn(next);
            assertThat(part(again).input().waiting()).isZero();
        }
        assertThat(events).containsExactly("retry 1 after 1", "retry 1 after 1", "letter 1 after 2");
    }

    @Test
    void setAsideMessageKeepsItsContent() {
        List<String> seen = new ArrayList<>();
        Chain chain = Chain.named("c")
                .then("s1", () -> (in, out) -> {
                    seen.add(in.sequence() + " " + in.type() + " " + in.getLong(0) + " "
                            + in.key().getLong(in.key().position()) + " " + in.originNanos() + " "
                            + in.originWallNanos() + " "
                            + in.servicesPassed());
                    throw new IllegalStateException("never");
                })
                .build();
        errors = ErrorPolicy.retry(9).after(PAUSE).perKey();
        Loops loops = loops();
        RunningChain running = deployed(chain, loops).start();
        running.inlet()
                .tryClaim(
                        Long.BYTES,
                        new MessageFields()
                                .originNanos(77)
                                .key(ByteBuffer.allocate(8).putLong(0, 5)))
                .type(7)
                .putLong(0, 2)
                .commit(Long.BYTES);
        turn(loops);
        clock.pass(PAUSE);
        turn(loops);
        transport.crash();
        try (Loops next = loops();
                RunningChain again = deployed(chain, next).start()) {
            turn(next);
            assertThat(part(again).input().waiting()).isOne();
        }
        assertThat(seen).hasSize(3).containsOnly(seen.get(0));
    }

    @Test
    void setAsideMessageKeepsItsCause() {
        List<String> seen = new ArrayList<>();
        Chain chain = Chain.named("c")
                .then("s1", () -> (in, out) -> {
                    if (in.getLong(0) != 11) {
                        out.forward(in);
                    }
                })
                .then(
                        "s2",
                        () -> (in, out) -> {
                            seen.add(in.sequence() + " of " + in.cause() + " tick " + in.isOfTick());
                            throw new IllegalStateException("never");
                        },
                        ErrorPolicy.retry(9).after(PAUSE).perKey())
                .build();
        Loops loops = loops();
        RunningChain running = chain.on(transport).with(loops).start();
        send(running, 11, 21);
        turn(loops);
        clock.pass(PAUSE);
        turn(loops);
        transport.crash();
        try (Loops next = loops();
                RunningChain again = chain.on(transport).with(next).start()) {
            turn(next);
            assertThat(again.failure()).isEmpty();
        }
        assertThat(seen).containsExactly("1 of 2 tick false", "1 of 2 tick false", "1 of 2 tick false");
    }

    @Test
    void setAsideMessageOfMergeKeepsItsInput() {
        List<String> seen = new ArrayList<>();
        Merge merge = Merge.named("m").from("a-0").from("b-0").build();
        Chain a = Chain.named("a").then("s", () -> (in, out) -> {}).build();
        Chain b = Chain.named("b").then("s", () -> (in, out) -> {}).build();
        Chain chain = Chain.named("d")
                .from(merge.topic())
                .then(
                        "s2",
                        () -> (in, out) -> {
                            seen.add(merge.inputOf(in) + " " + in.cause());
                            throw new IllegalStateException("never");
                        },
                        ErrorPolicy.retry(9).after(PAUSE).perKey())
                .build();
        Loops loops = loops();
        RunningChain fromA = a.on(transport).with(loops).start();
        RunningChain fromB = b.on(transport).with(loops).start();
        merge.on(transport).with(loops).start();
        chain.on(transport).with(loops).start();
        send(fromB, 21);
        turn(loops);
        clock.pass(PAUSE);
        turn(loops);
        transport.crash();
        try (Loops next = loops();
                RunningChain again = chain.on(transport).with(next).start()) {
            turn(next);
            assertThat(again.failure()).isEmpty();
        }
        assertThat(fromA.failure()).isEmpty();
        assertThat(seen).containsExactly("b-0 1", "b-0 1", "b-0 1");
    }

    @Test
    void outputsOfRetriesAreMarked() {
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            send(running, 11, 21, 12);
            turn(loops);
            failing.clear();
            clock.pass(PAUSE);
            turn(loops);
        }
        List<Long> causes = transport.frames("c-1").stream().map(Frame::cause).toList();
        assertThat(causes.stream().map(Cause::input)).containsExactly(1L, 3L, 2L);
        assertThat(causes.stream().map(Cause::isLate)).containsExactly(false, false, true);
    }

    @Test
    void afterLastRetryChainStops() {
        errors = perKey(2);
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            send(running, 11, 21, 12);
            turn(loops);
            for (int i = 0; i < 2; i++) {
                clock.pass(PAUSE);
                turn(loops);
            }
            assertThat(running.failure().orElseThrow()).isInstanceOfSatisfying(ServiceFailure.class, failure -> {
                assertThat(failure.sequence()).isEqualTo(2);
                assertThat(failure).hasMessageContaining("no 21");
            });
        }
        assertThat(events).containsExactly("retry 2 after 1", "retry 2 after 2");
        failing.clear();
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            turn(loops);
            assertThat(part(running).input().waiting()).isZero();
        }
        assertThat(received).containsExactly(11L, 12L, 21L);
    }

    @Test
    void afterLastRetryMessageIsDeadLetter() {
        errors = perKey(1).thenDeadLetter();
        transport.storesLate = true;
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            send(running, 11, 21, 31, 12);
            storeAndTurn(loops);
            clock.pass(PAUSE);
            turn(loops);
            assertThat(handled).as("31 waits for the letter").containsExactly(11L, 12L);
            storeAndTurn(loops);
            assertThat(handled).containsExactly(11L, 12L, 31L);
        }
        List<DeadLetter> letters = new ArrayList<>();
        DeadLetter.readAll(transport, "c-0.dead-letters", letters::add);
        assertThat(letters).singleElement().satisfies(letter -> {
            assertThat(letter.sequence()).isEqualTo(2);
            assertThat(letter.attempts()).isEqualTo(2);
        });
        assertThat(events).containsExactly("retry 2 after 1", "letter 2 after 2");
    }

    @Test
    void afterLastRetryMessageIsSkipped() {
        List<Long> skipped = new ArrayList<>();
        errors = perKey(1).thenSkipTo((service, in, attempts, cause) -> skipped.add(in.getLong(0)));
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            send(running, 21, 31);
            turn(loops);
            clock.pass(PAUSE);
            turn(loops);
        }
        assertThat(skipped).containsExactly(21L);
        assertThat(received).containsExactly(31L);
    }

    @Test
    void setAsideMessagesAreBounded() {
        errors = ErrorPolicy.retry(3).after(PAUSE).perKey(2);
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            send(running, 21, 31, 12, 22, 41, 32);
            turn(loops);
            assertThat(handled).as("others pass up to 41").containsExactly(12L, 22L);
            assertThat(part(running).input().waiting()).isEqualTo(2);
            assertThat(events).endsWith("back-pressure");

            failing.clear();
            clock.pass(PAUSE);
            turn(loops);
            assertThat(handled).containsExactly(12L, 22L, 21L, 31L, 32L, 41L);
            assertThat(events).endsWith("back-pressure ended");
        }
    }

    @Test
    void setAsideMessagesFillHalfOfRing() {
        transport.room = 8;
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            send(running, 21, 31, 41, 51, 61);
            turn(loops);
            assertThat(part(running).input().waiting()).isLessThanOrEqualTo(4);
            failing.clear();
            clock.pass(PAUSE);
            turn(loops);
        }
        assertThat(received).containsExactly(21L, 31L, 41L, 51L, 61L);
    }

    @Test
    void passingMessagesAreNotBounded() {
        errors = ErrorPolicy.retry(3).after(PAUSE).perKey(1);
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            send(running, 21);
            for (int i = 0; i < 100; i++) {
                send(running, 12);
                turn(loops);
            }
        }
        assertThat(received).hasSize(100);
    }

    @Test
    void closeWaitsWhereTopicIsNotKept() {
        transport = new HostileTransport().without(Guarantee.DURABLE).without(Guarantee.CROSS_PROCESS);
        transport.room = 64;
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            send(running, 21);
            turn(loops);
            assertThat(running.close(Duration.ofMillis(1))).isFalse();
        }
    }

    @Test
    void policyWithoutKeysBesideItKeepsItsCount() {
        errors = perKey(2).on(IllegalArgumentException.class, ErrorPolicy.retry(3));
        int[] calls = {0};
        Chain chain = Chain.named("c")
                .then("s1", () -> (in, out) -> {
                    if (in.getLong(0) == 13 && ++calls[0] < 4) {
                        throw new IllegalArgumentException("not yet");
                    }
                    forward(in, out);
                })
                .build();
        try (Loops loops = loops();
                RunningChain running = deployed(chain, loops).start()) {
            send(running, 11, 21, 13, 14);
            turn(loops);
            assertThat(handled).containsExactly(11L, 13L, 14L);
            failing.clear();
            clock.pass(PAUSE);
            turn(loops);
            assertThat(handled).containsExactly(11L, 13L, 14L, 21L);
        }
    }

    @Test
    void retriesWaitForRoom() {
        Chain chain = Chain.named("c").then("s1", () -> this::forward).build();
        try (Loops loops = loops();
                RunningChain running =
                        chain.on(transport).with(loops).onError(errors).start()) {
            send(running, 11, 21, 12);
            turn(loops);
            failing.clear();
            transport.room = 2; // the number of outputs, which no consumer reads
            clock.pass(PAUSE);
            turn(loops);
            assertThat(handled).containsExactly(11L, 12L);
            transport.room = 8;
            turn(loops);
            assertThat(handled).containsExactly(11L, 12L, 21L);
        }
    }

    @Test
    void interceptorsAreCalledForRetries() {
        List<Long> intercepted = new ArrayList<>();
        Chain chain = Chain.named("c").then("s1", () -> this::forward).build();
        try (Loops loops = loops();
                RunningChain running = deployed(chain, loops)
                        .around((context, next) -> (in, out) -> {
                            intercepted.add(in.getLong(0));
                            next.onMessage(in, out);
                        })
                        .start()) {
            send(running, 11, 21, 12);
            turn(loops);
            failing.clear();
            clock.pass(PAUSE);
            turn(loops);
        }
        assertThat(intercepted).containsExactly(11L, 21L, 12L, 21L);
    }

    @Test
    void serviceThatHoldsInputsIsRefused() {
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
            assertThatThrownBy(() -> deployed(chain, loops).start())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("window holds inputs")
                    .hasMessageContaining("perKey()");
        }
    }

    @Test
    void backoffDoublesUpToItsMaximum() {
        ErrorPolicy policy = ErrorPolicy.retry(9).backoff(Duration.ofMillis(200), Duration.ofSeconds(5));
        long[] longest = {200, 400, 800, 1600, 3200, 5000, 5000};
        for (int failures = 1; failures <= longest.length; failures++) {
            long millis = longest[failures - 1];
            for (long message = 1; message <= 100; message++) {
                assertThat(policy.pauseNanos(failures, message)).isBetween(millis * 500_000, millis * 1_000_000);
            }
        }
        assertThat(policy.pauseNanos(Integer.MAX_VALUE, 1)).isLessThanOrEqualTo(5_000_000_000L);
    }

    @Test
    void backoffDependsOnMessageAndAttemptOnly() {
        ErrorPolicy policy = ErrorPolicy.retry(9).backoff(Duration.ofMillis(200), Duration.ofSeconds(5));
        assertThat(policy.pauseNanos(2, 7)).isEqualTo(policy.perKey().pauseNanos(2, 7));
        assertThat(LongStream.range(0, 100)
                        .map(message -> policy.pauseNanos(1, message))
                        .distinct()
                        .count())
                .isGreaterThan(90);
    }

    @Test
    void retriesPerKeyAreChecked() {
        assertThatThrownBy(() -> ErrorPolicy.retry(1).perKey(0)).hasMessageContaining("1 to 1000000");
        assertThatThrownBy(() -> ErrorPolicy.stop().perKey())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("begin with retry(times)");
        assertThatThrownBy(() -> ErrorPolicy.retry(1).backoff(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .hasMessageContaining("0 to PT1S");
        assertThatThrownBy(() -> ErrorPolicy.retry(1).backoff(Duration.ofSeconds(2), Duration.ofHours(2)))
                .hasMessageContaining("PT1H");
    }

    /** Turns, stores of single topics, lost acknowledgements and kills in any order: outputs are neither lost nor repeated. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void killAtAnyStepDoublesNothing(boolean endsWithLetters) {
        for (int seed = 0; seed < 100; seed++) {
            kills(new Random(seed), seed, endsWithLetters);
        }
    }

    @Test
    void timeOfRetryOutlivesReboot() {
        List<Long> times = new ArrayList<>();
        List<Long> failed = new ArrayList<>();
        Chain timed = Chain.named("c")
                .then("s1", () -> new Service() {
                    private ServiceContext context;

                    @Override
                    public void onStart(ServiceContext given) {
                        context = given;
                    }

                    @Override
                    public void onMessage(Message in, Outlet out) {
                        if (failing.contains(in.getLong(0))) {
                            failed.add(context.time());
                            throw new IllegalStateException("no");
                        }
                        times.add(context.time());
                    }
                })
                .build();
        long sent;
        try (Loops loops = loops();
                RunningChain running =
                        timed.on(transport).with(loops).onError(errors).start()) {
            sent = clock.wallNanos();
            send(running, 21);
            clock.pass(Duration.ofSeconds(5));
            turn(loops);
        }
        reboot("c-0", Duration.ofDays(30));
        reboot(RETRIES, Duration.ofDays(30));
        failing.clear();
        try (Loops loops = loops();
                RunningChain running =
                        timed.on(transport).with(loops).onError(errors).start()) {
            turn(loops);
            assertThat(running.failure()).isEmpty();
        }
        assertThat(failed).hasSize(1);
        assertThat(times).containsExactlyElementsOf(failed);
        assertThat(times.get(0)).isBetween(sent, sent + Duration.ofSeconds(1).toNanos());
    }

    @Test
    void storedLetterIsKnownBehindInputOfLaterWriter() {
        errors = ErrorPolicy.retry(9)
                .after(PAUSE)
                .perKey()
                .on(UnsupportedOperationException.class, ErrorPolicy.deadLetter());
        List<Long> calls = new ArrayList<>();
        Chain chain = Chain.named("c")
                .then("s1", () -> (in, out) -> {
                    calls.add(in.getLong(0));
                    if (in.getLong(0) == 11 && calls.indexOf(11L) < calls.size() - 1) {
                        throw new UnsupportedOperationException("for good");
                    }
                    if (failing.contains(in.getLong(0))) {
                        throw new IllegalStateException("once");
                    }
                })
                .build();
        failing.addAll(List.of(10L, 11L));
        transport.storesLate = true;
        Loops turning = loops();
        RunningChain killed = chain.on(transport).with(turning).onError(errors).start();
        send(killed, 10, 11);
        for (int i = 0; i < 10; i++) {
            transport.store();
            turning.turn();
        }
        clock.pass(PAUSE);
        for (int i = 0; i < 5; i++) {
            store("c-0.dead-letters");
            turning.turn();
        }
        transport.crash();
        transport.storesLate = false;
        failing.clear();
        try (Loops loops = loops();
                RunningChain running =
                        chain.on(transport).with(loops).onError(errors).batch(1).start()) {
            send(running, 22);
            turn(loops);
            assertThat(running.failure()).isEmpty();
        }
        assertThat(calls).containsExactly(10L, 11L, 10L, 11L, 10L, 22L);
        List<Long> letters = new ArrayList<>();
        DeadLetter.readAll(transport, "c-0.dead-letters", letter -> letters.add(number(letter.payload())));
        assertThat(letters).containsExactly(11L);
    }

    @Test
    void letterHandlerSeesNoStampsOfAnotherBoot() {
        List<Long> origins = new ArrayList<>();
        errors = ErrorPolicy.retry(1)
                .after(PAUSE)
                .perKey()
                .thenDeadLetter((service, in, attempts, cause) -> origins.add(in.originNanos()));
        Chain failing = Chain.named("c")
                .then("s1", () -> (in, out) -> {
                    throw new IllegalStateException("no");
                })
                .build();
        try (Loops loops = loops();
                RunningChain running =
                        failing.on(transport).with(loops).onError(errors).start()) {
            send(running, 21);
            turn(loops);
        }
        reboot("c-0", Duration.ofDays(30));
        reboot(RETRIES, Duration.ofDays(30));
        try (Loops loops = loops();
                RunningChain running =
                        failing.on(transport).with(loops).onError(errors).start()) {
            for (int i = 0; i < 10; i++) {
                clock.pass(PAUSE);
                turn(loops);
            }
            assertThat(running.failure()).isEmpty();
        }
        assertThat(origins).containsExactly(Message.UNKNOWN_TIME);
    }

    /** Makes a topic one that was written before the host started anew, when it had been up for longer by some time. */
    private void reboot(String name, Duration longer) {
        HostileTransport.Topic topic = transport.topic(name);
        for (int i = 0; i < topic.size(); i++) {
            ByteBuffer frame = ByteBuffer.wrap(topic.get(i)).order(ByteOrder.LITTLE_ENDIAN);
            frame.putLong(32, frame.getLong(32) + longer.toNanos()); // the time of sending
        }
        Incarnation old = topic.writers.newest();
        topic.writers = SequenceRanges.<Incarnation>none()
                .with(
                        1,
                        new Incarnation(
                                old.id(),
                                old.topology(),
                                old.boot() + 1,
                                old.wallOffsetNanos() - longer.toNanos(),
                                "old"));
    }

    private void kills(Random random, int seed, boolean endsWithLetters) {
        transport = new HostileTransport();
        transport.room = 256;
        transport.storesLate = true;
        transport.cutsPollsToOne = random.nextBoolean();
        handled.clear();
        errors = ErrorPolicy.retry(endsWithLetters ? 2 : 1000).after(PAUSE).perKey(1 + random.nextInt(8));
        errors = endsWithLetters ? errors.thenDeadLetter() : errors;
        Chain chain = Chain.named("c")
                .then("s1", () -> new Fickle(random, endsWithLetters))
                .build();
        int batch = random.nextBoolean() ? 1 : 256;
        Loops loops = loops();
        RunningChain running =
                chain.on(transport).with(loops).onError(errors).batch(batch).start();
        int sent = 0;
        for (int step = 0; step < 150; step++) {
            switch (random.nextInt(12)) {
                case 0, 1 -> send(running, 10L * ++sent + random.nextInt(3));
                case 2 -> send(running, 10L * ++sent + KEYLESS);
                case 3, 4 -> clock.pass(PAUSE);
                case 5, 6 -> store("c-1");
                case 7, 8 -> store(RETRIES);
                case 9 -> {
                    if (endsWithLetters) {
                        store("c-0.dead-letters");
                    }
                }
                case 10 -> {
                    if (random.nextInt(3) == 0) {
                        transport.crash();
                        sent = transport.topic("c-0").size();
                        if (random.nextBoolean()) {
                            forget("c-0", random);
                            forget(RETRIES, random);
                        }
                        loops = loops();
                        running = chain.on(transport)
                                .with(loops)
                                .onError(errors)
                                .batch(batch)
                                .start();
                    }
                }
                default -> {}
            }
            store("c-0");
            loops.turn();
            assertThat(running.failure()).as("seed " + seed).isEmpty();
        }
        for (int i = 0; i < 400; i++) {
            transport.store();
            clock.pass(PAUSE);
            loops.turn();
        }
        assertThat(part(running).input().waiting()).as("seed " + seed).isZero();
        List<Long> inputs = values("c-0");
        List<Long> outputs = values("c-1");
        assertThat(new HashSet<>(outputs))
                .as("outputs sent twice, seed " + seed)
                .hasSameSizeAs(outputs);
        List<Long> due =
                new ArrayList<>(inputs.stream().filter(PerKeyRetryTest::isSent).toList());
        if (endsWithLetters) {
            List<Long> letters = new ArrayList<>();
            DeadLetter.readAll(transport, "c-0.dead-letters", letter -> letters.add(number(letter.payload())));
            assertThat(letters).as("letters, seed " + seed).doesNotHaveDuplicates();
            due.removeAll(letters);
        }
        assertThat(outputs).as("seed " + seed).containsExactlyInAnyOrderElementsOf(due);
        for (long key : List.of(0L, 1L, 2L, KEYLESS)) {
            assertThat(outputs.stream().filter(each -> each % 10 == key))
                    .as("order of key " + key + ", seed " + seed)
                    .isSorted();
        }
        running.close(Duration.ofSeconds(10));
        loops.close();
    }

    private static boolean isSent(long value) {
        return value / 10 % 5 != 0;
    }

    private static long number(byte[] payload) {
        return ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN).getLong();
    }

    /** Fails at random; filters every fifth message. */
    private static final class Fickle implements Service {
        private final Random random;
        private final boolean failsForGood;

        Fickle(Random random, boolean failsForGood) {
            this.random = random;
            this.failsForGood = failsForGood;
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            long value = in.getLong(0);
            if (random.nextInt(3) == 0 || failsForGood && value / 10 % 7 == 0) {
                throw new IllegalStateException("no " + value);
            }
            if (isSent(value)) {
                out.forward(in);
            }
        }
    }

    private List<Long> values(String topic) {
        return transport.frames(topic).stream()
                .peek(each -> assertThat(each.validate()).isNull())
                .map(each -> each.getLong(0))
                .toList();
    }

    private void store(String topic) {
        HostileTransport.Topic of = transport.topic(topic);
        of.stored = of.size();
    }

    private void forget(String topic, Random random) {
        transport
                .topic(topic)
                .acknowledged
                .replaceAll((consumer, position) -> position - random.nextInt(1 + (int) (long) position));
    }

    private Loops loops() {
        return Loops.manual().in(clock);
    }

    private RunningChain start(Loops loops) {
        Chain chain = Chain.named("c").then("s1", () -> this::forward).build();
        return deployed(chain, loops)
                .listen(new Events())
                .onOutput(in -> received.add(in.getLong(0)))
                .start();
    }

    private Deployment deployed(Chain chain, Loops loops) {
        return chain.on(transport).with(loops).onError(errors).checksums(true).wallClock(true);
    }

    private void forward(Message in, Outlet out) {
        if (failing.contains(in.getLong(0))) {
            throw new IllegalStateException("no " + in.getLong(0));
        }
        handled.add(in.getLong(0));
        out.forward(in);
    }

    /** Sends messages whose last digit is the key. */
    private static void send(RunningChain running, long... values) {
        for (long value : LongStream.of(values).toArray()) {
            ByteBuffer key =
                    value % 10 == KEYLESS ? null : ByteBuffer.allocate(8).putLong(0, value % 10);
            running.inlet()
                    .tryClaim(Long.BYTES, new MessageFields().originNanos(value).key(key))
                    .type(7)
                    .putLong(0, value)
                    .commit(Long.BYTES);
        }
    }

    private static void turn(Loops loops) {
        for (int i = 0; i < 60; i++) {
            loops.turn();
        }
    }

    private void storeAndTurn(Loops loops) {
        for (int i = 0; i < 12; i++) {
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
