package dev.baton.kafka;

import dev.baton.kafka.embedded.EmbeddedKafka;
import dev.baton.kafka.embedded.EmbeddedKafkaOptions;
import java.time.Duration;

/** The one broker that all tests of this JVM share, started with the first that asks and stopped with the JVM. */
final class TestBroker {
    /** The least that this broker allows: tests wait for it. A JVM may start meanwhile, on a machine with other work. */
    static final Duration SESSION_TIMEOUT = Duration.ofSeconds(4);

    private static final class Started {
        static final EmbeddedKafka KAFKA = start();

        private static EmbeddedKafka start() {
            EmbeddedKafka kafka = EmbeddedKafka.start(EmbeddedKafkaOptions.defaults()
                    .withProperty("group.min.session.timeout.ms", Long.toString(SESSION_TIMEOUT.toMillis())));
            Runtime.getRuntime().addShutdownHook(new Thread(kafka::close, "test-broker-close"));
            return kafka;
        }
    }

    private TestBroker() {}

    static String bootstrapServers() {
        return Started.KAFKA.bootstrapServers();
    }
}
