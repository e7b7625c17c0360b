package dev.baton.kafka;

import dev.baton.tck.TransportFixture;
import dev.baton.tck.admin.ForgetConsumerTck;
import dev.baton.tck.chain.MessageTck;
import org.junit.jupiter.api.Nested;

/** The contract of all transports, kept by this one. */
class TransportTckTest extends KafkaTck {
    @Override
    KafkaFixture newKafka() {
        return new KafkaFixture(false);
    }

    @Nested
    class Messages extends MessageTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }

    @Nested
    class ForgottenConsumers extends ForgetConsumerTck {
        @Override
        public TransportFixture newFixture() {
            return newKafka();
        }
    }
}
