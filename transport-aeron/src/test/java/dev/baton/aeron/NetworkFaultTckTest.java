package dev.baton.aeron;

import dev.baton.tck.NetworkFaultTck;
import dev.baton.tck.TransportFixture;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** An Archive on another host that stands still, or is killed and started again. */
@Tag("long")
class NetworkFaultTckTest extends NetworkFaultTck {
    private static ArchiveProcess archive;
    private static TestDriver driver;

    @BeforeAll
    static void start() {
        archive = RemoteArchiveFixture.newArchive();
        driver = TestDriver.start(Duration.ofSeconds(10));
    }

    @AfterAll
    static void stop() {
        driver.close();
        archive.close();
    }

    @Override
    public TransportFixture newFixture() {
        return new RemoteArchiveFixture(archive, driver);
    }
}
