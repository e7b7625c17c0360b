package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.spi.Connection;
import dev.baton.spi.Guarantee;
import dev.baton.tck.harness.OtherThread;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * The contract on waits: an await ends when a frame arrives, when another thread wakes the connection, or when its time has passed, and
 * leaves the processor to others until then.
 *
 * <p>A loop that wakes another one unparks its thread as well ({@code Connection.wake}), and so do these tests. Within one host the
 * writer's loop wakes the reader's; only a transport that crosses hosts has to end an await for a frame by itself.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
public abstract class WaitTck extends TransportTck {
    private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long WATCHED_NANOS = 10 * SHORT_NANOS;

    /** The allowed number of awaits in the watched time: ten if each takes its time, 2,000 if none lasts longer than 100 us. */
    private static final int MOST_AWAITS = 20_000;

    private static final long SPUN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** The share of the processor time of a spinning loop that an idle await may take on this machine. */
    private static final double MOST_SHARE = 0.4;

    /** The number of comparisons of which one has to show that an await rests. */
    private static final int LOOKS = 3;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private static final String ENDS =
            "an await ends when a frame arrives, when its connection is woken, or when its time has passed (Connection.await)";

    /** Called by the test of a transport. */
    protected WaitTck() {}

    @Test
    void awaitEndsWhenAFrameArrives() throws Exception {
        assumeTrue(
                connection().awaitsNews() || transport().guarantees().contains(Guarantee.CROSS_HOST),
                "writers wake the readers");
        TopicProbe topic = newTopic();
        AtomicBoolean isAwaiting = new AtomicBoolean();
        FutureTask<Long> awaiting = OtherThread.start("tck-awaiting", () -> {
            try (Connection mine = transport().connect()) {
                TopicProbe read =
                        new TopicProbe(topic.name(), mine, new Turns(fixture().longestWait(), mine));
                read.reader();
                assertThat(read.take(1)).containsExactly("first");
                isAwaiting.set(true);
                for (long start = System.nanoTime(); ; ) {
                    mine.await(longest().toNanos());
                    mine.doWork();
                    if (read.reader().poll(new Recorder(), 1) > 0) {
                        return System.nanoTime() - start;
                    }
                }
            }
        });
        topic.write("first");
        turns().settle(fixture().settle());
        turns().until(
                        "the other thread to await",
                        "a stored frame arrives",
                        () -> awaiting.isDone() || isAwaiting.get());
        topic.write("second");
        turns().until("the end of an await of " + longest().toSeconds() + " s", ENDS, awaiting::isDone);
        assertThat(Duration.ofNanos(OtherThread.outcome(awaiting)))
                .as("time until an await has ended for a frame; rule: " + ENDS)
                .isLessThan(longest().dividedBy(2));
    }

    @Test
    @Order(1) // before threads of tests that failed may spin
    void awaitLeavesTheProcessorToOthers() {
        TopicProbe topic = openTopic();
        topic.write("a");
        topic.take(1);
        topic.awaitStored();
        turns().settle(fixture().settle());

        assumeTrue(THREADS.isCurrentThreadCpuTimeSupported(), "this JVM does not tell a thread's CPU time");
        double awaiting;
        double spinning;
        int looks = 0;
        do {
            int[] awaits = {0};
            awaiting = share(WATCHED_NANOS, () -> {
                connection().await(SHORT_NANOS);
                return ++awaits[0] <= MOST_AWAITS;
            });
            assertThat(awaits[0])
                    .as(
                            "awaits of 20 ms within %d ms that nothing ended; rule: an await takes its time unless something"
                                    + " arrives (Connection.await)",
                            TimeUnit.NANOSECONDS.toMillis(WATCHED_NANOS))
                    .isLessThanOrEqualTo(MOST_AWAITS);
            spinning = share(SPUN_NANOS, () -> {
                Thread.onSpinWait();
                return true;
            });
        } while (awaiting >= MOST_SHARE * spinning && ++looks < LOOKS); // a busy machine gives a loop little
        assertThat(awaiting)
                .as(
                        "share of a core that awaits take, where a loop that spins gets %.2f; rule: an await leaves the"
                                + " processor to others (Connection.await)",
                        spinning)
                .isLessThan(MOST_SHARE * spinning);
    }

    /** Returns the share of a core that the calling thread takes for steps, until the time has passed or a step is the last. */
    private static double share(long nanos, BooleanSupplier step) {
        long cpu = THREADS.getCurrentThreadCpuTime();
        long start = System.nanoTime();
        while (System.nanoTime() - start < nanos && step.getAsBoolean()) {
            // the next one
        }
        return (double) (THREADS.getCurrentThreadCpuTime() - cpu) / (System.nanoTime() - start);
    }

    @Test
    void awaitEndsWhenItsTimeHasPassed() throws Exception {
        openTopic();
        FutureTask<Boolean> awaiting = OtherThread.start("tck-awaiting", () -> {
            try (Connection mine = transport().connect()) {
                mine.await(TimeUnit.MILLISECONDS.toNanos(1));
                return true;
            }
        });
        new Turns(fixture().longestWait()).until("the end of an await of 1 ms", ENDS, awaiting::isDone);
        assertThat(OtherThread.outcome(awaiting)).isTrue();
    }

    @Test
    void wakeEndsAnAwait() throws Exception {
        TopicProbe topic = newTopic();
        Thread[] thread = new Thread[1];
        Connection[] woken = new Connection[1];
        FutureTask<Long> awaiting = OtherThread.start("tck-awaiting", () -> {
            try (Connection mine = transport().connect()) {
                mine.openReader(topic.name(), "awaiting"); // a connection with a reader may wait in another way
                synchronized (thread) {
                    woken[0] = mine;
                    thread[0] = Thread.currentThread();
                }
                long start = System.nanoTime();
                mine.await(longest().toNanos());
                return System.nanoTime() - start;
            }
        });
        assertEndsWhenWoken(awaiting, thread, woken);
    }

    @Test
    void aWakeBeforeTheAwaitIsNotLost() throws Exception {
        TopicProbe topic = newTopic();
        FutureTask<Long> awaiting = OtherThread.start("tck-awaiting", () -> {
            try (Connection mine = transport().connect()) {
                mine.openReader(topic.name(), "awaiting");
                mine.doWork();
                Thread owner = Thread.currentThread();
                OtherThread.call("tck-waker", () -> {
                    mine.wake();
                    return null;
                });
                LockSupport.unpark(owner);
                long start = System.nanoTime();
                mine.await(longest().toNanos());
                return System.nanoTime() - start;
            }
        });
        new Turns(fixture().longestWait())
                .until(
                        "the end of an await that was woken before it began",
                        "a wake is not lost between the last look and the await (Connection.wake)",
                        awaiting::isDone);
        assertThat(Duration.ofNanos(OtherThread.outcome(awaiting)))
                .isLessThan(longest().dividedBy(2));
    }

    private void assertEndsWhenWoken(FutureTask<Long> awaiting, Thread[] thread, Connection[] woken) throws Exception {
        new Turns(fixture().longestWait())
                .until("the end of an await of " + longest().toSeconds() + " s that was woken", ENDS, () -> {
                    synchronized (thread) { // repeatedly, as the wait may not have begun
                        if (thread[0] != null) {
                            LockSupport.unpark(thread[0]);
                            woken[0].wake();
                        }
                    }
                    return awaiting.isDone();
                });
        assertThat(Duration.ofNanos(OtherThread.outcome(awaiting)))
                .as("time until an await has ended that was woken; rule: " + ENDS)
                .isLessThan(longest().dividedBy(2));
    }

    /** A time longer than a test waits for the end of an await. */
    private Duration longest() {
        return fixture().longestWait().multipliedBy(3);
    }
}
