package dev.baton.tck.chain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.RunningChain;
import dev.baton.spi.Transport;
import dev.baton.tck.FixtureSource;
import dev.baton.tck.TransportFixture;
import dev.baton.tck.TransportTck;
import dev.baton.tck.harness.NamedFailures;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What themes on whole chains share: a fixture and its transport for each test, and that no loop outlives it. Confined to
 * the thread of the test.
 */
@Timeout(TransportTck.LIMIT_SECONDS)
@ExtendWith(NamedFailures.class)
public abstract class WholeChainTck implements FixtureSource {
    private static final int TOPICS_IN_A_ROW = 6;

    /** This test's fixture. */
    protected TransportFixture fixture;

    /** This test's transport; a test that opens it again puts the new one here. */
    protected Transport transport;

    /** Those that an earlier test left behind, which has failed for it. */
    private final Set<Thread> loopsBefore = new HashSet<>();

    /** For the themes. */
    protected WholeChainTck() {}

    /** The longest that a whole chain may take for what a test awaits: several topics, one behind the other. */
    protected final Duration limit() {
        return fixture.longestWait().multipliedBy(TOPICS_IN_A_ROW);
    }

    /** Waits until all has been counted down, and fails with what is missing and why when it takes too long. */
    protected final void await(CountDownLatch received, RunningChain running) throws InterruptedException {
        assertThat(received.await(limit().toNanos(), TimeUnit.NANOSECONDS))
                .as("%d missing, failure %s", received.getCount(), running.failure())
                .isTrue();
    }

    @BeforeEach
    final void openTransport() {
        loopsBefore.addAll(loops());
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
            if (fixture != null) {
                fixture.close();
            }
        }
        Set<Thread> left = loops();
        left.removeAll(loopsBefore);
        assertThat(left).as("loops that outlive the test").isEmpty();
    }

    private static Set<Thread> loops() {
        Set<Thread> all = new HashSet<>(Thread.getAllStackTraces().keySet());
        all.removeIf(thread -> !thread.getName().startsWith("baton-loop"));
        return all;
    }
}
