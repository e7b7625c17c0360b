package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Concurrent calls of a service on threads of this JVM. */
@Timeout(60)
class ConcurrentThreadsTest {
    private static final int MESSAGES = 400;
    private static final int KEYS = 5;

    private final HostileTransport transport = new HostileTransport();
    private final List<Long> received = Collections.synchronizedList(new ArrayList<>());
    private final Map<Long, List<Long>> byKey = new ConcurrentHashMap<>();
    private final AtomicBoolean wasShared = new AtomicBoolean();
    private final CountDownLatch atWork = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    /** A service whose calls take up to a millisecond. */
    private final class Slow implements Service {
        private final AtomicBoolean isCalled = new AtomicBoolean();

        @Override
        public void onMessage(Message in, Outlet out) {
            if (!isCalled.compareAndSet(false, true)) {
                wasShared.set(true);
            }
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(1_000_000));
            byKey.computeIfAbsent(in.key().getLong(in.key().position()), key -> new ArrayList<>())
                    .add(in.getLong(0));
            out.forward(in);
            isCalled.set(false);
        }
    }

    /** A service whose call ends when it is interrupted. */
    private final class Blocking implements Service {
        @Override
        public void onMessage(Message in, Outlet out) throws InterruptedException {
            atWork.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException ended) {
                interrupted.countDown();
                throw ended;
            }
        }

        @Override
        public void onClosed() {
            if (interrupted.getCount() == 0) {
                closed.countDown();
            }
        }
    }

    @Test
    void randomDurationsKeepEveryOrder() {
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = Chain.named("c")
                        .then("s1", Slow::new, Concurrency.perKey(16))
                        .build()
                        .on(transport)
                        .with(loops)
                        .onOutput(in -> received.add(in.getLong(0)))
                        .start()) {
            for (long value = 1; value <= MESSAGES; value++) {
                send(running, value, value % KEYS);
            }
            assertThat(running.close(Duration.ofSeconds(30))).isTrue();
        }
        assertThat(received)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, MESSAGES).boxed().toList());
        assertThat(byKey).hasSize(KEYS);
        assertThat(byKey.values()).allSatisfy(values -> assertThat(values).isSorted());
        assertThat(wasShared).isFalse();
    }

    @Test
    void aCloseAfterAFailureInterruptsCalls() throws Exception {
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = Chain.named("c")
                        .then("s1", Blocking::new, Concurrency.perKey(2))
                        .build()
                        .on(transport)
                        .with(loops)
                        .onFailure(cause -> {})
                        .start()) {
            send(running, 1, 1);
            assertThat(atWork.await(30, TimeUnit.SECONDS)).isTrue();
            transport.backgroundFailure = new IllegalStateException("the connection failed");
            running.close(Duration.ofSeconds(10));
        }
        assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
    }

    private static void send(RunningChain running, long value, long key) {
        byte[] payload = new byte[Long.BYTES];
        ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN).putLong(0, value);
        running.inlet()
                .send(
                        ByteBuffer.wrap(payload),
                        new MessageFields().key(ByteBuffer.allocate(Long.BYTES).putLong(0, key)));
    }
}
