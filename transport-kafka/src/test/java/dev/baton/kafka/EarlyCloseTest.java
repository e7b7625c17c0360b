package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.baton.spi.Connection;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.TopicProbe;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A transport that is closed before its connections confirms nothing more, which is not waited for. */
class EarlyCloseTest extends OnBroker {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    @Test
    void unconfirmedFrameIsReportedAtOnce() {
        KafkaTransport transport = transport(options -> options.with(KafkaOptions.TIMEOUT, TIMEOUT));
        Connection connection = connect(transport);
        TopicProbe topic = probe(newTopic(transport), connection);
        topic.write("a");
        transport.close();

        long start = System.nanoTime();
        Throwable thrown = catchThrowable(connection::close);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(TIMEOUT.dividedBy(2));
        if (topic.writer().storedSequence() == 0) {
            assertThat(thrown)
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll(topic.name(), "the transport was closed before", "1 to 1");
        }
    }
}
