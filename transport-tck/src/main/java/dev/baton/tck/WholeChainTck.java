package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Transport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/**
 * What themes on whole chains share: a fixture and its transport for each test, and that no loop outlives it. Confined to
 * the thread of the test.
 */
@Timeout(TransportTck.LIMIT_SECONDS)
public abstract class WholeChainTck implements FixtureSource {
    /** This test's fixture. */
    TransportFixture fixture;

    /** This test's transport; a test that opens it again puts the new one here. */
    Transport transport;

    /** For the themes. */
    protected WholeChainTck() {}

    @BeforeEach
    final void openTransport() {
        fixture = newFixture();
        transport = fixture.open();
    }

    @AfterEach
    final void closeTransport() {
        try {
            if (transport != null) {
                transport.close();
            }
        } finally {
            fixture.close();
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("baton-loop"));
    }
}
