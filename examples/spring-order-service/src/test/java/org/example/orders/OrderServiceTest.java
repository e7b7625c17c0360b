package org.example.orders;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.web.client.RestClient;

class OrderServiceTest {
    @ParameterizedTest
    @ValueSource(strings = {"chronicle", "kafka"})
    void anOrderIsPriced(String transport) throws Exception {
        try (var broker = Broker.start();
                var service = SpringApplication.run(OrderService.class, "--server.port=0", "--baton.transport=" + transport,
                        "--KAFKA=" + broker.bootstrapServers(), "--ORDERS_DIR=target/orders-" + System.nanoTime());
                var consumer = new KafkaConsumer<>(
                        Map.of("bootstrap.servers", broker.bootstrapServers(), "group.id", "test", "auto.offset.reset", "earliest"),
                        new StringDeserializer(), new StringDeserializer())) {
            var http = RestClient.create("http://127.0.0.1:" + service.getEnvironment().getProperty("local.server.port"));
            assertThat(http.post().uri("/orders").body(new Order("kim", 3, 0)).retrieve().body(Long.class)).isOne();
            consumer.subscribe(List.of("priced-orders"));
            assertThat(consumer.poll(Duration.ofSeconds(30))).map(record -> record.key() + ": " + record.value())
                    .containsExactly("kim: kim,3,75");
            assertThat(http.get().uri("/actuator/health/readiness").retrieve().body(String.class)).contains("UP");
            assertThat(http.get().uri("/actuator/prometheus").retrieve().body(String.class)).contains("baton_messages_consumed");
        }
    }
}
