package dev.baton.kafka;

/** The contract of all transports, kept by this one. */
class KafkaTckTest extends KafkaTck {
    @Override
    KafkaFixture newKafka() {
        return new KafkaFixture(false);
    }
}
