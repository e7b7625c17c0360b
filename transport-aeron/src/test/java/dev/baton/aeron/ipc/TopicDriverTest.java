package dev.baton.aeron.ipc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.errors.TransportException;
import org.junit.jupiter.api.Test;

class TopicDriverTest {
    @Test
    void aDriverWithASmallerWindowIsRefused() {
        assertThat(TopicDriver.checkedWindow(32_768, 32_768)).isEqualTo(32_768);
        assertThatThrownBy(() -> TopicDriver.checkedWindow(16_384, 32_768))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("16384", "32768", "aeron.ipc.publication.term.window.length");
    }
}
