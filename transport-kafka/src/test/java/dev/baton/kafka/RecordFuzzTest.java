package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.kafka.log.RecordDecoder;
import dev.baton.kafka.log.WriterMarker;
import dev.baton.kafka.topics.TopicNames;
import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.Incarnation;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.TopicReader;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TransportException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Records of random bytes: frames, or told with their place. How many, and from which seed:
 * {@code -Dbaton.fuzz.inputs=1000000 -Dbaton.fuzz.seed=1}; through the broker one for every hundred, at least 1,000.
 */
@Tag("fuzz")
class RecordFuzzTest extends OnBroker {
    private static final long INPUTS = Long.getLong("baton.fuzz.inputs", 50_000);
    private static final byte[] WRITER = {16, 0, 1, 8, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}; // began at offset 0
    private static final int PAYLOAD = Frame.HEADER_BYTES + WRITER.length;
    private static final long SEED = Long.getLong("baton.fuzz.seed", 1);
    private static final long THROUGH_THE_BROKER = Math.max(1_000, INPUTS / 100);

    @Test
    void recordIsFrameOrToldWithItsPlace() {
        Random random = new Random(SEED);
        Frame frame = new Frame();
        for (long input = 0; input < INPUTS; input++) {
            byte[] value = value(random);
            ByteBuffer buffer = null;
            if (value != null) {
                int lead = random.nextInt(5);
                buffer = ByteBuffer.allocate(lead + value.length + random.nextInt(5));
                buffer.put(lead, value).position(lead).limit(lead + value.length);
            }
            ConsumerRecord<byte[], ByteBuffer> record = new ConsumerRecord<>("orders", 0, input + 1, null, buffer);
            boolean isFrame = isFrame(value);
            try {
                RecordDecoder.aim(frame, record);
                assertThat(isFrame).as("seed %d, input %d", SEED, input).isTrue();
                assertThat(frame.length()).isEqualTo(value.length - Frame.HEADER_BYTES);
                frame.validate();
            } catch (DamagedTopicException told) {
                assertThat(isFrame).as("seed %d, input %d", SEED, input).isFalse();
                assertThat(told).hasMessageContainingAll("orders", "offset " + (input + 1));
            }
        }
    }

    @Test
    void inspectorReadsArbitraryRecordsThatReadersRefuse() throws Exception {
        KafkaTransport transport = transport();
        String name = newTopic(transport);
        Random random = new Random(SEED + 1);
        long frames = 0;
        Map<String, Object> settings =
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, (Object) TestBroker.bootstrapServers());
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            Incarnation writer = new Incarnation(1, Incarnation.NO_TOPOLOGY, 0, 0, "fuzz");
            producer.send(WriterMarker.record(TopicNames.partitionOf(name), writer));
            for (long input = 1; input < THROUGH_THE_BROKER; input++) {
                byte[] value = value(random);
                boolean isFrame = isFrame(value);
                frames += isFrame ? 1 : 0;
                producer.send(new ProducerRecord<>(name, value));
            }
            producer.flush();
        }
        long[] read = {0};
        long damaged = 0;
        try (TopicInspector inspector = transport.inspect(name)) {
            int last = 1;
            while (last > 0) {
                try {
                    last = inspector.read(
                            (frame, position) -> {
                                read[0]++;
                                return Verdict.DONE;
                            },
                            100);
                } catch (DamagedTopicException told) {
                    assertThat(told.isEnd()).isFalse();
                    damaged++;
                }
            }
        }
        assertThat(read[0]).isEqualTo(frames);
        assertThat(damaged).isEqualTo(THROUGH_THE_BROKER - 1 - frames);

        Connection connection = connect(transport);
        TopicReader reader = connection.openReader(name, "fuzz");
        assertThatThrownBy(() -> {
                    long deadline = System.nanoTime() + 20_000_000_000L;
                    while (System.nanoTime() < deadline) {
                        connection.doWork();
                        reader.poll((frame, position) -> Verdict.DONE, 100);
                        connection.await(1_000_000);
                    }
                })
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll(name, "offset ");
    }

    private static boolean isFrame(byte[] value) {
        return value != null
                && value.length >= PAYLOAD
                && value[0] == Frame.VERSION
                && (value[1] == (byte) Frame.EXTENDED
                        || value[1] == -1 && value.length >= PAYLOAD + Frame.CHECKSUM_BYTES)
                && Arrays.equals(value, Frame.HEADER_BYTES, PAYLOAD, WRITER, 0, WRITER.length);
    }

    private static byte[] value(Random random) {
        byte[] frame = new byte[PAYLOAD + random.nextInt(40)];
        frame[0] = Frame.VERSION;
        frame[1] = (byte) Frame.EXTENDED;
        frame[Frame.SEQUENCE_OFFSET] = 1;
        System.arraycopy(WRITER, 0, frame, Frame.HEADER_BYTES, WRITER.length);
        return switch (random.nextInt(8)) {
            case 0 -> null;
            case 1 -> new byte[0];
            case 2 -> Arrays.copyOf(frame, random.nextInt(frame.length));
            case 3 -> {
                random.nextBytes(frame);
                yield frame;
            }
            case 4 -> {
                frame[0] = (byte) random.nextInt(256);
                yield frame;
            }
            case 5 -> {
                frame[1] = (byte) random.nextInt(256);
                yield frame;
            }
            case 6 -> {
                byte[] text = "{\"order\":1}".repeat(1 + random.nextInt(20)).getBytes();
                yield text;
            }
            default -> {
                for (int i = 4; i < frame.length; i++) {
                    frame[i] = i < Frame.HEADER_BYTES || i >= PAYLOAD ? (byte) random.nextInt(256) : frame[i];
                }
                yield frame;
            }
        };
    }
}
