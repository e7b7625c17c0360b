package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Deployment.UnreadableFrames;
import dev.baton.deadletters.DeadLetter;
import dev.baton.deadletters.Redrive;
import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import dev.baton.spi.errors.DamagedTopicException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A reader that meets flags which it does not know says so, and takes the frame for nothing else. */
class ForeignFlagsTest {
    private static final int FLAGS_OFFSET = 1;

    @ParameterizedTest
    @ValueSource(ints = {0x01, 0x0E, 0x10, 0x1F, 0x80, 0xE0, 0xF1, 0xFE})
    void unknownFlagsStopTheChainAndAreNamed(int flags) {
        HostileTransport transport = new HostileTransport();
        List<Integer> served = new ArrayList<>();
        try (Loops loops = Loops.manual();
                RunningChain running = Chain.named("c")
                        .then("one", () -> (in, out) -> served.add(in.length()))
                        .build()
                        .on(transport)
                        .with(loops)
                        .onFailure(cause -> {})
                        .start()) {
            running.inlet().send(new byte[8]);
            transport.topic("c-0").get(0)[FLAGS_OFFSET] = (byte) flags;
            loops.turn();

            assertThat(running.failure().orElseThrow())
                    .isInstanceOf(DamagedTopicException.class)
                    .hasMessageContaining("topic c-0")
                    .hasMessageContaining("flags 0x" + Integer.toHexString(flags));
        }
        assertThat(served).isEmpty();
    }

    @Test
    void messageAfterSkippedOneMayFailAndRepeat() {
        List<Long> handled = new ArrayList<>();
        AtomicInteger failures = new AtomicInteger(1);
        HostileTransport transport = new HostileTransport();
        Chain chain = Chain.named("c")
                .then("s1", () -> (in, out) -> {
                    if (in.sequence() == 3 && failures.getAndDecrement() > 0) {
                        throw new IllegalStateException("fails once");
                    }
                    handled.add(in.sequence());
                })
                .build();
        try (Loops loops = Loops.manual();
                RunningChain running = chain.on(transport)
                        .with(loops)
                        .onUnreadable(UnreadableFrames.SKIP)
                        .onError(ErrorPolicy.retry(1))
                        .start()) {
            for (int i = 0; i < 4; i++) {
                running.inlet().send(new byte[1]);
            }
            transport.topic("c-0").get(1)[FLAGS_OFFSET] = 0x55;
            loops.turn();
            loops.turn();

            assertThat(running.failure()).isEmpty();
            assertThat(handled).containsExactly(1L, 3L, 4L);
        }
    }

    @Test
    void closeEndsBehindSkippedLastMessage() {
        List<Long> handled = new ArrayList<>();
        HostileTransport transport = new HostileTransport();
        Chain chain = Chain.named("c")
                .then("s1", () -> (in, out) -> handled.add(in.sequence()))
                .build();
        try (Loops loops = Loops.manual();
                RunningChain running = chain.on(transport)
                        .with(loops)
                        .onUnreadable(UnreadableFrames.SKIP)
                        .start()) {
            running.inlet().send(new byte[1]);
            running.inlet().send(new byte[1]);
            transport.topic("c-0").get(1)[FLAGS_OFFSET] = 0x55;
            loops.turn();
            assertThat(running.close(Duration.ofSeconds(2))).isTrue();
        }
        assertThat(handled).containsExactly(1L);
    }

    @Test
    void remedyForUnreadableFrameIsGivenOnce() {
        HostileTransport transport = new HostileTransport();
        List<Throwable> failures = new ArrayList<>();
        Chain chain =
                Chain.named("c").then("s1", () -> (in, out) -> out.forward(in)).build();
        try (Loops loops = Loops.manual();
                RunningChain running =
                        chain.on(transport).with(loops).onFailure(failures::add).start()) {
            running.inlet().send(new byte[1]);
            transport.topic("c-0").get(0)[FLAGS_OFFSET] = 0x55;
            loops.turn();
        }
        assertThat(failures)
                .singleElement()
                .satisfies(failure -> assertThat(failure.getMessage().split("To skip such records"))
                        .hasSize(2));
    }

    @Test
    void skippedLastFrameIsAcknowledged() {
        HostileTransport transport = new HostileTransport();
        Chain chain =
                Chain.named("c").then("s1", () -> (in, out) -> out.forward(in)).build();
        try (Loops loops = Loops.manual();
                RunningChain running = chain.on(transport)
                        .with(loops)
                        .onUnreadable(UnreadableFrames.SKIP)
                        .start()) {
            running.inlet().send(new byte[1]);
            loops.turn();
            running.inlet().send(new byte[1]);
            transport.topic("c-0").get(1)[FLAGS_OFFSET] = 0x55;
            loops.turn();
            loops.turn();
            assertThat(running.failure()).isEmpty();
        }
        assertThat(transport.topic("c-0").acknowledged).containsEntry("s1", 2L);
    }

    @Test
    void unreadableFrameBecomesDeadLetterBeforeSkip() {
        HostileTransport transport = new HostileTransport();
        transport.room = 64;
        List<Long> handled = new ArrayList<>();
        Chain chain = Chain.named("c")
                .then("s1", () -> (in, out) -> handled.add(in.sequence()))
                .build();
        try (Loops loops = Loops.manual();
                RunningChain running = chain.on(transport)
                        .with(loops)
                        .onUnreadable(UnreadableFrames.DEAD_LETTER)
                        .start()) {
            for (int i = 1; i <= 4; i++) {
                running.inlet().send(new byte[] {(byte) i, 9});
            }
            transport.topic("c-0").get(1)[FLAGS_OFFSET] = 0x55;
            transport.storesLate = true;
            loops.turn();
            loops.turn();
            assertThat(handled).as("what is behind it waits").containsExactly(1L);
            assertThat(transport.topic("c-0").acknowledged.get("s1")).isLessThan(2);
            transport.store();
            loops.turn();
            transport.store();
            loops.turn();

            assertThat(running.failure()).isEmpty();
            assertThat(handled).containsExactly(1L, 3L, 4L);
            assertThat(running.status().parts().get(0).input().skipped()).isEqualTo(1);
        }
        List<DeadLetter> letters = new ArrayList<>();
        DeadLetter.readAll(transport, "c-0.dead-letters", letters::add);
        assertThat(letters).singleElement().satisfies(letter -> {
            assertThat(letter.attempts()).isZero();
            assertThat(letter.sequence()).isZero();
            assertThat(letter.exception()).isEqualTo(DamagedTopicException.class.getName());
            assertThat(letter.text()).contains("topic c-0, position 2", "flags 0x55");
            assertThat(letter.payload()).containsExactly(2, 9);
        });
        assertThat(Redrive.run(transport, "c-0.dead-letters", (letter, sequence) -> {}))
                .isEqualTo(new Redrive.Report("c-0", 0, 0, 0, 1, 0));
    }

    @Test
    void letterOfRecordHidesNoMessageAfterRestart() {
        HostileTransport transport = new HostileTransport();
        transport.room = 64;
        List<Long> handled = new ArrayList<>();
        Chain chain = Chain.named("c")
                .then("s1", () -> (in, out) -> {
                    if (in.sequence() == 3) {
                        throw new IllegalStateException("no 3");
                    }
                    handled.add(in.sequence());
                })
                .build();
        for (int run = 1; run <= 2; run++) {
            try (Loops loops = Loops.manual();
                    RunningChain running = chain.on(transport)
                            .with(loops)
                            .onUnreadable(UnreadableFrames.DEAD_LETTER)
                            .onError(ErrorPolicy.deadLetter())
                            .start()) {
                for (int i = 0; run == 1 && i < 4; i++) {
                    running.inlet().send(new byte[1]);
                }
                transport.topic("c-0").get(3)[FLAGS_OFFSET] = 0x55;
                for (int i = 0; i < 10; i++) {
                    loops.turn();
                }
                assertThat(running.failure()).isEmpty();
                running.close(Duration.ofMillis(1)); // the inlet waits for what the record has hidden
            }
            transport.topic("c-0").acknowledged.put("s1", 0L);
        }
        assertThat(handled).containsExactly(1L, 2L, 1L, 2L);
        List<Long> letters = new ArrayList<>();
        DeadLetter.readAll(transport, "c-0.dead-letters", letter -> letters.add(letter.sequence()));
        assertThat(letters).as("only that of the record is written again").containsExactly(3L, 0L, 0L);
    }
}
