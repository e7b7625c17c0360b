package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.chronicle.ChronicleOptions.Roll;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.DamagedTopicException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import net.openhft.chronicle.core.time.SetTimeProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A process that is killed while it deletes a topic. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the order of deletions is observed by inotify")
class KilledDeletionTest {
    private static final ChronicleOptions OPTIONS = Topic.SMALL.with(ChronicleOptions.ROLL, Roll.FIVE_MINUTELY);
    private static final int FILES = 5;
    private static final long LIMIT_SECONDS = 10;

    private final TemporaryDirectory directory = new TemporaryDirectory();
    private final Path files = directory.path().resolve(Topic.NAME);
    private final SetTimeProvider clock = new SetTimeProvider(TimeUnit.SECONDS.toNanos(1_800_000_000));

    @AfterEach
    void remove() {
        directory.close();
    }

    @Test
    void whatAKilledDeletionLeavesIsRefused() throws Exception {
        write();
        TreeMap<String, byte[]> contents = contents();
        List<String> order = delete();
        assertThat(order).containsExactlyInAnyOrderElementsOf(contents.keySet());
        for (int deleted = 1; deleted < order.size(); deleted++) {
            Files.createDirectory(files);
            for (String left : order.subList(deleted, order.size())) {
                Files.write(files.resolve(left), contents.get(left));
            }
            try (Topic topic = open()) {
                for (Runnable opening : List.<Runnable>of(topic::writer, topic::reader)) {
                    assertThatThrownBy(opening::run, "without " + order.subList(0, deleted))
                            .isInstanceOf(DamagedTopicException.class)
                            .hasMessageContaining("delete the topic");
                }
                topic.transport.deleteTopics(List.of(Topic.NAME));
            }
        }
    }

    private Topic open() {
        return Topic.over(TestTransports.in(directory.path(), OPTIONS, clock));
    }

    private void write() {
        try (Topic topic = open()) {
            TopicWriter writer = topic.writer();
            for (int i = 0; i < FILES; i++) {
                Topic.write(writer, "first " + i, "second " + i);
                clock.advanceMillis(TimeUnit.MINUTES.toMillis(5));
            }
        }
    }

    private TreeMap<String, byte[]> contents() throws IOException {
        TreeMap<String, byte[]> contents = new TreeMap<>();
        try (Stream<Path> all = Files.list(files)) {
            for (Path each : all.toList()) {
                contents.put(each.getFileName().toString(), Files.readAllBytes(each));
            }
        }
        return contents;
    }

    /** Deletes the topic, and returns the names of its files in the order of their deletion. */
    private List<String> delete() throws IOException, InterruptedException {
        List<String> order = new ArrayList<>();
        try (WatchService watch = files.getFileSystem().newWatchService()) {
            files.register(watch, StandardWatchEventKinds.ENTRY_DELETE);
            try (Topic topic = open()) {
                topic.transport.deleteTopics(List.of(Topic.NAME));
            }
            boolean isValid = true;
            while (isValid) { // until the directory itself is gone
                WatchKey key = watch.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
                assertThat(key).isNotNull();
                for (WatchEvent<?> each : key.pollEvents()) {
                    order.add(each.context().toString());
                }
                isValid = key.reset();
            }
        }
        return order;
    }
}
