package dev.baton.kafka;

import org.junit.jupiter.api.Tag;

/**
 * The contract of all transports, kept with transactions as well, but for two themes that they cannot affect. A consumer is
 * forgotten through the admin client, whose requests belong to no transaction; only a chain's outputs store positions in one, and
 * this theme has no chain. What a start finds behind the records of transactions is tested with start positions. And messages
 * arrange bytes within a payload, which the transport carries unseen: payloads and headers are tested.
 */
@Tag("long")
class TransactionsTckTest extends KafkaTck {
    @Override
    KafkaFixture newKafka() {
        return new KafkaFixture(true);
    }
}
