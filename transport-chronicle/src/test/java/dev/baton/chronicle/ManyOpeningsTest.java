package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Chain;
import dev.baton.Deployment.ReplacedInput;
import dev.baton.RunningChain;
import dev.baton.chronicle.directory.TopicHistory;
import dev.baton.chronicle.platform.Device;
import dev.baton.run.Loops;
import dev.baton.spi.TopicInspector;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A topic that was opened more often than any log of its openings is long. */
class ManyOpeningsTest {
    private static final int OPENINGS = 1_200;
    private static final int TURNS = 1_000;
    private static final Chain CHAIN =
            Chain.named("desk").then("pass", () -> (in, out) -> out.forward(in)).build();

    private final TemporaryDirectory directory = new TemporaryDirectory();

    @AfterEach
    void remove() {
        directory.close();
    }

    @Test
    void aRefilledInputComesOutAfterManyOpenings() {
        try (ChronicleTransport transport = ChronicleTransport.in(directory.path(), Topic.SMALL)) {
            send(transport, 200);
            handle(transport);
            assertThat(outputs(transport)).isEqualTo(200);

            openManyTimes(CHAIN.topic(0, 1), 201);
            transport.deleteTopics(List.of(CHAIN.topic(0, 0)));
            send(transport, 250);
            handle(transport);

            assertThat(outputs(transport)).as("200, and all of the 250").isEqualTo(450);
        }
    }

    private static void send(ChronicleTransport transport, int messages) {
        try (Loops loops = Loops.manual();
                RunningChain running = CHAIN.on(transport).with(loops).only().start()) {
            for (int i = 0; i < messages; i++) {
                running.inlet().tryClaim(Long.BYTES).putLong(0, i).commit(Long.BYTES);
            }
        }
    }

    /** Runs the service for more turns than the messages need. */
    private static void handle(ChronicleTransport transport) {
        try (Loops loops = Loops.manual();
                RunningChain running = CHAIN.on(transport)
                        .with(loops)
                        .replacedInput(ReplacedInput.HANDLE_ALL)
                        .start()) {
            for (int turn = 0; turn < TURNS; turn++) {
                loops.turn();
            }
            assertThat(running.failure()).isEmpty();
        }
    }

    /** Adds to the topic's history what that many openings of its writer add, without the time that these take. */
    private void openManyTimes(String topic, long first) {
        TopicHistory history = TopicHistory.read(topic, directory.path().resolve(topic));
        for (int i = 0; i < OPENINGS; i++) {
            history = history.begin(topic, "", first, 0, Device.NONE);
        }
    }

    private static long outputs(ChronicleTransport transport) {
        try (TopicInspector inspector = transport.inspect(CHAIN.topic(0, 1))) {
            return inspector.newestSequence();
        }
    }
}
