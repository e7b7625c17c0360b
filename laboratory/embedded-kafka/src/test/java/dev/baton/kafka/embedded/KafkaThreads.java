package dev.baton.kafka.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/** New threads, except those that Kafka's metrics library starts once per JVM. */
final class KafkaThreads {
    private final Set<Thread> before = Thread.getAllStackTraces().keySet();

    void awaitEnd() {
        Awaitility.await("threads to end")
                .pollInSameThread()
                .untilAsserted(() -> assertThat(added()).isEmpty());
    }

    Set<String> added() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread) && thread.isAlive())
                .map(Thread::getName)
                .filter(name -> !name.startsWith("metrics-meter-tick-thread"))
                .filter(name -> !name.startsWith("ForkJoinPool.commonPool"))
                .collect(Collectors.toSet());
    }
}
