package dev.baton.kafka.connectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A sink that cannot be opened. */
@Tag("slow")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FailedSinkTest {
    @Test
    void aFailedOpeningLeavesNoProducer() throws Exception {
        String client = "failed-sink";
        KafkaTopic topic = Broker.topic("failed", 1).with("client.id", client).with("isolation.level", "unknown");
        assertThatThrownBy(() -> WriteThread.open(KafkaSink.to(topic), "id", 1))
                .hasMessageContaining("isolation.level");
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.contains(client));
    }
}
