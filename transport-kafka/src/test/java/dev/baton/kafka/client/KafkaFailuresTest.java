package dev.baton.kafka.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class KafkaFailuresTest {
    @Test
    void failureWithoutMessageIsNamedByItsType() {
        assertThat(KafkaFailures.because("could not read", new UnknownTopicOrPartitionException(""), null))
                .hasMessage("could not read: UnknownTopicOrPartitionException");
    }

    @Test
    void kafkasMessageIsKept() {
        Throwable refused = Errors.INVALID_CONFIG.exception("min.insync.replicas is 0");

        assertThat(KafkaFailures.because("could not create topic 'a'", refused, null))
                .hasMessage("could not create topic 'a': min.insync.replicas is 0")
                .hasCause(refused);
    }
}
