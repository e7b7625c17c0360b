package org.example.orders;

import dev.baton.kafka.embedded.EmbeddedKafka;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.springframework.boot.SpringApplication;

/** A broker with the topics of the order service; {@code mvn spring-boot:test-run} runs both in one process. */
public class Broker {
    static EmbeddedKafka start() throws Exception {
        EmbeddedKafka broker = EmbeddedKafka.start();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            var topics = List.of(new NewTopic("orders", 2, (short) 1), new NewTopic("priced-orders", 2, (short) 1));
            admin.createTopics(topics).all().get();
        }
        return broker;
    }

    public static void main(String[] args) throws Exception {
        EmbeddedKafka broker = start();
        SpringApplication.getShutdownHandlers().add(broker::close); // behind the application
        System.setProperty("KAFKA", broker.bootstrapServers());
        OrderService.main(args);
    }
}
