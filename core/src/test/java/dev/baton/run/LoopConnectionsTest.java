package dev.baton.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long a loop waits. */
class LoopConnectionsTest {
    /** Notes how long it is asked to park, and does not. */
    private static final class Parks implements Environment {
        final List<Long> nanos = new ArrayList<>();

        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public long wallNanos() {
            return 0;
        }

        @Override
        public Thread thread() {
            return Thread.currentThread();
        }

        @Override
        public void park(long limit) {
            nanos.add(limit);
        }

        @Override
        public void unpark(Thread thread) {}

        @Override
        public void yield() {}

        @Override
        public void spin() {}

        @Override
        public Thread start(String name, boolean isVirtual, Worker worker) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean join(Thread thread, long limit) {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void aLoopWithoutConnectionsWaitsForAsLongAsItMay() {
        Parks parks = new Parks();
        new LoopConnections(parks).await(2_000_000_000);
        assertThat(parks.nanos).containsExactly(2_000_000_000L);
    }
}
