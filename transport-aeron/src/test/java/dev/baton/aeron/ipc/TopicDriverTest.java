package dev.baton.aeron.ipc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class TopicDriverTest {
    @Test
    void aDriverWithASmallerWindowIsRefused() {
        assertThat(TopicDriver.checkedWindow(32_768, 32_768)).isEqualTo(32_768);
        assertThatThrownBy(() -> TopicDriver.checkedWindow(16_384, 32_768))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("16384", "32768", "aeron.ipc.publication.term.window.length");
    }

    @Test
    void missingDescriptorsAreNoMissingMemory() {
        Path directory = Path.of("/dev/shm/driver");
        assertThat(EmbeddedDriver.withoutPages(
                        directory, new FileSystemException("1.logbuffer", null, "Too many open files")))
                .hasMessageContainingAll("cannot be opened in /dev/shm/driver", "ulimit -n")
                .hasMessageNotContaining("memory");
        assertThat(EmbeddedDriver.withoutPages(directory, new IOException("No space left on device")))
                .hasMessageContainingAll("gets no memory in /dev/shm/driver", "term-length");
    }
}
