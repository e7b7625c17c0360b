package dev.baton.kafka;

/** The contract of all transports, kept by this one. */
class TransportTckTest extends KafkaTck {
    @Override
    KafkaFixture newKafka() {
        return new KafkaFixture(false);
    }
}
