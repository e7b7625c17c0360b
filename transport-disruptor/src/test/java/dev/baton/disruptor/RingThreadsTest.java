package dev.baton.disruptor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Connection;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A ring between threads, in seeded bursts: what is read is what was written, whichever thread is ahead. */
@Timeout(60)
@Tag("slow")
class RingThreadsTest {
    private static final String TOPIC = "shared";
    private static final int FEW_FRAMES = 4_000;
    private static final int ROUNDS = 20;
    private static final int NEWCOMERS = 12;

    @ParameterizedTest(name = "{0} slots, {1} frames, seed {2}")
    @CsvSource({"2, 10000, 1", "16, 50000, 2", "64, 200000, 3", "1024, 200000, 4"})
    void twoReaderThreadsReadEveryFrame(int slots, int frames, long seed) throws Exception {
        try (DisruptorTransport transport = open(slots)) {
            List<FutureTask<Long>> tasks = new ArrayList<>();
            // The consumers exist before the first frame, so that both see all of them.
            for (String consumer : List.of("one", "two")) {
                openOnce(transport, consumer);
                Random random = new Random(seed + consumer.hashCode());
                tasks.add(start(() -> read(transport, consumer, frames, random)));
            }
            tasks.add(start(() -> write(transport, frames, new Random(seed))));

            for (FutureTask<Long> task : tasks) {
                assertThat(outcome(task)).isEqualTo(frames);
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void consumersAddedWhileWritingReadUnbrokenRuns(long seed) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            try (DisruptorTransport transport = open(16)) {
                openOnce(transport, "steady");
                Random writing = new Random(seed + round);
                FutureTask<Long> written = start(() -> write(transport, FEW_FRAMES, writing));
                readByNewcomers(transport, new Random(~seed - round));
                assertThat(outcome(written)).isEqualTo(FEW_FRAMES);
            }
        }
    }

    /** One consumer from the beginning, and now and then another, each followed to the end. */
    private static void readByNewcomers(DisruptorTransport transport, Random random) {
        try (Connection mine = transport.connect()) {
            List<TopicReader> readers = new ArrayList<>(List.of(mine.openReader(TOPIC, "steady")));
            List<SeededReader> seen = new ArrayList<>(List.of(new SeededReader()));
            while (seen.stream().anyMatch(one -> one.newest() < FEW_FRAMES)) {
                if (readers.size() < NEWCOMERS && random.nextInt(8) == 0) {
                    readers.add(mine.openReader(TOPIC, "newcomer " + readers.size()));
                    seen.add(new SeededReader());
                }
                boolean moved = false;
                for (int i = 0; i < readers.size(); i++) {
                    if (readers.get(i).poll(seen.get(i), 1 + random.nextInt(16)) > 0) {
                        readers.get(i).acknowledge(seen.get(i).position());
                        moved = true;
                    }
                }
                pause(random, moved);
            }
        }
    }

    private static long write(DisruptorTransport transport, int frames, Random random) {
        try (Connection mine = transport.connect()) {
            TopicWriter writer = mine.openWriter(TOPIC);
            while (writer.sequence() < frames) {
                int burst = 1 + random.nextInt(40);
                boolean moved = writer.remainingCapacity() > 0;
                while (burst > 0 && writer.sequence() < frames && writer.remainingCapacity() > 0) {
                    SeededReader.write(writer);
                    burst--;
                }
                writer.flush();
                pause(random, moved);
            }
            return writer.storedSequence();
        }
    }

    private static long read(DisruptorTransport transport, String consumer, int frames, Random random) {
        try (Connection mine = transport.connect()) {
            TopicReader reader = mine.openReader(TOPIC, consumer);
            SeededReader seen = new SeededReader();
            while (seen.newest() < frames) {
                boolean moved = reader.poll(seen, 1 + random.nextInt(40)) > 0;
                if (moved) {
                    reader.acknowledge(seen.position());
                }
                pause(random, moved);
            }
            return seen.count();
        }
    }

    /**
     * Shakes the threads' interleaving; more threads than cores would stand still without it. A thread that yields gives
     * up its time slice, which on a loaded machine costs milliseconds: so one that waits parks.
     */
    private static void pause(Random random, boolean moved) {
        if (random.nextInt(4) == 0) {
            if (moved) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(1);
            }
        }
    }

    private static DisruptorTransport open(int slots) {
        DisruptorTransport transport = DisruptorTransport.create(DisruptorOptions.defaults()
                .with(DisruptorOptions.SLOTS, slots)
                .with(DisruptorOptions.MAX_PAYLOAD, Long.BYTES));
        transport.createTopics(List.of(TOPIC));
        return transport;
    }

    private static void openOnce(DisruptorTransport transport, String consumer) {
        try (Connection mine = transport.connect()) {
            mine.openReader(TOPIC, consumer);
        }
    }

    private static <T> FutureTask<T> start(Callable<T> action) {
        FutureTask<T> task = new FutureTask<>(action);
        Thread thread = new Thread(task, "ring-test");
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    /** What a task returned. With more threads than free cores, each frame of a small ring may take a time slice. */
    private static long outcome(FutureTask<Long> task) throws Exception {
        try {
            return task.get(30, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            throw new AssertionError(failed.getCause());
        }
    }
}
