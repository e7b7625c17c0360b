package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.chronicle.ChronicleOptions;
import dev.baton.chronicle.ChronicleTransport;
import dev.baton.operations.line.KnownTransports;
import dev.baton.run.Loops;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportProvider;
import dev.baton.spi.options.OptionSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code baton verify} over topics that a chain with partitions has left. */
class VerifyPartitionsTest {
    private static final Class<?> NO_TRIAL = Void.class;

    @TempDir
    private Path topics;

    /** Partition 0 carries 10 messages, partition 1 twice as many. */
    @BeforeEach
    void runAChain() {
        Chain chain = Chain.named("five")
                .then("s1", () -> (in, out) -> out.forward(in))
                .build();
        try (Transport transport = transport();
                Loops loops = Loops.cooperative(1);
                RunningChain running = chain.on(transport)
                        .with(loops)
                        .onOutput(in -> {})
                        .partitions(2)
                        .start()) {
            for (int i = 0; i < 10; i++) {
                running.inlet(0).send(new byte[1]);
                running.inlet(1).send(new byte[1]);
                running.inlet(1).send(new byte[1]);
            }
            assertThat(running.close(Duration.ofSeconds(20))).isTrue();
        }
    }

    @Test
    void causesAreComparedWithSamePartition() throws IOException {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(NO_TRIAL);
        assertThat(laboratory.run("verify", topics.toString())).isZero();
        assertThat(laboratory.out()).contains("4 topics, 60 frames: clean");
        exchangePartitions("five-0");
        assertThat(laboratory.run("verify", topics.toString())).isEqualTo(1);
        assertThat(laboratory.out()).contains("five-1@1  causes go up to 20, topic five-0@1 ends at 10");
    }

    @Test
    void namesNeedNoPartitions() {
        assertThat(verified("five")).contains("4 topics, 60 frames: clean");
        assertThat(verified("five-1")).contains("2 topics, 30 frames: clean").doesNotContain("five-0");
        assertThat(verified("five-1@1")).contains("1 topic, 20 frames: clean");
        assertThat(verified("five", "five-0@1")).contains("4 topics, 60 frames: clean");
    }

    private String verified(String... names) {
        FakeLaboratory laboratory = FakeLaboratory.over(KnownTransports.of(List.of(new ByName())), NO_TRIAL);
        List<String> typed = new ArrayList<>(List.of("verify", "--transport", "by-name"));
        typed.addAll(List.of(names));
        assertThat(laboratory.run(typed.toArray(String[]::new)))
                .as(laboratory.err())
                .isZero();
        return laboratory.out();
    }

    private void exchangePartitions(String topic) throws IOException {
        Path aside = topics.resolve("aside");
        Files.move(topics.resolve(topic + "@0"), aside);
        Files.move(topics.resolve(topic + "@1"), topics.resolve(topic + "@0"));
        Files.move(aside, topics.resolve(topic + "@1"));
    }

    private ChronicleTransport transport() {
        return ChronicleTransport.in(topics, ChronicleOptions.defaults().with(ChronicleOptions.BLOCK_SIZE, 64 << 10));
    }

    /** The topics, found as those of a broker are: by their names, and not as directories. */
    private final class ByName implements TransportProvider {
        @Override
        public String name() {
            return "by-name";
        }

        @Override
        public String summary() {
            return "topics without a directory";
        }

        @Override
        public Set<Guarantee> guarantees() {
            return Set.of(Guarantee.DURABLE);
        }

        @Override
        public List<OptionSpec> options() {
            return List.of();
        }

        @Override
        public Transport open(Map<String, String> options) {
            return transport();
        }
    }
}
