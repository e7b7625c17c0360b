package dev.baton.aeron.driver;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DriverClientTest {
    /** A directory in place of the file, as the file of another user does not keep root out. */
    @Test
    void driverWithoutPermissionIsRefused(@TempDir Path driver) throws IOException {
        Path file = Files.createDirectory(driver.resolve("cnc.dat"));
        for (int entry = 0; entry < 100; entry++) { // as long as a file that Aeron reads
            Files.createFile(file.resolve("entry" + entry));
        }
        assertThatThrownBy(() -> DriverClient.require(driver, Duration.ofSeconds(1), "", DriverClient.PROGRAM))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("driver=" + driver, "write permission");
    }
}
