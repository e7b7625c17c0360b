package dev.baton.tck.chain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.RunningChain;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import dev.baton.tck.FixtureSource;
import dev.baton.tck.TransportFixture;
import dev.baton.tck.TransportTck;
import dev.baton.tck.harness.NamedFailures;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
 * The base of contract classes on whole chains: a fixture and its transport for each test, and a check that no loop outlives it. Confined
 * to the thread of the test.
 */
@Timeout(TransportTck.LIMIT_SECONDS)
@ExtendWith(NamedFailures.class)
public abstract class WholeChainTck implements FixtureSource {
    private static final int TOPICS_IN_A_ROW = 6;

    /** The fixture of this test. */
    protected TransportFixture fixture;

    /** The transport of this test; a test that opens another one assigns it. */
    protected Transport transport;

    /** The name of the topic or chain of this test, which no other test has. */
    protected String name;

    /** The loops that an earlier, failed test has left. */
    private final Set<Thread> loopsBefore = new HashSet<>();

    /** Called by contract classes. */
    protected WholeChainTck() {}

    /** Returns the time limit of a wait for a whole chain, with several topics in a row. */
    protected final Duration limit() {
        return fixture.longestWait().multipliedBy(TOPICS_IN_A_ROW);
    }

    /** Returns a payload of eight bytes, little-endian. */
    protected static byte[] payload(long value) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(0, value)
                .array();
    }

    /**
     * Returns whether a failed start keeps the topics that it has created, as another process may have opened them: their
     * store has no lock that would show it, or cannot be inspected.
     */
    protected final boolean keepsTopicsOfFailedStarts() {
        return transport.guarantees().contains(Guarantee.DURABLE)
                ? !transport.guarantees().contains(Guarantee.EXCLUSIVE)
                : transport.guarantees().contains(Guarantee.CROSS_PROCESS);
    }

    /** Waits for the latch, and fails with its count and the failure of the chain after the time limit. */
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
        name = fixture.newTopic();
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

    /** Returns the loops in the group of this thread: another run of the contract may be in this JVM. */
    private static Set<Thread> loops() {
        ThreadGroup own = Thread.currentThread().getThreadGroup();
        Set<Thread> all = new HashSet<>(Thread.getAllStackTraces().keySet());
        all.removeIf(
                thread -> thread.getThreadGroup() != own || !thread.getName().startsWith("baton-loop"));
        return all;
    }
}
