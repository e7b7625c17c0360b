package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.Chain;
import dev.baton.Claim;
import dev.baton.Deployment;
import dev.baton.Deployment.ReplacedInput;
import dev.baton.Deployment.UnreadableFrames;
import dev.baton.RunningChain;
import dev.baton.kafka.embedded.EmbeddedKafka;
import dev.baton.kafka.embedded.EmbeddedKafkaOptions;
import dev.baton.kafka.log.WriterMarker;
import dev.baton.run.Loops;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.errors.TransportException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.Record;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A topic in the middle of a chain under load is deleted and created again, by the broker or by an operator. The log of the
 * deleted topic, which the broker keeps for a while, is the evidence of what was stored there.
 */
@Tag("slow")
@Tag("long")
@Timeout(180)
class RecreatedUnderLoadTest {
    private static final Duration STATED = Duration.ofSeconds(10);
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String MIDDLE = "load-1";

    @TempDir
    Path directory;

    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final List<Long> outputs = Collections.synchronizedList(new ArrayList<>());
    private long sent;

    @ParameterizedTest
    @CsvSource({"true, false", "false, false", "true, true", "false, true"})
    void nothingIsConfirmedThatIsNotStored(boolean isCreatedByBroker, boolean isTransactional) throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start(EmbeddedKafkaOptions.defaults()
                        .withDirectory(directory)
                        .withProperty("auto.create.topics.enable", Boolean.toString(isCreatedByBroker))
                        .withProperty("log.segment.delete.delay.ms", "600000"));
                Admin admin =
                        Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers()))) {
            KafkaOptions options = KafkaOptions.at(kafka.bootstrapServers())
                    .with(KafkaOptions.COMMIT_INTERVAL, Duration.ofMillis(10))
                    .with(KafkaOptions.TRANSACTIONS, isTransactional);
            long confirmed = runUntilItFails(options, admin, isCreatedByBroker);
            List<Long> deleted = deletedLog();
            long acknowledged = acknowledged(options);
            assertThat(deleted)
                    .as("inputs up to " + acknowledged + " were acknowledged, so their outputs were stored")
                    .containsAll(LongStream.rangeClosed(1, acknowledged).boxed().toList());
            assertThat(acknowledged).as("under load").isPositive();

            assertThatThrownBy(() -> drain(options, UnaryOperator.identity()))
                    .as("without a decision")
                    .isInstanceOf(TransportException.class);
            drain(
                    options,
                    deployment -> deployment
                            .replacedInput(ReplacedInput.HANDLE_ALL)
                            .onUnreadable(UnreadableFrames.SKIP)); // frames that the former writer left

            TreeSet<Long> missing =
                    new TreeSet<>(LongStream.rangeClosed(1, confirmed).boxed().toList());
            missing.removeAll(outputs);
            assertThat(deleted)
                    .as("what did not come out was in the deleted topic, of confirmed messages up to " + confirmed)
                    .containsAll(missing);
            assertThat(repeated()).as("what was unacknowledged is repeated").allMatch(each -> each > acknowledged);
            drain(options, UnaryOperator.identity());
        }
    }

    /** Returns up to which message the sender was told that it is stored. */
    private long runUntilItFails(KafkaOptions options, Admin admin, boolean isCreatedByBroker) throws Exception {
        long confirmed = 0;
        Uuid former = null;
        try (KafkaTransport transport = KafkaTransport.at(options);
                Loops loops = Loops.cooperative(1);
                RunningChain running = deployment(transport, loops)
                        .onFailure(cause -> failure.compareAndSet(null, cause))
                        .start()) {
            former = id(admin);
            await().pollInSameThread().atMost(LIMIT).until(() -> send(running) && outputs.size() > 200);
            admin.deleteTopics(List.of(MIDDLE)).all().get(20, TimeUnit.SECONDS);
            if (!isCreatedByBroker) {
                await().pollInSameThread().atMost(LIMIT).until(() -> isCreated(admin));
            }
            long begun = System.nanoTime();
            await().pollInSameThread().atMost(STATED).until(() -> !send(running) || failure.get() != null);
            await().pollInSameThread().atMost(STATED).until(() -> failure.get() != null);
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(STATED);
            confirmed = storedInputs(transport);
        } catch (TransportException atClose) {
            failure.compareAndSet(null, atClose);
        }
        assertThat(failure.get()).hasMessageContaining("topic '" + MIDDLE + "'");
        if (!failure.get()
                .getMessage()
                .contains("not present in metadata")) { // a send before a slow broker has made it again
            assertThat(failure.get())
                    .hasMessageContainingAll(String.valueOf(former), id(admin).toString());
        }
        return confirmed;
    }

    private Deployment deployment(KafkaTransport transport, Loops loops) {
        return Chain.named("load")
                .then("one", () -> (in, out) -> out.forward(in))
                .then("two", () -> (in, out) -> out.forward(in))
                .build()
                .on(transport)
                .with(loops)
                .onOutput(in -> outputs.add(in.getLong(0)));
    }

    private void drain(KafkaOptions options, UnaryOperator<Deployment> change) {
        try (KafkaTransport transport = KafkaTransport.at(options);
                Loops loops = Loops.cooperative(1);
                RunningChain running =
                        change.apply(deployment(transport, loops)).start()) {
            await().atMost(LIMIT)
                    .until(() -> running.failure().isPresent()
                            || running.status().parts().stream()
                                    .allMatch(part -> part.input().backlog() == 0));
            assertThat(running.close(LIMIT)).isTrue();
        }
    }

    private boolean send(RunningChain running) {
        try {
            for (int i = 0; i < 20; i++) {
                Claim claim = running.inlet().tryClaim(8);
                if (claim == null) {
                    return true;
                }
                claim.putLong(0, ++sent).commit(8);
            }
            return true;
        } catch (RuntimeException refused) {
            return false;
        }
    }

    private static long storedInputs(KafkaTransport transport) {
        try (TopicInspector inspector = transport.inspect("load-0")) {
            return inspector.newestSequence();
        }
    }

    private static long acknowledged(KafkaOptions options) {
        try (KafkaTransport transport = KafkaTransport.at(options);
                TopicInspector inspector = transport.inspect("load-0")) {
            return Collections.max(inspector.acknowledged().values());
        }
    }

    private List<Long> repeated() {
        List<Long> all = new ArrayList<>(outputs);
        new TreeSet<>(outputs).forEach(all::remove);
        return all;
    }

    private static boolean isCreated(Admin admin) throws Exception {
        try {
            admin.createTopics(List.of(new NewTopic(MIDDLE, Optional.of(1), Optional.empty())))
                    .all()
                    .get(20, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException notYet) {
            return false;
        }
    }

    private static Uuid id(Admin admin) throws Exception {
        return admin.describeTopics(List.of(MIDDLE))
                .topicNameValues()
                .get(MIDDLE)
                .get(20, TimeUnit.SECONDS)
                .topicId();
    }

    /** The messages in the deleted topic, from the files that the broker has set aside. */
    private List<Long> deletedLog() throws Exception {
        List<Long> found = new ArrayList<>();
        List<Path> logs;
        try (Stream<Path> all = Files.walk(directory)) {
            logs = all.filter(each -> each.getFileName().toString().endsWith(".log")
                            && each.getParent().getFileName().toString().startsWith(MIDDLE + "-0.")
                            && each.getParent().getFileName().toString().endsWith("-delete"))
                    .toList();
        }
        assertThat(logs).hasSize(1);
        Frame frame = new Frame();
        try (FileRecords records = FileRecords.open(logs.get(0).toFile(), false)) {
            records.batches().forEach(batch -> {
                if (!batch.isControlBatch()) {
                    for (Record record : batch) {
                        ByteBuffer value = record.value().order(ByteOrder.LITTLE_ENDIAN);
                        frame.wrap(value, value.position(), value.remaining() - Frame.HEADER_BYTES);
                        if (frame.sequence() != WriterMarker.SEQUENCE) {
                            assertThat(frame.validate()).isNull();
                            found.add(frame.getLong(0));
                        }
                    }
                }
            });
        }
        return found;
    }
}
