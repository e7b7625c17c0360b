package dev.baton.examples;

import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.codec.TypedService;
import dev.baton.kafka.connectors.KafkaRecord;
import dev.baton.kafka.connectors.KafkaSink;
import dev.baton.kafka.connectors.KafkaSource;
import dev.baton.kafka.connectors.KafkaTopic;
import dev.baton.kafka.embedded.EmbeddedKafka;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * A chain between two plain Kafka topics, which programs without Baton write and read, over any transport. Each partition of the first
 * topic has its own chain, and each output is written once, with key and headers.
 */
public final class Example08KafkaTopics {
    private static final int PARTITIONS = 3;
    private static final int ORDERS = 6;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private Example08KafkaTopics() {}

    /** Runs the example, with an embedded broker. */
    public static void main(String[] args) throws Exception {
        Chain shouting = Chain.named("shouting")
                .then("upper", TypedService.mapping(KafkaRecord.CODEC, KafkaRecord.CODEC, Example08KafkaTopics::upper))
                .build();
        try (EmbeddedKafka broker = EmbeddedKafka.start();
                ExampleTransport opened = ExampleTransport.of(args);
                Transport transport = opened.transport();
                Loops loops = Loops.cooperative(1)) {
            KafkaTopic in = KafkaTopic.at(broker.bootstrapServers(), "orders");
            KafkaTopic out = KafkaTopic.at(broker.bootstrapServers(), "loud-orders");
            create(in, out);
            produce(in);
            try (RunningChain running = shouting.on(transport)
                    .with(loops)
                    .fromEach(KafkaSource.of(in)) // plain topic -> chain: partition to partition
                    .onOutput(KafkaSink.to(out)) // chain -> plain topic: in transactions
                    .partitions(in.partitions())
                    .start()) {
                consume(out);
                running.failure().ifPresent(failure -> {
                    throw new IllegalStateException(failure);
                });
            }
            System.out.println(ORDERS + " records through a chain over " + transport.name());
        }
    }

    private static KafkaRecord upper(KafkaRecord order) {
        return order.withValue(order.text().toUpperCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8));
    }

    private static void create(KafkaTopic... topics) throws Exception {
        try (Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", topics[0].bootstrapServers()))) {
            for (KafkaTopic topic : topics) {
                admin.createTopics(List.of(new NewTopic(topic.name(), PARTITIONS, (short) 1)))
                        .all()
                        .get();
            }
        }
    }

    /** Any Kafka producer. */
    private static void produce(KafkaTopic topic) {
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.<String, Object>of("bootstrap.servers", topic.bootstrapServers()),
                new StringSerializer(),
                new StringSerializer())) {
            for (int i = 1; i <= ORDERS; i++) {
                ProducerRecord<String, String> order =
                        new ProducerRecord<>(topic.name(), "customer-" + i % 2, "order " + i);
                order.headers().add("trace", ("t" + i).getBytes(StandardCharsets.UTF_8));
                producer.send(order);
            }
        }
    }

    /** Any Kafka consumer that reads committed records. */
    private static void consume(KafkaTopic topic) throws TimeoutException {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers", topic.bootstrapServers(),
                "group.id", "readers",
                "auto.offset.reset", "earliest",
                "isolation.level", "read_committed");
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of(topic.name()));
            long end = System.nanoTime() + PATIENCE.toNanos();
            for (int read = 0; read < ORDERS; ) {
                if (System.nanoTime() - end > 0) {
                    throw new TimeoutException(read + " of " + ORDERS + " records after " + PATIENCE);
                }
                for (ConsumerRecord<String, String> each : consumer.poll(Duration.ofMillis(100))) {
                    String trace = new String(each.headers().lastHeader("trace").value(), StandardCharsets.UTF_8);
                    System.out.println(each.key() + ": " + each.value() + " (trace " + trace + ")");
                    read++;
                }
            }
        }
    }
}
