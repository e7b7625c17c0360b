package dev.baton.examples.tutorial;

import dev.baton.kafka.embedded.EmbeddedKafka;

/** A Kafka broker for step 4, with a temporary directory. */
public final class Broker {
    private Broker() {}

    /** Runs until SIGTERM or Ctrl-C. */
    public static void main(String[] args) {
        try (Stop stop = Stop.onSignal();
                EmbeddedKafka broker = EmbeddedKafka.start()) {
            System.out.println(broker.bootstrapServers());
            stop.await();
        }
    }
}
