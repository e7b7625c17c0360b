package dev.baton.kafka.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.kafka.WriteOptions;
import dev.baton.spi.ThreadConfinement;
import dev.baton.spi.TransportException;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class OutboxTest {
    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    private final Outbox outbox =
            new Outbox(producer, WriteOptions.defaults(), new ThreadConfinement("this outbox"), () -> {});

    @Test
    void aFrameThatIsLostAfterAnotherWasRefusedIsToldToo() throws InterruptedException {
        TransportException refused = new TransportException("send refused it");
        TransportException lost = new TransportException("the broker never confirmed it");
        outbox.failed(refused);
        assertThat(outbox.isStopped()).as("others may send").isFalse();
        assertThat(outbox.untoldFailure()).isSameAs(refused);
        outbox.told();
        assertThat(outbox.untoldFailure()).as("told once").isNull();
        outbox.doWork();

        onProducersThread(() -> outbox.failed(lost));

        assertThat(outbox.isStopped()).isTrue();
        assertThat(producer.closed()).isTrue();
        assertThat(outbox.hasNews()).isTrue();
        assertThat(outbox.doWork()).isZero();
        assertThat(outbox.hasNews())
                .as("after a turn, whether a writer has told or not")
                .isFalse();
        assertThatThrownBy(outbox::throwUntold).isSameAs(lost).hasSuppressedException(refused);
        assertThatCode(outbox::throwUntold).as("told once").doesNotThrowAnyException();
    }

    private static void onProducersThread(Runnable call) throws InterruptedException {
        Thread thread = new Thread(call);
        thread.start();
        thread.join();
    }
}
