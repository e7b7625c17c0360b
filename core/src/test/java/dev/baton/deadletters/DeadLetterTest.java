package dev.baton.deadletters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.baton.Chain;
import dev.baton.ErrorPolicy;
import dev.baton.Message;
import dev.baton.MessageFields;
import dev.baton.Outlet;
import dev.baton.RunningChain;
import dev.baton.Service;
import dev.baton.ServiceContext;
import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import dev.baton.spi.Guarantee;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What becomes of messages that a service gives up on, and of those behind them. */
class DeadLetterTest {
    private static final String LETTERS = "c-0.dead-letters";
    private static final int AT_BEFORE = 4; // where its input is not acknowledged yet

    private final HostileTransport transport = new HostileTransport();
    private final List<Long> received = new ArrayList<>();
    private final Set<Long> poison = new TreeSet<>(List.of(2L));
    private ErrorPolicy errors = ErrorPolicy.deadLetter();
    private Loops turning;
    private String lettersTopic = LETTERS;
    private int calls;
    private long sent;

    DeadLetterTest() {
        transport.room = 64;
    }

    @Test
    void deadLetterHasMessageAndWhatWentWrong() {
        errors = ErrorPolicy.retry(2).thenDeadLetter();
        run(3);
        assertThat(received).containsExactly(1L, 3L);
        assertThat(letters()).singleElement().satisfies(letter -> {
            assertThat(letter.topic()).isEqualTo("c-0");
            assertThat(letter.service()).isEqualTo("s1");
            assertThat(letter.sequence()).isEqualTo(2);
            assertThat(letter.attempts()).isEqualTo(3);
            assertThat(letter.exception()).isEqualTo(IllegalStateException.class.getName());
            assertThat(letter.text()).isEqualTo("no 2");
            assertThat(letter.type()).isEqualTo(7);
            assertThat(letter.payload()).containsExactly(2, 0, 0, 0, 0, 0, 0, 0);
        });
        assertThat(calls).isEqualTo(3 + 2);
        assertThat(transport.topic("c-0").acknowledged).containsEntry("s1", 3L);
    }

    @Test
    void handlersGetMessagesWhoseLettersAreStored() {
        List<String> handled = new ArrayList<>();
        errors = ErrorPolicy.retry(2).thenDeadLetter((service, in, attempts, cause) -> {
            handled.add(service + " " + in.sequence() + " " + in.getLong(0) + " " + attempts + " " + cause.getMessage()
                    + " " + transport.topic(LETTERS).stored);
            throw new IOException("the handler's failure is logged");
        });
        run(3);
        assertThat(handled).containsExactly("s1 2 2 3 no 2 2");
        assertThat(received).containsExactly(1L, 3L);
        assertThat(letters()).hasSize(1);
    }

    @Test
    void letterAndRedriveKeepOriginOfFirstTopic() {
        long origin = System.nanoTime() - TimeUnit.SECONDS.toNanos(10);
        try (Loops loops = Loops.manual();
                RunningChain running = start(loops)) {
            running.inlet()
                    .tryClaim(8, new MessageFields().originNanos(origin))
                    .putLong(0, 2)
                    .commit(8);
            turn(loops);
        }
        transport.with(Guarantee.EXCLUSIVE);
        Redrive.run(transport, LETTERS, (letter, sequence) -> {});
        assertThat(transport.frames(LETTERS).get(1).originNanos()).isEqualTo(origin);
        assertThat(transport.frames("c-0").get(1).originNanos()).isCloseTo(origin, within(TimeUnit.SECONDS.toNanos(1)));
    }

    @Test
    void handlersAreChosenByClass() {
        List<Long> handled = new ArrayList<>();
        poison.add(3L);
        errors = ErrorPolicy.deadLetter()
                .on(
                        IllegalStateException.class,
                        ErrorPolicy.deadLetter((service, in, attempts, cause) -> handled.add(in.sequence())));
        run(4);
        assertThat(handled).containsExactly(2L, 3L);
    }

    @Test
    void messageIsAcknowledgedAfterItsLetterIsStored() {
        transport.storesLate = true;
        try (Loops loops = Loops.manual();
                RunningChain running = start(loops)) {
            send(running, 3);
            transport.store();
            turn(loops);
            transport.topic("c-1").stored = transport.topic("c-1").size();
            turn(loops);
            assertThat(received).as("what is behind it waits").containsExactly(1L);
            assertThat(transport.topic("c-0").acknowledged).containsEntry("s1", 1L);
            transport.store();
            turn(loops);
            transport.store();
            turn(loops);
            assertThat(received).containsExactly(1L, 3L);
            assertThat(transport.topic("c-0").acknowledged).containsEntry("s1", 3L);
            assertThat(calls)
                    .as("deliveries: a message is not handled again for its letter")
                    .isEqualTo(3);
        }
    }

    @Test
    void crashBehindStoredLetterDoesNotRepeatIt() {
        run(2);
        transport.topic("c-0").acknowledged.put("s1", 0L);
        run(1);
        assertThat(received).containsExactly(1L, 3L);
        assertThat(letters()).extracting(DeadLetter::sequence).containsExactly(2L);
    }

    @Test
    void crashBehindSeveralLettersRepeatsNone() {
        poison.addAll(List.of(3L, 4L, 6L));
        run(7);
        transport.topic("c-0").acknowledged.put("s1", 1L);
        transport.topic("c-1").acknowledged.put("sink", 1L);
        poison.clear(); // what has failed would succeed now
        run(1);
        assertThat(received).containsExactly(1L, 5L, 7L, 5L, 7L, 8L);
        assertThat(transport.frames("c-1")).hasSize(4);
        assertThat(letters()).extracting(DeadLetter::sequence).containsExactly(2L, 3L, 4L, 6L);
    }

    @Test
    void storedLetterIsKnownBehindEarlierWriter() {
        run(1);
        run(1); // by another writer
        transport.topic("c-0").acknowledged.put("s1", 0L);
        run(1);
        assertThat(received).containsExactly(1L, 3L);
        assertThat(letters()).extracting(DeadLetter::sequence).containsExactly(2L);
    }

    @Test
    void letterThatCrashCutOffIsWrittenAgain() {
        run(2);
        transport.topic(LETTERS).stored = 1; // the description without its message
        transport.crash();
        transport.topic("c-0").acknowledged.put("s1", 1L);
        run(1);
        assertThat(received).containsExactly(1L, 3L);
        assertThat(letters()).extracting(DeadLetter::sequence).containsExactly(2L);
        assertThat(transport.frames(LETTERS)).hasSize(3);
    }

    @Test
    void letterOfDeletedTopicHidesNoNewMessage() {
        poison.add(3L);
        run(2);
        transport.deleteTopics(List.of("c-0", "c-1"));
        poison.clear();
        sent = 0;
        run(3);
        assertThat(received).containsExactly(1L, 1L, 2L, 3L);
    }

    @Test
    void lettersWaitForRoomWithoutAnotherDelivery() {
        transport.room = AT_BEFORE;
        poison.addAll(List.of(1L, 3L)); // two letters fill the topic, which nobody reads
        try (Loops loops = Loops.manual();
                RunningChain running = start(loops)) {
            send(running, 3);
            turn(loops);
            assertThat(letters()).extracting(DeadLetter::sequence).containsExactly(1L, 2L);
            assertThat(calls).isEqualTo(3);
            transport.room = 64;
            turn(loops);
            assertThat(letters()).extracting(DeadLetter::sequence).containsExactly(1L, 2L, 3L);
            assertThat(calls).isEqualTo(3);
        }
    }

    @Test
    void unwritableDeadLetterTopicStopsTheChain() {
        transport.duringFlush = topic -> {
            if (topic == transport.topic(LETTERS)) {
                throw new TransportException("no space left");
            }
        };
        try (Loops loops = Loops.manual();
                RunningChain running = start(loops)) {
            send(running, 3);
            turn(loops);
            assertThat(running.failure().orElseThrow()).hasMessageContaining("no space left");
            assertThat(calls).as("deliveries").isEqualTo(2);
            assertThat(transport.topic("c-0").acknowledged).containsEntry("s1", 1L);
        }
        transport.duringFlush = topic -> {};
        run(1);
        assertThat(letters()).extracting(DeadLetter::sequence).containsExactly(2L);
        assertThat(received).containsExactly(1L, 3L, 4L);
    }

    @Test
    void holdingServiceRepeatsNoLetterOfRedeliveredInputs() {
        Service holding = new Service() {
            private ServiceContext context;

            @Override
            public void onStart(ServiceContext given) {
                context = given;
            }

            @Override
            public boolean holdsInputs() {
                return true;
            }

            @Override
            public boolean isFailureAtomic() {
                return true;
            }

            @Override
            public void onMessage(Message in, Outlet out) {
                context.holdFrom(1);
                forward(in, out);
            }
        };
        Supplier<RunningChain> starting = () -> Chain.named("c")
                .then("s1", () -> holding)
                .build()
                .on(transport)
                .with(turning)
                .onError(errors)
                .onOutput(in -> received.add(in.getLong(0)))
                .start();
        poison.add(3L);
        for (int i = 1; i <= 2; i++) {
            try (Loops loops = Loops.manual()) {
                turning = loops;
                try (RunningChain running = starting.get()) {
                    send(running, i == 1 ? 4 : 1);
                    turn(loops);
                }
            }
        }
        assertThat(received).containsExactly(1L, 4L, 5L);
        assertThat(letters()).extracting(DeadLetter::sequence).containsExactly(2L, 3L);
    }

    @Test
    void frameTooShortForDescriptionIsRefused() {
        transport.maxPayload = 63;
        try (Loops loops = Loops.manual()) {
            assertThatThrownBy(() -> start(loops))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("63")
                    .hasMessageContaining("64");
        }
        transport.maxPayload = 64;
        run(3);
        assertThat(letters()).singleElement().satisfies(letter -> {
            assertThat(letter.sequence()).isEqualTo(2);
            assertThat(letter.topic()).isEqualTo("c-0");
            assertThat(letter.service()).isEqualTo("s1");
        });
    }

    @Test
    void descriptionWithOversizedTextsIsNoLetter() {
        sendDescription(1, (short) -1);
        assertThatThrownBy(this::letters)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is it a dead-letter topic?");
    }

    /** A frame into topic 0 that has a description's type, version and origin, and this length of its first text. */
    private void sendDescription(int version, short length) {
        try (Loops loops = Loops.manual();
                RunningChain running =
                        Chain.named("x").build().on(transport).with(loops).start()) {
            running.inlet()
                    .tryClaim(64, new MessageFields().originNanos(0))
                    .type(DeadLetter.DESCRIPTION)
                    .putInt(0, version)
                    .putShort(16, length)
                    .commit(24);
        }
        lettersTopic = "x-0";
    }

    @Test
    void thePolicyOfTheNearestClassCounts() {
        errors = ErrorPolicy.stop()
                .on(Exception.class, ErrorPolicy.retry(1).thenDeadLetter())
                .on(RuntimeException.class, ErrorPolicy.deadLetter());
        run(3);
        assertThat(letters()).extracting(DeadLetter::attempts).containsExactly(1);
        assertThatThrownBy(() -> errors.on(Exception.class, ErrorPolicy.stop()))
                .hasMessageContaining("java.lang.Exception has a policy already");
        assertThatThrownBy(() -> errors.on(IOException.class, errors))
                .hasMessageContaining("must not contain policies by class");
    }

    @Test
    void servicesOwnPolicyCountsBeforeThatOfDeployment() {
        try (Loops loops = Loops.manual();
                RunningChain running = Chain.named("c")
                        .then("s1", () -> this::forward, ErrorPolicy.deadLetter())
                        .then("s2", () -> (in, out) -> out.forward(in))
                        .build()
                        .on(transport)
                        .with(loops)
                        .onError(ErrorPolicy.stop())
                        .onOutput(in -> received.add(in.getLong(0)))
                        .start()) {
            send(running, 3);
            turn(loops);
        }
        assertThat(received).containsExactly(1L, 3L);
        assertThat(transport.topics()).containsExactlyInAnyOrder("c-0", "c-1", "c-2", LETTERS);
    }

    @Test
    void pauseBeforeRetryHoldsUpNoOtherChain() {
        errors = ErrorPolicy.retry(1).after(Duration.ofHours(1)).thenDeadLetter();
        List<Long> others = new ArrayList<>();
        try (Loops loops = Loops.manual();
                RunningChain running = start(loops);
                RunningChain other = Chain.named("other")
                        .then("s1", () -> (in, out) -> out.forward(in))
                        .build()
                        .on(transport)
                        .with(loops)
                        .onOutput(in -> others.add(in.getLong(0)))
                        .start()) {
            send(running, 3);
            send(other, 2);
            turn(loops);
            assertThat(received).as("in order: what is behind waits").containsExactly(1L);
            assertThat(calls).as("deliveries before the pause is over").isEqualTo(2);
            assertThat(others).containsExactly(4L, 5L);
            running.close(Duration.ZERO);
        }
    }

    @Test
    void messageIsDeliveredAgainWhenPauseIsOver() {
        errors = ErrorPolicy.retry(3).after(Duration.ofMillis(2)).thenDeadLetter();
        long begin = System.nanoTime();
        run(3);
        assertThat(letters()).extracting(DeadLetter::attempts).containsExactly(4);
        assertThat(System.nanoTime() - begin).as("three pauses, in ns").isGreaterThan(3 * 2_000_000L);
    }

    @Test
    void longTextIsCutToWhatFrameTakes() {
        errors = ErrorPolicy.deadLetter();
        poison.clear();
        try (Loops loops = Loops.manual();
                RunningChain running = Chain.named("c")
                        .then("s1", () -> (in, out) -> {
                            throw new IOException("ä".repeat(5_000));
                        })
                        .build()
                        .on(transport)
                        .with(loops)
                        .onError(errors)
                        .onOutput(in -> {})
                        .start()) {
            send(running, 1);
            turn(loops);
        }
        assertThat(letters()).singleElement().satisfies(letter -> {
            assertThat(letter.exception()).isEqualTo("java.io.IOException");
            assertThat(letter.text()).matches("ä{400,510}");
        });
    }

    @Test
    void outputHandlersLettersAreThoseOfOutlet() {
        try (Loops loops = Loops.manual();
                RunningChain running = Chain.named("c")
                        .build()
                        .on(transport)
                        .with(loops)
                        .onError(ErrorPolicy.deadLetter())
                        .onOutput(in -> {
                            throw new IllegalStateException("cannot");
                        })
                        .start()) {
            send(running, 2);
            turn(loops);
        }
        assertThat(letters()).extracting(DeadLetter::service).containsExactly("sink", "sink");
    }

    @Test
    void aTransportThatForgetsIsRefused() {
        transport.without(Guarantee.DURABLE);
        try (Loops loops = Loops.manual()) {
            assertThatThrownBy(() -> start(loops))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("dead letters would be lost");
        }
    }

    @Test
    void topicWithOtherContentIsRefusedForLetters() {
        run(1);
        assertThatThrownBy(() -> DeadLetter.readAll(transport, "c-0", letter -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is it a dead-letter topic?");
    }

    @Test
    void deadLetterTopicIsNamedAfterItsInput() {
        assertThat(Chain.named("c").then("s1", () -> this::forward).build().deadLetterTopic(2, "s1"))
                .isEqualTo("c--2-0.dead-letters");
        assertThat(DeadLetter.inputOf("c--2-0.dead-letters")).isEqualTo("c--2-0");
        assertThat(DeadLetter.inputOf("c-0.dead-letters@3")).isEqualTo("c-0@3");
        assertThat(DeadLetter.inputOf("c-0")).isNull();
    }

    @Test
    void pausesOutOfRangeAreRefused() {
        assertThatThrownBy(() -> ErrorPolicy.retry(1).after(Duration.ofNanos(-1)))
                .hasMessageContaining("0 to PT1H is allowed");
        assertThatThrownBy(() -> ErrorPolicy.retry(1).after(Duration.ofHours(2)))
                .hasMessageContaining("0 to PT1H is allowed");
        assertThatThrownBy(() -> ErrorPolicy.stop().after(Duration.ZERO)).hasMessageContaining("without retries");
    }

    private void forward(Message in, Outlet out) {
        calls++;
        out.forward(in);
        if (poison.contains(in.getLong(0))) {
            throw new IllegalStateException("no " + in.getLong(0));
        }
    }

    private RunningChain start(Loops loops) {
        return Chain.named("c")
                .then("s1", () -> this::forward)
                .build()
                .on(transport)
                .with(loops)
                .onError(errors)
                .onFailure(failure -> {})
                .onOutput(in -> received.add(in.getLong(0)))
                .start();
    }

    private void run(int messages) {
        try (Loops loops = Loops.manual();
                RunningChain running = start(loops)) {
            send(running, messages);
            turn(loops);
        }
    }

    private void send(RunningChain running, int messages) {
        for (int i = 0; i < messages; i++) {
            running.inlet().tryClaim(8).type(7).putLong(0, ++sent).commit(8);
        }
    }

    private static void turn(Loops loops) {
        for (int i = 0; i < 10; i++) {
            loops.turn();
        }
    }

    private List<DeadLetter> letters() {
        List<DeadLetter> all = new ArrayList<>();
        DeadLetter.readAll(transport, lettersTopic, all::add);
        return all;
    }
}
