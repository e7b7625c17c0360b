package dev.baton.operations.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.RunningLanes;
import dev.baton.kafka.KafkaProvider;
import dev.baton.kafka.embedded.EmbeddedKafka;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import dev.baton.run.Loops;
import dev.baton.spi.MembershipException;
import dev.baton.spi.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Service processes that share the lanes of one service over a real broker. */
@Tag("broker")
@Timeout(120)
class SharedServiceTest {
    private static final int LANES = 4;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);
    private static EmbeddedKafka kafka;

    @BeforeAll
    static void startBroker() {
        kafka = EmbeddedKafka.start();
    }

    @AfterAll
    static void stopBroker() {
        kafka.close();
    }

    @Test
    void aProcessTakesItsShareAndItsLogNamesEveryLane() throws Exception {
        Member process = new Member(plan("shares"));
        await().atMost(LONGEST_WAIT).until(() -> process.count("lane \\d taken") == LANES);
        assertThat(process.process.health().isHealthy()).isTrue();
        assertThat(process.process.health().parts()).hasSize(LANES);

        try (Transport transport = new KafkaProvider().open(options());
                Loops loops = Loops.cooperative(1);
                RunningLanes other = join("shares", "b", transport, loops)) {
            await().atMost(LONGEST_WAIT).until(() -> other.held().size() == LANES / 2);
            assertThat(process.count("lane \\d given up")).isEqualTo(LANES / 2);
        }
        await().atMost(LONGEST_WAIT).until(() -> process.count("lane \\d taken") == LANES + LANES / 2);

        process.process.stop();
        assertThat(process.end.get(LONGEST_WAIT.toSeconds(), TimeUnit.SECONDS)).isNull();
        assertThat(process.log)
                .startsWith("shares s1 starting: over kafka", "shares s1 running: member a, takes its share of 4 lanes")
                .endsWith("shares s1 stopped");
    }

    @Test
    void aProcessWhoseNameWasTakenEndsInsteadOfTakingItBack() throws Exception {
        Member process = new Member(plan("names"));
        await().atMost(LONGEST_WAIT).until(() -> process.count("lane \\d taken") == LANES);

        try (Transport transport = new KafkaProvider().open(options());
                Loops loops = Loops.cooperative(1);
                RunningLanes other = join("names", "a", transport, loops)) {
            assertThat(process.end.get(LONGEST_WAIT.toSeconds(), TimeUnit.SECONDS))
                    .isInstanceOf(MembershipException.class);
            await().atMost(LONGEST_WAIT).until(() -> other.held().size() == LANES);
            assertThat(other.failure()).isEmpty();
        }
        assertThat(process.log).last().asString().contains("names s1 failed: member 'a'", "name of its own");
    }

    private static RunningLanes join(String chain, String member, Transport transport, Loops loops) {
        return plan(chain)
                .toChain()
                .on(transport)
                .with(loops)
                .only("s1")
                .lanes(LANES)
                .member(member)
                .start();
    }

    private static ServicePlan plan(String chain) {
        Sharing sharing = new Sharing(LANES, "a", Duration.ofSeconds(6), false);
        LoopPlan loops = new LoopPlan("cooperative:1", LoopPlan.DEFAULT_IDLE, 0);
        return new ServicePlan(
                chain,
                2,
                List.of(1),
                1,
                new Subject(Subject.BATON, "kafka", options()),
                loops,
                sharing,
                EdgeChoices.DEFAULT,
                0);
    }

    private static Map<String, String> options() {
        return Map.of("bootstrap-servers", kafka.bootstrapServers());
    }

    /** A service process on a thread of this JVM, with its log. */
    private static final class Member {
        final List<String> log = Collections.synchronizedList(new ArrayList<>());
        final ServiceProcess process;
        final CompletableFuture<Throwable> end;

        Member(ServicePlan plan) {
            process = new ServiceProcess(plan, new KafkaProvider(), Duration.ofSeconds(5), log::add);
            end = CompletableFuture.supplyAsync(process::run, task -> new Thread(task, "member").start());
        }

        long count(String pattern) {
            return List.copyOf(log).stream()
                    .filter(line -> line.matches(".* " + pattern))
                    .count();
        }
    }
}
