package dev.baton.aeron;

import dev.baton.tck.FixtureSource;
import dev.baton.tck.TransportFixture;
import dev.baton.tck.network.NetworkFaultTck;
import dev.baton.tck.network.StalledServerTck;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** An Archive on another host that is stalled, or is killed and started again. */
@Tag("long")
class ArchiveNetworkFaultTckTest {
    private static ArchiveJvm archive;
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

    interface OnRemoteArchive extends FixtureSource {
        @Override
        default TransportFixture newFixture() {
            return new RemoteArchiveFixture(archive, driver);
        }
    }

    @Nested
    class NetworkFaults extends NetworkFaultTck implements OnRemoteArchive {}

    @Nested
    class StalledServers extends StalledServerTck implements OnRemoteArchive {}
}
