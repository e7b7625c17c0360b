package dev.baton.kafka;

import dev.baton.spi.Frame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** What an earlier build left in topics: frames that do not say who wrote them, of two writers at a time. Stateless. */
public final class DamagedTopic {
    private DamagedTopic() {}

    /** Each of these sequences twice, in turn, as two writers stored them who did not know of each other. */
    static void interleaveInPartition(String topic, int partition, long... sequences) throws Exception {
        Map<String, Object> settings = Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, TestBroker.bootstrapServers());
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (long sequence : sequences) {
                producer.send(new ProducerRecord<>(topic, partition, null, frame(sequence, "one " + sequence)));
                producer.send(new ProducerRecord<>(topic, partition, null, frame(sequence, "two " + sequence)));
            }
            producer.flush();
        }
    }

    static void interleave(String topic, long... sequences) throws Exception {
        interleaveInPartition(topic, 0, sequences);
    }

    /** A frame without an extension. */
    public static byte[] frame(long sequence, String text) {
        byte[] payload = text.getBytes(StandardCharsets.UTF_8);
        byte[] value = new byte[Frame.HEADER_BYTES + payload.length];
        Frame frame = new Frame().wrap(ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN), 0, payload.length);
        frame.stamp(0, 0, 0, 0, 0);
        frame.sequence(sequence);
        frame.putBytes(0, payload, 0, payload.length);
        return value;
    }
}
