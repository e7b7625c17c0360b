package dev.baton.operations.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.Chain;
import dev.baton.Deployment.ReplacedInput;
import dev.baton.Deployment.UnreadableFrames;
import dev.baton.RunningChain;
import dev.baton.kafka.KafkaProvider;
import dev.baton.kafka.embedded.EmbeddedKafka;
import dev.baton.operations.chains.ForwardingChain;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import dev.baton.run.Loops;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.MembershipException;
import dev.baton.state.SnapshotPolicy;
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

/** Service processes that share the partitions of one service over a real broker. */
@Tag("slow")
@Timeout(120)
class SharedServiceTest {
    private static final int PARTITIONS = 4;
    private static final Chain RECORDED = ForwardingChain.of("recorded", 1);
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
    void processLogsEachOfItsPartitions() throws Exception {
        Member process = new Member(plan("shares"));
        await().atMost(LONGEST_WAIT).until(() -> process.count("partition \\d assigned") == PARTITIONS);
        assertThat(process.process.health().isHealthy()).isTrue();
        assertThat(process.process.health().parts()).hasSize(PARTITIONS);

        try (Transport transport = new KafkaProvider().open(options());
                Loops loops = Loops.cooperative(1);
                RunningChain other = join("shares", "b", transport, loops)) {
            await().atMost(LONGEST_WAIT).until(() -> other.held().size() == PARTITIONS / 2);
            assertThat(process.count("partition \\d revoked")).isEqualTo(PARTITIONS / 2);
        }
        await().atMost(LONGEST_WAIT)
                .until(() -> process.count("partition \\d assigned") == PARTITIONS + PARTITIONS / 2);

        process.process.stop();
        assertThat(process.end.get(LONGEST_WAIT.toSeconds(), TimeUnit.SECONDS)).isNull();
        assertThat(process.log)
                .startsWith(
                        "shares s1 starting: over kafka",
                        "shares s1 running: member a, takes its share of 4 partitions")
                .endsWith("shares s1 stopped");
    }

    @Test
    void processWithTakenNameEnds() throws Exception {
        Member process = new Member(plan("names"));
        await().atMost(LONGEST_WAIT).until(() -> process.count("partition \\d assigned") == PARTITIONS);

        try (Transport transport = new KafkaProvider().open(options());
                Loops loops = Loops.cooperative(1);
                RunningChain other = join("names", "a", transport, loops)) {
            assertThat(process.end.get(LONGEST_WAIT.toSeconds(), TimeUnit.SECONDS))
                    .isInstanceOf(MembershipException.class);
            await().atMost(LONGEST_WAIT).until(() -> other.held().size() == PARTITIONS);
            assertThat(other.failure()).isEmpty();
        }
        assertThat(process.log).last().asString().contains("names s1 failed: member 'a'", "name of its own");
    }

    @Test
    void restartContinuesFromGivenStart() throws Exception {
        send(5);
        assertThat(runElsewhere(3))
                .contains("again s1 begins at sequence 3 of topic recorded-0, as consumer observer.again--s1--from-3");
        send(2);
        assertThat(runElsewhere(5))
                .contains("again s1 continues where consumer observer.again--s1--from-3 of topic recorded-0 stopped");
    }

    private static void send(int messages) {
        try (Transport transport = new KafkaProvider().open(options());
                Loops loops = Loops.cooperative(1);
                RunningChain running = RECORDED.on(transport).with(loops).only().start()) {
            for (int i = 0; i < messages; i++) {
                running.inlet().send(new byte[8]);
            }
            assertThat(running.close(LONGEST_WAIT)).isTrue();
        }
    }

    /** Runs until there are as many outputs, and answers what it logged. */
    private static List<String> runElsewhere(long outputs) throws Exception {
        Chain again = RECORDED.again("again", "recorded-0", List.of("s1"));
        Member process = new Member(new ServicePlan(
                again,
                List.of("s1"),
                1,
                new Subject(Subject.BATON, "kafka", options()),
                new LoopPlan("cooperative:1", LoopPlan.DEFAULT_IDLE, 0),
                null,
                new ServicePlan.Edges(ReplacedInput.REFUSE, UnreadableFrames.STOP),
                SnapshotPolicy.standard(),
                new ServicePlan.Start(StartPosition.sequence(3), null)));
        try (Transport transport = new KafkaProvider().open(options())) {
            await().atMost(LONGEST_WAIT).until(() -> process.end.isDone() || stored(transport) >= outputs);
            process.process.stop();
            assertThat(process.end.get(LONGEST_WAIT.toSeconds(), TimeUnit.SECONDS))
                    .isNull();
            assertThat(stored(transport)).isEqualTo(outputs);
        }
        return process.log;
    }

    private static long stored(Transport transport) {
        if (!transport.topics().contains("again-1")) {
            return 0;
        }
        try (TopicInspector inspector = transport.inspect("again-1")) {
            return inspector.newestSequence();
        }
    }

    private static RunningChain join(String chain, String member, Transport transport, Loops loops) {
        return plan(chain)
                .chain()
                .on(transport)
                .with(loops)
                .only("s1")
                .partitions(PARTITIONS)
                .member(member)
                .start();
    }

    private static ServicePlan plan(String chain) {
        ServicePlan.Sharing sharing = new ServicePlan.Sharing(PARTITIONS, "a", Duration.ofSeconds(6), false);
        LoopPlan loops = new LoopPlan("cooperative:1", LoopPlan.DEFAULT_IDLE, 0);
        return new ServicePlan(
                ForwardingChain.of(chain, 2),
                List.of("s1"),
                1,
                new Subject(Subject.BATON, "kafka", options()),
                loops,
                sharing,
                new ServicePlan.Edges(ReplacedInput.REFUSE, UnreadableFrames.STOP),
                SnapshotPolicy.standard(),
                null);
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
            process =
                    new ServiceProcess(plan, new KafkaProvider(), Duration.ofSeconds(5), Duration.ofDays(1), log::add);
            end = CompletableFuture.supplyAsync(process::run, task -> new Thread(task, "member").start());
        }

        long count(String pattern) {
            return List.copyOf(log).stream()
                    .filter(line -> line.matches(".* " + pattern))
                    .count();
        }
    }
}
