package dev.baton.operations.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.Chain;
import dev.baton.Deployment.ReplacedInput;
import dev.baton.Deployment.UnreadableFrames;
import dev.baton.RunningChain;
import dev.baton.chronicle.ChronicleProvider;
import dev.baton.operations.chains.ForwardingChain;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import dev.baton.run.Loops;
import dev.baton.spi.Cause;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.TopicMismatchException;
import dev.baton.state.SnapshotPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Services that begin elsewhere than where they stopped, over Chronicle. */
@Timeout(300)
class StartedElsewhereTest {
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(120);
    private static final Chain CHAIN = ForwardingChain.of("five", 2);

    private final List<String> log = Collections.synchronizedList(new ArrayList<>());

    @TempDir
    private Path topics;

    @BeforeEach
    void recordFiveMessages() {
        send(5);
    }

    @Test
    void readsWithItsOwnConsumerAndTopics() throws Exception {
        runs(plan(CHAIN, null), "five-1", 5);
        runs(again("again", StartPosition.sequence(3)), "again-1", 3);

        assertThat(causes("again-1")).containsExactly(3L, 4L, 5L);
        assertThat(acknowledged("five-0")).containsEntry("s1", 5L).containsEntry("observer.again--s1--from-3", 5L);
        assertThat(log)
                .contains("again s1 begins at sequence 3 of topic five-0, as consumer observer.again--s1--from-3");
    }

    @Test
    void endedRunDoesNotHoldTopicBack() throws Exception {
        runs(again("again", StartPosition.sequence(3)), "again-1", 3);

        try (Transport bounded = new ChronicleProvider().open(Map.of("dir", topics.toString(), "backlog", "8"))) {
            send(bounded, 40);
        }
        assertThat(stored("five-0")).as("frames in a topic whose backlog is 8").isEqualTo(45);
    }

    @Test
    void restartWithSamePositionContinues() throws Exception {
        runs(again("again", StartPosition.sequence(5)), "again-1", 1);
        send(2);
        runs(again("again", StartPosition.sequence(5)), "again-1", 3);

        assertThat(causes("again-1")).containsExactly(5L, 6L, 7L);
        assertThat(log)
                .contains("again s1 continues where consumer observer.again--s1--from-5 of topic five-0 stopped");
    }

    @Test
    void restartAtAnotherPositionIsRefusedAfterOutput() throws Exception {
        runs(again("again", StartPosition.sequence(5)), "again-1", 1);

        assertThat(process(again("again", StartPosition.earliest())).run()).isInstanceOf(TopicMismatchException.class);
        assertThat(log)
                .last()
                .asString()
                .contains("topic 'again-1' holds 1 frames already", "--name NAME --input TOPIC");
        assertThat(causes("again-1")).containsExactly(5L);
    }

    @Test
    void aConsumerThatIsNamedIsMoved() throws Exception {
        ServicePlan.Start start = new ServicePlan.Start(StartPosition.sequence(4), "audit");
        runs(plan(CHAIN.again("again", "five-0", List.of("s1")), start), "again-1", 2);

        assertThat(causes("again-1")).containsExactly(4L, 5L);
        assertThat(acknowledged("five-0")).containsOnlyKeys("audit").containsEntry("audit", 5L);
    }

    @Test
    void ownTopicIsReadByOwnConsumer() throws Exception {
        runs(plan(CHAIN, new ServicePlan.Start(StartPosition.sequence(2), null)), "five-1", 4);

        assertThat(acknowledged("five-0")).containsOnlyKeys("five--s1--from-2");
    }

    @Test
    void timePositionGivesPortableConsumerName() {
        assertThat(again("again", StartPosition.parse("2026-03-01T09:30:00Z")).consumer())
                .isEqualTo("observer.again--s1--from-2026-03-01T09.30.00Z");
        assertThat(again("again", StartPosition.latest()).consumer()).isEqualTo("observer.again--s1--from-latest");
    }

    private static ServicePlan again(String name, StartPosition from) {
        return plan(CHAIN.again(name, "five-0", List.of("s1")), new ServicePlan.Start(from, null));
    }

    private static ServicePlan plan(Chain chain, ServicePlan.Start start) {
        return new ServicePlan(
                chain,
                List.of("s1"),
                1,
                new Subject(Subject.BATON, "chronicle", Map.of()),
                new LoopPlan("cooperative:1", LoopPlan.DEFAULT_IDLE, 0),
                null,
                new ServicePlan.Edges(ReplacedInput.REFUSE, UnreadableFrames.STOP),
                SnapshotPolicy.standard(),
                start);
    }

    private ServiceProcess process(ServicePlan plan) {
        ServicePlan placed = new ServicePlan(
                plan.chain(),
                plan.only(),
                plan.instances(),
                new Subject(Subject.BATON, "chronicle", Map.of("dir", topics.toString())),
                plan.loops(),
                plan.sharing(),
                plan.edges(),
                plan.snapshots(),
                plan.start());
        return new ServiceProcess(
                placed, new ChronicleProvider(), Duration.ofSeconds(60), Duration.ofDays(1), log::add);
    }

    /** Runs until a topic holds as much. */
    private void runs(ServicePlan plan, String topic, long until) throws Exception {
        ServiceProcess process = process(plan);
        CompletableFuture<Throwable> end =
                CompletableFuture.supplyAsync(process::run, task -> new Thread(task, "service").start());
        try {
            await().atMost(LONGEST_WAIT).until(() -> end.isDone() || stored(topic) >= until);
        } finally {
            process.stop();
            assertThat(end.get(LONGEST_WAIT.toSeconds(), TimeUnit.SECONDS)).isNull();
        }
        assertThat(stored(topic)).isEqualTo(until);
    }

    private Transport open() {
        return new ChronicleProvider().open(Map.of("dir", topics.toString()));
    }

    private void send(int messages) {
        try (Transport transport = open()) {
            send(transport, messages);
        }
    }

    private static void send(Transport transport, int messages) {
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = CHAIN.on(transport).with(loops).only().start()) {
            for (int i = 0; i < messages; i++) {
                running.inlet().send(new byte[8]);
            }
            assertThat(running.close(LONGEST_WAIT)).isTrue();
        }
    }

    private long stored(String topic) {
        try (Transport transport = open()) {
            if (!transport.topics().contains(topic)) {
                return 0;
            }
            try (TopicInspector inspector = transport.inspect(topic)) {
                return inspector.newestSequence();
            }
        }
    }

    private Map<String, Long> acknowledged(String topic) {
        try (Transport transport = open();
                TopicInspector inspector = transport.inspect(topic)) {
            return inspector.acknowledged();
        }
    }

    private List<Long> causes(String topic) {
        List<Long> causes = new ArrayList<>();
        try (Transport transport = open();
                TopicInspector inspector = transport.inspect(topic)) {
            inspector.read(
                    (frame, position) -> {
                        causes.add(Cause.input(frame.cause()));
                        return Verdict.DONE;
                    },
                    100);
        }
        return causes;
    }
}
