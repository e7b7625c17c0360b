package dev.baton.aeron.ipc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.aeron.AeronOptions;
import dev.baton.aeron.TestDriver;
import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.exceptions.RegistrationException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TopicStreamTest {
    @Test
    void eachCorrelationIdIsItsOwnStream() {
        for (long unique : new long[] {0, 1, 0xFFFF_FFFFL, 1L << 32, (1L << 32) + 1, Long.MAX_VALUE}) {
            TopicStream stream = TopicStream.of(unique);
            long back = (long) stream.session() << Integer.SIZE
                    | Integer.toUnsignedLong(stream.id() ^ TopicStream.of(0).id());
            assertThat(back).isEqualTo(unique);
        }
    }

    @Test
    void aStreamExcludesOtherPublications() {
        try (TestDriver driver = TestDriver.start(Duration.ofMinutes(1));
                Aeron aeron = Aeron.connect(new Aeron.Context()
                        .aeronDirectoryName(driver.directory().toString()))) {
            TopicStream stream = TopicStream.of(aeron.nextCorrelationId());
            String channel = stream.publication(AeronOptions.LEAST_TERM, AeronOptions.LEAST_TERM, false);
            try (ExclusivePublication own = aeron.addExclusivePublication(channel, stream.id())) {
                assertThat(own.position()).isEqualTo(AeronOptions.LEAST_TERM);
                assertThatThrownBy(() -> aeron.addExclusivePublication(channel, stream.id()))
                        .isInstanceOf(RegistrationException.class)
                        .hasMessageContaining("session");
            }
        }
    }
}
