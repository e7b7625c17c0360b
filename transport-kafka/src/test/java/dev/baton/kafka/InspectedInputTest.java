package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.InputRef;
import dev.baton.spi.TopicInspector;
import dev.baton.tck.Recorder;
import dev.baton.tck.TopicProbe;
import org.junit.jupiter.api.Test;

/** Which input the frames of a topic answer, as its inspector tells it. */
class InspectedInputTest extends OnBroker {
    @Test
    void inputOfEachFrameReadIsReported() {
        KafkaTransport transport = transport();
        TopicProbe topic = probe(newTopic(transport), connect(transport));
        InputRef former = new InputRef(7, 1L << 20);
        InputRef later = new InputRef(8, 5L << 20);
        topic.write("a");
        topic.writer().answers(former);
        topic.write("b", "c");
        topic.writer().answers(later);
        topic.write("d");
        topic.awaitStored();

        try (TopicInspector inspector = transport.inspect(topic.name())) {
            assertThat(inspector.inputOf(2)).as("before anything was read").isEqualTo(InputRef.UNKNOWN);
            while (inspector.read(new Recorder(), 2) > 0) {
                // until there is no more
            }
            assertThat(inspector.inputOf(1)).isEqualTo(InputRef.UNKNOWN);
            assertThat(inspector.inputOf(2)).isEqualTo(former);
            assertThat(inspector.inputOf(3)).isEqualTo(former);
            assertThat(inspector.inputOf(4)).isEqualTo(later);
        }
    }
}
