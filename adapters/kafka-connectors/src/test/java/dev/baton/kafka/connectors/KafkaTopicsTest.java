package dev.baton.kafka.connectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.Chain;
import dev.baton.ConfigurationException;
import dev.baton.Deployment;
import dev.baton.ErrorPolicy;
import dev.baton.Message;
import dev.baton.RestartPolicy;
import dev.baton.RunningChain;
import dev.baton.ValueCodec;
import dev.baton.chronicle.ChronicleTransport;
import dev.baton.codec.TypedService;
import dev.baton.kafka.KafkaTransport;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import dev.baton.spi.support.Causes;
import dev.baton.status.ChainStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Plain topics at both ends of chains, written and read by plain Kafka clients. */
@Tag("slow")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KafkaTopicsTest {
    private static final ValueCodec<String> TEXT = ValueCodec.strings(9);
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Chain PASSING =
            Chain.named("pass").then("pass", () -> (in, out) -> out.forward(in)).build();

    @TempDir
    Path directory;

    private Transport chronicle() {
        return ChronicleTransport.in(directory);
    }

    /** Runs until so many outputs were read from the target, and closes in order. */
    private static List<ConsumerRecord<byte[], byte[]>> run(
            Deployment deployment, Loops loops, KafkaTopic target, int count) {
        try (RunningChain running = deployment.with(loops).start()) {
            List<ConsumerRecord<byte[], byte[]>> read = Broker.read(target, count);
            assertThat(running.failure()).isEmpty();
            assertThat(running.close(Duration.ofSeconds(20)))
                    .as("closed in order")
                    .isTrue();
            return read;
        }
    }

    @Test
    void recordPassesChainWithAllItsParts() throws Exception {
        KafkaTopic in = Broker.topic("in", 1);
        KafkaTopic out = Broker.topic("out", 1);
        byte[] longKey = new byte[300];
        try (KafkaProducer<byte[], byte[]> producer = Broker.producer()) {
            ProducerRecord<byte[], byte[]> full =
                    new ProducerRecord<>(in.name(), 0, 1234L, Broker.bytes("key"), Broker.bytes("value"));
            full.headers().add("trace", Broker.bytes("ü")).add("trace", null);
            producer.send(full);
            producer.send(new ProducerRecord<>(in.name(), 0, 5L, (byte[]) null, Broker.bytes("no key")));
            producer.send(new ProducerRecord<>(in.name(), 0, 6L, Broker.bytes("deleted"), (byte[]) null));
            producer.send(new ProducerRecord<>(in.name(), 0, 7L, longKey, new byte[0]));
        }
        try (Transport transport = chronicle();
                Loops loops = Loops.cooperative(1)) {
            List<ConsumerRecord<byte[], byte[]>> read =
                    run(PASSING.on(transport).fromEach(KafkaSource.of(in)).onOutput(KafkaSink.to(out)), loops, out, 4);
            assertThat(read).hasSize(4);
            ConsumerRecord<byte[], byte[]> first = read.get(0);
            assertThat(Broker.text(first.key())).isEqualTo("key");
            assertThat(Broker.text(first.value())).isEqualTo("value");
            assertThat(first.timestamp()).isEqualTo(1234);
            Header[] headers = first.headers().toArray();
            assertThat(headers).hasSize(2);
            assertThat(headers[0].key()).isEqualTo("trace");
            assertThat(Broker.text(headers[0].value())).isEqualTo("ü");
            assertThat(headers[1].value()).isNull();
            assertThat(read.get(1).key()).isNull();
            assertThat(read.get(2).value()).isNull();
            assertThat(read.get(3).key()).isEqualTo(longKey);
            assertThat(read.get(3).value()).isEmpty();
        }
    }

    @Test
    void restartedChainContinuesAndCommitsPosition() throws Exception {
        KafkaTopic in = Broker.topic("in", 1);
        KafkaTopic out = Broker.topic("out", 1);
        for (int start = 0; start < 3; start++) {
            Broker.write(in, "k", start + "a", start + "b");
            try (Transport transport = chronicle();
                    Loops loops = Loops.cooperative(1)) {
                run(
                        PASSING.on(transport)
                                .fromEach(KafkaSource.of(in).group("lag-" + in.name()))
                                .onOutput(KafkaSink.to(out)),
                        loops,
                        out,
                        2 * start + 2);
            }
        }
        assertThat(Broker.values(out, 6)).containsExactly("0a", "0b", "1a", "1b", "2a", "2b");
        try (TopicAdmin admin = new TopicAdmin(in)) {
            assertThat(admin.committed("lag-" + in.name(), 0).offset()).isEqualTo(6);
        }
    }

    @Test
    void keyOrderIsPreservedOverKafkaTransport() throws Exception {
        KafkaTopic in = Broker.topic("in", 3);
        KafkaTopic out = Broker.topic("out", 5);
        try (KafkaProducer<byte[], byte[]> producer = Broker.producer()) {
            for (int i = 0; i < 3000; i++) {
                producer.send(new ProducerRecord<>(
                        in.name(), Broker.bytes("key" + i % 17), Broker.bytes(Integer.toString(i))));
            }
        }
        Chain chain = Chain.named(in.name() + "-chain")
                .then("pass", () -> (message, outlet) -> outlet.forward(message, message.key()))
                .build();
        try (Transport transport = KafkaTransport.at(Broker.servers());
                Loops loops = Loops.cooperative(2);
                RunningChain running = chain.on(transport)
                        .with(loops)
                        .fromEach(KafkaSource.of(in))
                        .onOutput(KafkaSink.to(out))
                        .partitions(in.partitions())
                        .start()) {
            List<ConsumerRecord<byte[], byte[]>> read = Broker.read(out, 3000);
            assertThat(running.failure()).isEmpty();
            assertThat(read).hasSize(3000);
            for (int key = 0; key < 17; key++) {
                String name = "key" + key;
                List<Integer> values = read.stream()
                        .filter(each -> Broker.text(each.key()).equals(name))
                        .map(each -> Integer.valueOf(Broker.text(each.value())))
                        .toList();
                assertThat(values).as(name).isSorted().doesNotHaveDuplicates();
            }
        }
    }

    @Test
    void valuesOnlyPayloadsComeOutAsValues() throws Exception {
        KafkaTopic in = Broker.topic("in", 1);
        KafkaTopic out = Broker.topic("out", 1);
        Broker.write(in, "k", "one", "two");
        Chain chain = Chain.named("lengths")
                .then(
                        "length",
                        () -> (message, outlet) -> outlet.claim(message.length(), message.key())
                                .putPayload(message)
                                .commit(message.length()))
                .build();
        try (Transport transport = chronicle();
                Loops loops = Loops.cooperative(1)) {
            List<ConsumerRecord<byte[], byte[]>> read = run(
                    chain.on(transport)
                            .fromEach(KafkaSource.of(in).valuesOnly())
                            .onOutput(KafkaSink.to(out).atLeastOnce()),
                    loops,
                    out,
                    2);
            assertThat(read)
                    .extracting(each -> Broker.text(each.key()) + "=" + Broker.text(each.value()))
                    .containsExactly("k=one", "k=two");
        }
    }

    @Test
    void keysReachTheSink() throws Exception {
        KafkaTopic in = Broker.topic("in", 1);
        KafkaTopic out = Broker.topic("out", 1);
        Broker.write(in, "k", "one");
        Broker.write(in, null, "two");
        Chain chain = Chain.named("keys")
                .then("forward", () -> (message, outlet) -> outlet.forward(message))
                .then("map", TypedService.mapping(TEXT, TEXT, String::toUpperCase))
                .build();
        try (Transport transport = chronicle();
                Loops loops = Loops.cooperative(1)) {
            List<ConsumerRecord<byte[], byte[]>> read = run(
                    chain.on(transport)
                            .fromEach(KafkaSource.of(in).values(TEXT))
                            .onOutput(KafkaSink.to(out)),
                    loops,
                    out,
                    2);
            assertThat(read)
                    .extracting(each -> Broker.text(each.key()) + "=" + Broker.text(each.value()))
                    .containsExactly("k=ONE", "null=TWO");
        }
    }

    @Test
    void valuesHaveTheTypeThatTheSourceSets() throws Exception {
        KafkaTopic in = Broker.topic("in", 1);
        Broker.write(in, "k", "one");
        List<Integer> types = new CopyOnWriteArrayList<>();
        for (KafkaSource source : List.of(
                KafkaSource.of(in).valuesOnly(),
                KafkaSource.of(in).valuesOnly(7).skippingLost().group("of-seven-" + in.name()))) {
            try (Transport transport = ChronicleTransport.in(directory.resolve("types" + types.size()));
                    Loops loops = Loops.cooperative(1);
                    RunningChain running = PASSING.on(transport)
                            .with(loops)
                            .fromEach(source)
                            .onOutput(message -> types.add(message.type()))
                            .start()) {
                int before = types.size();
                await().atMost(LIMIT).until(() -> types.size() > before);
                assertThat(running.failure()).isEmpty();
            }
        }
        assertThat(types).containsExactly(0, 7);
    }

    @Test
    void missingKeyStopsAtACompactedTarget() throws Exception {
        KafkaTopic out = Broker.compacted("out");
        try (Transport transport = chronicle();
                Loops loops = Loops.cooperative(1);
                RunningChain running = PASSING.on(transport)
                        .with(loops)
                        .onError(ErrorPolicy.deadLetter())
                        .onOutput(KafkaSink.to(out))
                        .onFailure(failure -> {})
                        .start()) {
            running.inlet().send(Broker.bytes("no key"));
            await().atMost(LIMIT).until(() -> running.failure().isPresent());
            assertThat(running.failure().orElseThrow())
                    .hasCauseInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("message 1 of topic pass-1 has no key, and " + out + " is compacted");
        }
        assertThat(Broker.read(out, 0)).isEmpty();
    }

    @Test
    void skippedNewestOutputIsNotHeldBack() throws Exception {
        KafkaTopic out = Broker.topic("out", 1);
        Chain typing = Chain.named("typing")
                .then("type", () -> (in, forward) -> {
                    boolean isRecord = in.length() == 1; // too short for one
                    forward.claim(1).type(isRecord ? KafkaRecord.TYPE : 0).commit(1);
                })
                .build();
        List<Long> skipped = new CopyOnWriteArrayList<>();
        ErrorPolicy skipping = ErrorPolicy.skipTo((service, in, attempts, cause) -> skipped.add(in.sequence()));
        for (int i = 1; i <= 2; i++) {
            try (Transport transport = chronicle();
                    Loops loops = Loops.cooperative(1);
                    RunningChain running = typing.on(transport)
                            .with(loops)
                            .onError(skipping)
                            .onOutput(KafkaSink.to(out))
                            .start()) {
                running.inlet().send(Broker.bytes("good"));
                assertThat(Broker.read(out, i)).hasSize(i);
                running.inlet().send(Broker.bytes("x"));
                long newest = 2 * i;
                await().atMost(LIMIT).until(() -> skipped.contains(newest));
                assertThat(running.close(Duration.ofSeconds(20)))
                        .as("closed in order")
                        .isTrue();
            }
        }
        assertThat(skipped).containsExactly(2L, 4L);
    }

    @Test
    void fromNewestSkipsExistingRecords() throws Exception {
        KafkaTopic in = Broker.topic("in", 1);
        Broker.write(in, "k", "old");
        List<String> received = new CopyOnWriteArrayList<>();
        try (Transport transport = chronicle();
                Loops loops = Loops.cooperative(1);
                RunningChain running = PASSING.on(transport)
                        .with(loops)
                        .fromEach(KafkaSource.of(in).fromNewest())
                        .onOutput(KafkaRecord.CODEC, (KafkaRecord value, Message message) -> received.add(value.text()))
                        .start()) {
            Broker.write(in, "k", "new");
            await().atMost(LIMIT).until(() -> !received.isEmpty());
            assertThat(running.failure()).isEmpty();
        }
        assertThat(received).containsExactly("new");
    }

    @Test
    void fromNewestKeepsItsBeginningOverARestart() throws Exception {
        KafkaTopic in = Broker.topic("in", 1);
        KafkaTopic out = Broker.topic("out", 1);
        Broker.write(in, "k", "old");
        KafkaSource source = KafkaSource.of(in).group("newest-" + in.name()).fromNewest();
        List<ConsumerRecord<byte[], byte[]>> read = List.of();
        for (int start = 0; start < 2; start++) {
            try (Transport transport = chronicle();
                    Loops loops = Loops.cooperative(1)) {
                read = run(PASSING.on(transport).fromEach(source).onOutput(KafkaSink.to(out)), loops, out, start);
            }
            if (start == 0) {
                Broker.write(in, "k", "while stopped");
            }
        }
        assertThat(read).extracting(each -> Broker.text(each.value())).containsExactly("while stopped");
    }

    @Test
    void recreatedTopicIsReadFromItsBeginning() throws Exception {
        KafkaTopic in = Broker.topic("in", 1);
        KafkaTopic out = Broker.topic("out", 1);
        for (String value : List.of("before", "after")) {
            Broker.write(in, "k", value);
            try (Transport transport = chronicle();
                    Loops loops = Loops.cooperative(1)) {
                run(
                        PASSING.on(transport).fromEach(KafkaSource.of(in)).onOutput(KafkaSink.to(out)),
                        loops,
                        out,
                        value.equals("before") ? 1 : 2);
            }
            if (value.equals("before")) {
                Broker.delete(in);
                recreate(in);
            }
        }
        assertThat(Broker.values(out, 2)).containsExactly("before", "after");
    }

    @Test
    void commitBehindARecreationDoesNotCount() throws Exception {
        KafkaTopic in = Broker.topic("in", 1);
        KafkaTopic out = Broker.topic("out", 1);
        KafkaSource source = KafkaSource.of(in).group("recreated");
        Broker.write(in, "k", "a", "b");
        TopicAdmin admin = new TopicAdmin(in);
        FetchThread fetching =
                FetchThread.start(source, admin, admin.describe(), 0, "recreated", -1, FetchThread.BY_POLICY);
        int[] fetched = {0};
        await().atMost(LIMIT).until(() -> {
            List<ConsumerRecord<byte[], byte[]>> batch = fetching.poll();
            fetched[0] += batch == null ? 0 : batch.size();
            return fetched[0] == 2;
        });
        Broker.delete(in);
        recreate(in);
        fetching.stored(1); // by a chain that does not know it yet
        fetching.close();

        Broker.write(in, "k", "c", "d", "e");
        try (Transport transport = chronicle();
                Loops loops = Loops.cooperative(1)) {
            run(PASSING.on(transport).fromEach(source).onOutput(KafkaSink.to(out)), loops, out, 1);
        }
        assertThat(Broker.values(out, 1)).containsExactly("c", "d", "e");
    }

    @Test
    @Tag("long")
    void deletedTopicStopsTheChain() throws Exception {
        KafkaTopic in = Broker.topic("in", 1);
        try (Transport transport = chronicle();
                Loops loops = Loops.cooperative(1);
                RunningChain running = PASSING.on(transport)
                        .with(loops)
                        .fromEach(KafkaSource.of(in))
                        .onFailure(failure -> {})
                        .start()) {
            Broker.delete(in);
            await().atMost(LIMIT).until(() -> running.failure().isPresent());
            assertThat(running.failure().orElseThrow())
                    .hasStackTraceContaining("the topic was deleted while it was read");
        }
    }

    @Test
    @Tag("long")
    void deletedTargetStopsTheChain() throws Exception {
        KafkaTopic out = Broker.topic("out", 1);
        for (KafkaSink sink : List.of(KafkaSink.to(out), KafkaSink.to(out).atLeastOnce())) {
            try (Transport transport = chronicle();
                    Loops loops = Loops.cooperative(1);
                    RunningChain running = PASSING.on(transport)
                            .with(loops)
                            .onOutput(sink)
                            .onFailure(failure -> {})
                            .start()) {
                running.inlet().send(Broker.bytes("a"));
                Broker.delete(out);
                running.inlet().send(Broker.bytes("b"));
                await().atMost(Duration.ofSeconds(10))
                        .until(() -> running.failure().isPresent());
                assertThat(running.failure().orElseThrow())
                        .hasStackTraceContaining(out.name())
                        .hasStackTraceContaining("was deleted while it was written");
            }
            recreate(out);
        }
    }

    @Test
    @Tag("long")
    void recreatedTargetStopsTheChain() throws Exception {
        KafkaTopic out = Broker.topic("out", 1);
        try (Transport transport = chronicle();
                Loops loops = Loops.cooperative(1);
                RunningChain running = PASSING.on(transport)
                        .with(loops)
                        .onOutput(KafkaSink.to(out))
                        .onFailure(failure -> {})
                        .start()) {
            Broker.delete(out);
            recreate(out);
            await().atMost(Duration.ofSeconds(10)).until(() -> running.failure().isPresent());
            assertThat(running.failure().orElseThrow()).hasStackTraceContaining("was deleted and created again");
        }
    }

    static void recreate(KafkaTopic topic) throws InterruptedException {
        await().atMost(LIMIT).until(() -> {
            try {
                Broker.create(topic.name(), 1);
                return true;
            } catch (Exception stillThere) {
                return false;
            }
        });
    }

    @Test
    void aRefusedNumberOfPartitionsCanBeCorrected() throws Exception {
        KafkaTopic two = Broker.topic("two", 2);
        Chain chain = Chain.named("corrected")
                .then("pass", () -> (message, outlet) -> outlet.forward(message, message.key()))
                .build();
        for (boolean isKafka : List.of(true, false)) {
            try (Transport transport = isKafka ? KafkaTransport.at(Broker.servers()) : chronicle();
                    Loops loops = Loops.cooperative(1)) {
                assertThatThrownBy(() -> chain.on(transport)
                                .with(loops)
                                .fromEach(KafkaSource.of(two))
                                .onFailure(failure -> {})
                                .partitions(3)
                                .start())
                        .hasMessageContaining("start the chain with partitions(2)");
                List<String> left = transport.topics().stream()
                        .filter(topic -> topic.startsWith("corrected"))
                        .toList();
                assertThat(left.isEmpty())
                        .as("no topic of the failed start, unless others may have opened it: %s", left)
                        .isEqualTo(!isKafka);
                transport.deleteTopics(left);
                chain.on(transport)
                        .with(loops)
                        .fromEach(KafkaSource.of(two))
                        .partitions(2)
                        .start()
                        .close();
            }
        }
    }

    @Test
    void recordThatNeverFitsEndsRestartedChain() throws Exception {
        KafkaTopic keyed = Broker.topic("long-keys", 1);
        Broker.write(keyed, "k".repeat(300), "1");
        try (Transport transport = chronicle();
                Loops loops = Loops.cooperative(1);
                RunningChain running = PASSING.on(transport)
                        .with(loops)
                        .fromEach(KafkaSource.of(keyed).valuesOnly())
                        .restart(RestartPolicy.backoff(Duration.ofMillis(1), Duration.ofMillis(1)))
                        .onFailure(failure -> {})
                        .onOutput(in -> {})
                        .start()) {
            await().atMost(LIMIT).until(() -> running.failure().isPresent());
            assertThat(running.failure().orElseThrow()).hasStackTraceContaining("has a key of 300 bytes");
        }
    }

    @Test
    void topicWithMorePartitionsIsReadFurther() throws Exception {
        KafkaTopic grown = Broker.topic("grown", 1);
        KafkaTopic target = Broker.topic("target", 1);
        try (Transport transport = chronicle();
                Loops loops = Loops.cooperative(1)) {
            Supplier<Deployment> reading =
                    () -> PASSING.on(transport).fromEach(KafkaSource.of(grown)).onOutput(KafkaSink.to(target));
            Broker.write(grown, null, "1");
            run(reading.get(), loops, target, 1);
            try (Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", Broker.servers()))) {
                admin.createPartitions(Map.of(grown.name(), NewPartitions.increaseTo(2)))
                        .all()
                        .get();
            }
            try (KafkaProducer<byte[], byte[]> producer = Broker.producer()) {
                producer.send(new ProducerRecord<>(grown.name(), 0, null, new byte[] {'2'}));
            }
            assertThat(run(reading.get(), loops, target, 2)).hasSize(2);
        }
    }

    @Test
    void mistakesEndTheStartWithOneSentence() throws Exception {
        KafkaTopic three = Broker.topic("three", 3);
        KafkaTopic none = KafkaTopic.at(Broker.servers(), "there-is-none");
        try (Transport transport = chronicle();
                Loops loops = Loops.cooperative(1)) {
            assertThatThrownBy(() -> PASSING.on(transport)
                            .with(loops)
                            .fromEach(KafkaSource.of(three))
                            .start())
                    .hasMessageContaining("has 3 partitions, and chain pass has 1")
                    .hasMessageContaining("start the chain with partitions(3)");
            assertThatThrownBy(() -> PASSING.on(transport)
                            .with(loops)
                            .fromEach(KafkaSource.of(none))
                            .start())
                    .hasMessageContaining(
                            "topic 'there-is-none' at " + Broker.servers() + " does not exist; create it");
            assertThatThrownBy(() -> PASSING.on(transport)
                            .with(loops)
                            .onOutput(KafkaSink.to(none))
                            .start())
                    .hasMessageContaining("does not exist; create it first");
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("baton-fetch") || name.startsWith("baton-write"));
    }

    @Test
    void newerOfTwoSinksContinues() throws Exception {
        KafkaTopic out = Broker.topic("out", 1);
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        Chain end = Chain.named("end").build();
        try (Transport first = ChronicleTransport.in(directory.resolve("a"));
                Transport second = ChronicleTransport.in(directory.resolve("b"));
                Loops loops = Loops.cooperative(1);
                RunningChain older = end.on(first)
                        .with(loops)
                        .onOutput(KafkaSink.to(out))
                        .onFailure(failures::add)
                        .start();
                RunningChain newer =
                        end.on(second).with(loops).onOutput(KafkaSink.to(out)).start()) {
            older.inlet().send(Broker.bytes("old"));
            await().atMost(LIMIT).until(() -> !failures.isEmpty());
            newer.inlet().send(Broker.bytes("new"));
            assertThat(Broker.values(out, 1)).containsExactly("new");
            assertThat(failures.get(0)).hasStackTraceContaining("another process writes the outputs of this chain now");
        }
    }

    @Test
    void lostRecordsStopTheChainUnlessSkipped() throws Exception {
        KafkaTopic in = Broker.topic("in", 1);
        KafkaTopic out = Broker.topic("out", 1);
        Broker.write(in, "k", "0", "1", "2", "3");
        try (org.apache.kafka.clients.admin.Admin admin = org.apache.kafka.clients.admin.Admin.create(
                Map.<String, Object>of("bootstrap.servers", Broker.servers()))) {
            var place = new org.apache.kafka.common.TopicPartition(in.name(), 0);
            admin.alterConsumerGroupOffsets(
                            "reader-" + in.name(),
                            Map.of(place, new org.apache.kafka.clients.consumer.OffsetAndMetadata(1)))
                    .all()
                    .get();
            admin.deleteRecords(Map.of(place, org.apache.kafka.clients.admin.RecordsToDelete.beforeOffset(3)))
                    .all()
                    .get();
        }
        List<Throwable> failures = new ArrayList<>();
        KafkaSource source = KafkaSource.of(in).group("reader-" + in.name());
        try (Transport transport = chronicle();
                Loops loops = Loops.cooperative(1)) {
            try (RunningChain running = PASSING.on(transport)
                    .with(loops)
                    .fromEach(source)
                    .onOutput(KafkaSink.to(out))
                    .onFailure(failures::add)
                    .restart(RestartPolicy.backoff(Duration.ofMillis(10), Duration.ofMillis(10)))
                    .start()) {
                await().atMost(LIMIT).until(() -> running.status().phase() == ChainStatus.Phase.FAILED);
                assertThat(running.status().restarts()).isZero();
            }
            assertThat(failures).hasSize(1);
            assertThat(Causes.first(failures.get(0), ConfigurationException.class))
                    .hasMessageStartingWith(in + ": offset 1 of partition 0 is wanted, and the partition begins at 3: ")
                    .hasMessageEndingWith("go on with KafkaSource.skippingLost()");
            List<ConsumerRecord<byte[], byte[]>> read = run(
                    PASSING.on(transport).fromEach(source.skippingLost()).onOutput(KafkaSink.to(out)), loops, out, 1);
            assertThat(read).extracting(each -> Broker.text(each.value())).containsExactly("3");
        }
    }

    @Test
    void removedMarkersOfTransactionsAreNoLostRecords() throws Exception {
        KafkaTopic in = Broker.topic("in", 1);
        KafkaTopic out = Broker.topic("out", 1);
        Map<String, Object> settings = Map.of("bootstrap.servers", Broker.servers(), "transactional.id", in.name());
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(in.name(), Broker.bytes("k"), Broker.bytes("0")));
            producer.commitTransaction(); // its marker is the last record of the topic
        }
        for (int start = 0; start < 3; start++) {
            try (Transport transport = chronicle();
                    Loops loops = Loops.cooperative(1)) {
                run(
                        PASSING.on(transport).fromEach(KafkaSource.of(in)).onOutput(KafkaSink.to(out)),
                        loops,
                        out,
                        Math.max(1, start));
            }
            if (start == 0) {
                removeAll(in);
            } else if (start == 1) {
                Broker.write(in, "k", "1");
            }
        }
        assertThat(Broker.values(out, 2)).containsExactly("0", "1");
    }

    /** Removes all records, as retention does with those that are old. */
    private static void removeAll(KafkaTopic topic) throws Exception {
        try (Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", Broker.servers()))) {
            admin.deleteRecords(Map.of(new TopicPartition(topic.name(), 0), RecordsToDelete.beforeOffset(-1)))
                    .all()
                    .get();
        }
    }
}
