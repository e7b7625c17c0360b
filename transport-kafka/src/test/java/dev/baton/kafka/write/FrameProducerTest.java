package dev.baton.kafka.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.kafka.KafkaOptions;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.ThreadConfinement;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class FrameProducerTest {
    private final MockProducer<byte[], byte[]> mock =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    private final FrameProducer producer = new FrameProducer(
            mock, KafkaOptions.at("localhost:9092"), new ThreadConfinement("this producer"), () -> {});

    @Test
    void frameLostBehindARefusedOneIsReported() throws InterruptedException {
        TransportException refused = new TransportException("send refused it");
        TransportException lost = new TransportException("the broker never confirmed it");
        producer.failed(refused);
        assertThat(producer.isStopped()).as("others may send").isFalse();
        assertThat(producer.unreportedFailure()).isSameAs(refused);
        producer.reported();
        assertThat(producer.unreportedFailure()).as("reported once").isNull();
        producer.doWork();

        onProducersThread(() -> producer.failed(lost));

        assertThat(producer.isStopped()).isTrue();
        assertThat(mock.closed()).isTrue();
        assertThat(producer.hasNews()).isTrue();
        assertThat(producer.doWork()).isZero();
        assertThat(producer.hasNews())
                .as("after a turn, whether a writer has told or not")
                .isFalse();
        assertThatThrownBy(producer::throwUnreported).isSameAs(lost).hasSuppressedException(refused);
        assertThatCode(producer::throwUnreported).as("reported once").doesNotThrowAnyException();
    }

    private static void onProducersThread(Runnable call) throws InterruptedException {
        Thread thread = new Thread(call);
        thread.start();
        thread.join();
    }
}
