package dev.baton.kafka;

import org.junit.jupiter.api.Tag;

/** The contract of all transports, kept with transactions as well. */
@Tag("long")
class TransactionsTckTest extends KafkaTck {
    @Override
    KafkaFixture newKafka() {
        return new KafkaFixture(true);
    }
}
