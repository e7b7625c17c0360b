package dev.baton.measuring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(30)
class PassageTest {
    static Stream<Passage> passages() {
        return Stream.of(new Passage.OfOne(), new Passage.OfMany());
    }

    @ParameterizedTest
    @MethodSource("passages")
    void writersInsideAreAwaited(Passage passage) throws InterruptedException {
        long token = passage.enter();
        Thread reader = new Thread(passage::awaitThoseInside);
        reader.start();
        await().until(() -> reader.getState() == Thread.State.TIMED_WAITING);
        passage.exit(token);
        reader.join();
    }

    @ParameterizedTest
    @MethodSource("passages")
    void emptyPassageIsNotAwaited(Passage passage) {
        passage.exit(passage.enter());
        passage.awaitThoseInside();
        passage.exit(passage.enter());
        passage.awaitThoseInside();
    }

    /** What was there before the exchange is not written to after the wait, however often the writer comes back. */
    @ParameterizedTest
    @MethodSource("passages")
    void returningWriterFindsCurrentData(Passage passage) throws InterruptedException {
        Shared shared = new Shared();
        AtomicBoolean isOver = new AtomicBoolean();
        Thread writer = new Thread(() -> {
            while (!isOver.get()) {
                long token = passage.enter();
                shared.current[0]++;
                passage.exit(token);
                shared.written++;
            }
        });
        writer.start();
        long taken = 0;
        for (int i = 0; i < 2_000; i++) {
            long[] old = shared.current;
            shared.current = new long[1];
            passage.awaitThoseInside();
            taken += old[0];
            old[0] = Long.MIN_VALUE; // what is still written here would be missed below
        }
        isOver.set(true);
        writer.join();
        assertThat(taken + shared.current[0]).isEqualTo(shared.written);
    }

    private static final class Shared {
        volatile long[] current = new long[1];
        long written; // by the writer; read after it has ended
    }
}
