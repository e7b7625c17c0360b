package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.aeron.recording.ArchiveSession;
import dev.baton.aeron.recording.Catalog;
import dev.baton.aeron.recording.RecordingDescriptor;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.OccupiedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two that want the same at the same moment, each with a transport of its own as two processes have. */
@Tag("slow")
class ArchiveRivalsTest {
    private static final int ROUNDS = 8;

    @Test
    void oneOfTwoConcurrentWritersOpens() throws Exception {
        for (int round = 1; round <= ROUNDS; round++) {
            List<Object> ended = together("rival-writers", topic -> {
                TopicWriter writer = topic.writer();
                topic.store(writer, 20, 100);
                writer.close();
            });
            assertThat(ended).allSatisfy(end -> assertThat(end).isIn("done", OccupiedException.class));
            assertThat(ended).contains("done");
        }
        try (ArchiveTopic topic = ArchiveTopic.in(TestArchive.options(), "rival-writers")) {
            long newest = topic.writer().sequence();
            assertThat(newest).isBetween(20L * ROUNDS, 40L * ROUNDS);
            assertThat(topic.read(topic.reader(), (int) newest))
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, newest).boxed().toList());
        }
    }

    @Test
    void oneOfTwoConcurrentReadersOpens() throws Exception {
        for (int round = 1; round <= ROUNDS; round++) {
            String name = "rival-readers-" + round;
            try (ArchiveTopic topic = ArchiveTopic.in(TestArchive.options(), name)) {
                topic.store(topic.writer(), 10, 100);
            }
            List<Object> ended = together(name, topic -> {
                TopicReader reader = topic.reader();
                List<Long> read = topic.read(reader, (int) (10 - reader.found().acknowledged()));
                if (!read.isEmpty()) {
                    reader.acknowledge(read.get(read.size() - 1));
                }
                reader.close();
            });
            assertThat(ended).allSatisfy(end -> assertThat(end).isIn("done", OccupiedException.class));
            try (ArchiveTopic topic = ArchiveTopic.in(TestArchive.options(), name)) {
                assertThat(topic.reader().found().acknowledged()).isEqualTo(ended.contains("done") ? 10 : 0);
            }
        }
    }

    @Test
    void concurrentCreationsYieldOneTopic() throws Exception {
        for (int round = 1; round <= ROUNDS; round++) {
            String name = "rival-topics-" + round;
            List<Long> identities = new ArrayList<>();
            CyclicBarrier barrier = new CyclicBarrier(2);
            Callable<Long> create = () -> {
                try (ArchiveTransport transport = ArchiveTransport.open(TestArchive.options())) {
                    barrier.await();
                    transport.createTopics(List.of(name));
                }
                barrier.await();
                try (ArchiveSession session = ArchiveSession.connect(TestArchive.options())) {
                    return Catalog.topic(session, name).identity();
                }
            };
            for (FutureTask<Long> each : List.of(start(create), start(create))) {
                identities.add(each.get());
            }
            assertThat(identities.get(0)).isEqualTo(identities.get(1));
            try (ArchiveSession session = ArchiveSession.connect(TestArchive.options())) {
                assertThat(Catalog.list(session, RecordingDescriptor.topicAlias(name), RecordingDescriptor.TOPICS))
                        .hasSize(1);
            }
        }
    }

    private static List<Object> together(String name, Consumer<ArchiveTopic> task) throws Exception {
        ArchiveTopic.in(TestArchive.options(), name).close();
        CyclicBarrier barrier = new CyclicBarrier(2);
        Callable<Object> one = () -> {
            try (ArchiveTopic topic = ArchiveTopic.in(TestArchive.options(), name)) {
                barrier.await();
                try {
                    task.accept(topic);
                    return "done";
                } catch (OccupiedException refused) {
                    return refused.getClass();
                }
            }
        };
        List<Object> ended = new ArrayList<>();
        for (FutureTask<Object> each : List.of(start(one), start(one))) {
            ended.add(result(each));
        }
        return ended;
    }

    private static <T> FutureTask<T> start(Callable<T> task) {
        FutureTask<T> future = new FutureTask<>(task);
        new Thread(future, "rival").start();
        return future;
    }

    private static Object result(FutureTask<Object> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException failed) {
            return failed.getCause();
        }
    }
}
