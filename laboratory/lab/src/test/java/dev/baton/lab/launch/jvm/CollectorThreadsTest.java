package dev.baton.lab.launch.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CollectorThreadsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    own        |                          | 1  | 0
                    own        |                          | 2  | 1
                    own        | -XX:+UseSerialGC         | 2  | 0
                    g1         |                          | 1  | 1
                    g1         |                          | 2  | 1
                    g1         |                          | 16 | 3
                    g1         | -XX:ParallelGCThreads=2  | 16 | 1
                    zgc        |                          | 2  | 1
                    zgc        |                          | 16 | 4
                    zgc        | -XX:ConcGCThreads=3      | 16 | 3
                    gen-zgc    |                          | 8  | 2
                    shenandoah |                          | 16 | 4
                    serial     |                          | 16 | 0
                    parallel   |                          | 16 | 0
                    epsilon    | -XX:ConcGCThreads=3      | 16 | 0
                    """)
    void collectorThreadsMatchHotSpot(String collector, String flags, int processors, int threads) {
        JvmChoice choice = new JvmChoice(
                InstalledJvm.current(),
                collector.equals("own") ? null : Collector.named(collector),
                null,
                flags == null ? List.of() : List.of(flags));
        assertThat(CollectorThreads.concurrent(choice, processors)).isEqualTo(threads);
    }
}
