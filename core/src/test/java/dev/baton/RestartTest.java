package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Deployment.ReplacedInput;
import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import dev.baton.spi.errors.TransportException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What a chain owes its users when it starts again over topics that already hold something. */
class RestartTest {
    private final HostileTransport transport = new HostileTransport();
    private final List<Long> received = new ArrayList<>();
    private ReplacedInput replacedInput = ReplacedInput.REFUSE;

    @Test
    void aRestartedChainGoesOnWhereItStopped() {
        run((in, out) -> out.forward(in), 1, 5, true);
        run((in, out) -> out.forward(in), 6, 8, true);
        assertThat(received).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
        assertThat(transport.frames("c-1").get(7).sequence()).isEqualTo(8);
    }

    @Test
    void answeredInputsAreDroppedAfterACrash() {
        // the output of 1..5 is stored, but the crash comes before any input is acknowledged
        run((in, out) -> out.forward(in), 1, 5, true);
        transport.topic("c-0").acknowledged.put("s1", 0L);
        run((in, out) -> out.forward(in), 6, 6, true);
        assertThat(transport.frames("c-1").stream().map(frame -> frame.getLong(0)))
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 6).boxed().toList());
    }

    @Test
    void unstoredOutputsAreRepeatedAfterACrash() {
        transport.storesLate = true;
        run((in, out) -> out.forward(in), 1, 3, false);
        transport.topic("c-0").stored = 3; // the inlet's frames made it, the service's did not
        transport.topic("c-1").stored = 1;
        transport.crash();
        transport.storesLate = false;
        received.clear();
        transport.topic("c-1").acknowledged.put("sink", 1L);
        run((in, out) -> out.forward(in), 4, 4, true);
        assertThat(received).containsExactly(2L, 3L, 4L);
    }

    @Test
    void serviceWithSeveralOutputsRepeatsOneInputOnly() {
        Service twice = new Service() {
            @Override
            public void onMessage(Message in, Outlet out) {
                out.forward(in);
                out.forward(in);
            }

            @Override
            public int maxOutputs() {
                return 2;
            }
        };
        run(twice, 1, 3, true);
        transport.topic("c-0").acknowledged.put("s1", 0L);
        transport.topic("c-1").stored = 5; // the second output of input 3 was lost
        transport.crash();
        transport.topic("c-1").acknowledged.put("sink", 5L);
        run(twice, 4, 4, true);
        assertThat(transport.frames("c-1").stream().map(frame -> frame.getLong(0)))
                .containsExactly(1L, 1L, 2L, 2L, 3L, 3L, 3L, 4L, 4L);
    }

    @Test
    void outputsOfADeletedInputTopicAreDetected() {
        run((in, out) -> out.forward(in), 1, 5, true);
        transport.deleteTopics(List.of("c-0"));
        assertStartIsRefused(
                "'c-1' answers inputs up to 5 of topic 'c-0', but that topic was deleted and created again");
        assertThat(transport.openConnections).isZero();
    }

    @Test
    void deletedInletTopicDropsNoNewMessage() {
        run((in, out) -> out.forward(in), 1, 5, true);
        transport.deleteTopics(List.of("c-0"));
        assertThatThrownBy(() -> run((in, out) -> out.forward(in), 6, 15, true), "a start that drops inputs 6 to 10")
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("ReplacedInput.HANDLE_ALL");
        replacedInput = ReplacedInput.HANDLE_ALL;
        run((in, out) -> out.forward(in), 6, 15, true);
        assertThat(received)
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 15).boxed().toList());
    }

    @Test
    void laterWritersFramesWithAnsweredSequencesAreDelivered() {
        run((in, out) -> out.forward(in), 1, 5, true);
        // the first topic is restored from a copy of three frames, and a sender goes on there
        transport.topic("c-0").frames.subList(3, 5).clear();
        transport.topic("c-0").acknowledged.put("s1", 3L);
        sendOnly(6, 8);
        List<Throwable> failures = new ArrayList<>();
        start((in, out) -> out.forward(in), failures);
        assertThat(failures)
                .as("what stops a chain that would drop frames 4 and 5 of the later writer")
                .singleElement()
                .satisfies(failure -> assertThat(failure)
                        .hasMessageContaining("frame 4 was written by a later writer")
                        .hasMessageContaining("Nothing was dropped"));
        replacedInput = ReplacedInput.HANDLE_ALL;
        run((in, out) -> out.forward(in), 9, 9, true);
        assertThat(received).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
    }

    @Test
    void chainWithOtherServicesIsRefusedShowingBoth() {
        run((in, out) -> out.forward(in), 1, 2, true);
        try (Loops loops = Loops.manual()) {
            Deployment deployment = Chain.named("c")
                    .then("before", () -> (in, out) -> out.forward(in))
                    .then("s1", () -> (in, out) -> out.forward(in))
                    .build()
                    .on(transport)
                    .with(loops)
                    .onFailure(failure -> {})
                    .from(out -> 0);
            assertThatThrownBy(deployment::start, "the start of another chain")
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("it was s1, it is before > s1");
        }
        assertThat(transport.openConnections).isZero();
    }

    @Test
    void inputEndingBeforeAnsweredSequenceIsDetected() {
        run((in, out) -> out.forward(in), 1, 5, true);
        transport.topic("c-0").frames.subList(3, 5).clear(); // restored from a copy of three frames
        transport.topic("c-0").acknowledged.put("s1", 3L);
        assertStartIsRefused("'c-1' answers inputs up to 5 of topic 'c-0', but that topic ends at 3");
        replacedInput = ReplacedInput.HANDLE_ALL;
        run((in, out) -> out.forward(in), 6, 8, true);
        assertThat(received).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
    }

    private void assertStartIsRefused(String why) {
        try (Loops loops = Loops.manual()) {
            Deployment deployment = Chain.named("c")
                    .then("s1", () -> (in, out) -> out.forward(in))
                    .build()
                    .on(transport)
                    .with(loops)
                    .onFailure(failure -> {})
                    .from(out -> 0);
            assertThatThrownBy(deployment::start, "a start that would drop inputs that were never handled")
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining(why);
        }
    }

    /** Sends without a service. */
    private void sendOnly(long from, long to) {
        try (Loops loops = Loops.manual();
                RunningChain running = Chain.named("c")
                        .then("s1", () -> (in, out) -> {})
                        .build()
                        .on(transport)
                        .with(loops)
                        .only()
                        .start()) {
            for (long value = from; value <= to; value++) {
                running.inlet().tryClaim(8).putLong(0, value).commit(8);
            }
        }
    }

    private void start(Service service, List<Throwable> failures) {
        try (Loops loops = Loops.manual()) {
            RunningChain running = Chain.named("c")
                    .then("s1", () -> service)
                    .build()
                    .on(transport)
                    .with(loops)
                    .onFailure(failures::add)
                    .start();
            loops.turn();
            running.close();
        }
    }

    private void run(Service service, long from, long to, boolean isDraining) {
        try (Loops loops = Loops.manual();
                RunningChain running = Chain.named("c")
                        .then("s1", () -> service)
                        .build()
                        .on(transport)
                        .with(loops)
                        .replacedInput(replacedInput)
                        .onOutput(in -> received.add(in.getLong(0)))
                        .start()) {
            for (long value = from; value <= to; value++) {
                Claim claim = running.inlet().tryClaim(8);
                while (claim == null) {
                    loops.turn();
                    claim = running.inlet().tryClaim(8);
                }
                claim.putLong(0, value).commit(8);
            }
            loops.turn();
            assertThat(running.close(isDraining ? RunningChain.CLOSE_LIMIT : java.time.Duration.ofMillis(20)))
                    .isEqualTo(isDraining);
        }
    }
}
