package dev.baton.kafka;

import dev.baton.kafka.embedded.EmbeddedKafka;

/** The one broker that all tests of this JVM share, started with the first that asks and stopped with the JVM. */
final class TestBroker {
    private static final class Started {
        static final EmbeddedKafka KAFKA = start();

        private static EmbeddedKafka start() {
            EmbeddedKafka kafka = EmbeddedKafka.start();
            Runtime.getRuntime().addShutdownHook(new Thread(kafka::close, "test-broker-close"));
            return kafka;
        }
    }

    private TestBroker() {}

    static String bootstrapServers() {
        return Started.KAFKA.bootstrapServers();
    }
}
