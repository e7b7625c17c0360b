package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Chain;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.RunningChain;
import dev.baton.Service;
import dev.baton.kafka.client.ClientSettings;
import dev.baton.kafka.client.Deadline;
import dev.baton.kafka.topics.TopicNames;
import dev.baton.run.Loops;
import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.tck.Recorder;
import dev.baton.tck.TopicProbe;
import dev.baton.tck.TransportFixture;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What transactions add: outputs and positions together or not at all, and one writer whatever others do. */
class TransactionsTest extends OnBroker {
    private static final int OUTPUTS = 3;
    private static final int INPUTS = 200;

    private final AtomicInteger calls = new AtomicInteger();

    /** Each input leads to three outputs. Counts its calls. */
    private static final class Split implements Service {
        private final AtomicInteger calls;

        Split(AtomicInteger calls) {
            this.calls = calls;
        }

        @Override
        public int maxOutputs() {
            return OUTPUTS;
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            calls.incrementAndGet();
            for (int i = 0; i < OUTPUTS; i++) {
                out.claim(Long.BYTES).putLong(0, in.getLong(0) * OUTPUTS + i).commit(Long.BYTES);
            }
        }
    }

    @Test
    void sequencesGoOnWhereMarkersTakeOffsets() {
        KafkaTransport transport = transactional();
        String name = newTopic(transport);
        long[] positions;
        try (Connection connection = transport.connect()) {
            TopicProbe topic = probe(name, connection);
            for (int i = 1; i <= 4; i++) {
                topic.write("a" + i, "b" + i);
                topic.awaitStored();
            }
            Recorder read = topic.read(8);
            assertThat(read.sequences())
                    .isEqualTo(LongStream.rangeClosed(1, 8).boxed().toList());
            positions =
                    read.frames().stream().mapToLong(frame -> frame.position()).toArray();
            assertThat(positions[7]).as("markers lie between").isGreaterThan(9);
            topic.reader().acknowledge(positions[4]);
        }
        Connection again = connect(transport);
        TopicProbe topic = probe(name, again);
        assertThat(topic.writer().sequence()).isEqualTo(8);
        assertThat(topic.reader().found().acknowledged()).isEqualTo(5);
        assertThat(topic.read(3).texts()).containsExactly("b3", "a4", "b4");
        assertThat(transport.inspect(name).newestSequence()).isEqualTo(8);
    }

    @Test
    void newestFrameIsFoundBehindAbortedOnes() {
        String name = newTopic(transport());
        Connection first = connect(transactional());
        TopicProbe topic = probe(name, first);
        topic.write("kept");
        topic.awaitStored();
        first.close(); // one that is replaced says so when it is closed
        abort(name, 40);

        TopicProbe after = probe(name, connect(transactional()));
        assertThat(transport().inspect(name).newestSequence()).isEqualTo(1);
        assertThat(after.writer().sequence()).isEqualTo(1);
        after.write("next");
        assertThat(after.read(2).texts()).containsExactly("kept", "next");
    }

    @Test
    void topicWithOnlyAbortedFramesIsEmpty() {
        String name = newTopic(transport());
        abort(name, 3);

        TopicProbe after = probe(name, connect(transactional()));
        assertThat(after.writer().sequence()).isZero();
        after.write("first");
        assertThat(after.read(1).sequences()).containsExactly(1L);
    }

    /** A broker confirms a commit before readers see its frames, so a start may come between. */
    @Test
    void startAwaitsTransactionsInProgress() {
        String name = newTopic(transport());
        Connection connection = connect(transport());
        TopicProbe topic = probe(name, connection);
        topic.write("a");
        topic.awaitStored();
        try (KafkaProducer<byte[], byte[]> holding = inTransaction(name, 1)) {
            long before = end(name);
            topic.write("b"); // not readable before the transaction ends
            turns(connection).until("frame b in the log", () -> end(name) > before);
            CompletableFuture<Void> decided = CompletableFuture.runAsync(
                    holding::abortTransaction, CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS));

            TopicReader reader = connect(transport()).openReader(name, "late", StartPosition.sequence(3));

            assertThat(decided).isCompleted();
            assertThat(reader.found().acknowledged()).isEqualTo(2);
            decided.join();
        }
    }

    @Test
    void startDoesNotAwaitAbandonedTransactionForLong() {
        String name = newTopic(transport());
        try (KafkaProducer<byte[], byte[]> holding = inTransaction(name, 1)) {
            Connection connection = connect(transport());

            long start = System.nanoTime();
            assertThatThrownBy(() -> connection.openReader(name, "late", StartPosition.sequence(3)))
                    .hasMessageContaining("has no sequence 3 yet");
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofSeconds(2), Duration.ofSeconds(10));
            holding.abortTransaction();
        }
    }

    private long end(String topic) {
        return transport()
                .context()
                .scanner()
                .endWithUndecided(TopicNames.partitionOf(topic), Deadline.in(LONGEST_WAIT));
    }

    private static void abort(String topic, int records) {
        try (KafkaProducer<byte[], byte[]> producer = inTransaction(topic, records)) {
            producer.abortTransaction();
        }
    }

    /** Returns a foreign producer with records in a transaction that is not decided. */
    static KafkaProducer<byte[], byte[]> inTransaction(String topic, int records) {
        Map<String, Object> settings = new ClientSettings(KafkaOptions.at(TestBroker.bootstrapServers()))
                .transactional("aborting", "somebody-else");
        KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        Deadline deadline = Deadline.in(LONGEST_WAIT);
        while (true) {
            try {
                producer.initTransactions();
                producer.partitionsFor(topic);
                break;
            } catch (TimeoutException notYet) {
                assertThat(deadline.isOver()).isFalse();
            }
        }
        producer.beginTransaction();
        for (int i = 0; i < records; i++) {
            producer.send(new ProducerRecord<>(topic, 0, null, new byte[1]));
        }
        producer.flush();
        return producer;
    }

    @Test
    void secondWriterFencesFirstAndItsFrames() {
        KafkaTransport old = transactional();
        String name = newTopic(old);
        Connection zombie = old.connect();
        TopicProbe before = probe(name, zombie);
        before.write("old 1");
        before.awaitStored();

        Connection connection = connect(transactional());
        TopicProbe now = probe(name, connection);
        assertThat(now.writer().sequence()).isEqualTo(1);
        now.write("new 2");
        now.awaitStored();
        before.write("old 2");
        turns(zombie).until("the fence", () -> before.writer().failure() != null);
        assertThat(before.writer().failure())
                .isInstanceOf(ReplacedException.class)
                .hasMessageContaining(name)
                .hasMessageMatching(
                        "(?s).*(fenced|a newer writer).*"); // by the broker, or by the marker that is read first
        now.write("new 3");
        assertThat(now.read(3).texts()).containsExactly("old 1", "new 2", "new 3");
        zombie.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void plainWriterFencesOneWithTransactions(int before) {
        String in = newTopic(transport());
        String out = newTopic(transport());
        TopicProbe inputs = probe(in, connect(transport()));
        inputs.write("1", "2", "3", "4");
        inputs.awaitStored();
        Connection old = transactional().connect();
        TopicWriter writer = old.openWriter(out);
        TopicReader reader = old.openReader(in, "svc");
        answer(old, reader, writer, before);
        turns(old).until("the first outputs", () -> writer.storedSequence() == before);

        Connection now = connect(transport());
        TopicWriter next = now.openWriter(out);
        assertThat(next.sequence()).isEqualTo(before);
        answer(old, reader, writer, 1);
        turns(old).until("the fence", () -> writer.failure() != null);

        assertThat(writer.failure()).isInstanceOf(ReplacedException.class);
        assertThat(writer.storedSequence()).isEqualTo(before);
        TopicReader nextReader = now.openReader(in, "svc");
        assertThat(nextReader.found().acknowledged()).isEqualTo(before);
        answer(now, nextReader, next, 1);
        assertThat(probe(out, connect(transport())).read(before + 1).texts())
                .isEqualTo(LongStream.rangeClosed(1, before + 1)
                        .mapToObj(Long::toString)
                        .toList());
        old.close();
    }

    /** Forwards inputs, and flushes the outputs with the position that they answer. */
    private static void answer(Connection connection, TopicReader reader, TopicWriter writer, int count) {
        if (count == 0) {
            return;
        }
        long[] last = new long[1];
        int[] done = new int[1];
        turns(connection).until("inputs", () -> {
            reader.poll(
                    (frame, position) -> {
                        frame.validate();
                        byte[] text = new byte[frame.length()];
                        frame.getBytes(0, text, 0, text.length);
                        Frame output = writer.claim(text.length);
                        output.stamp(0, 0, frame.sequence(), 0, 0);
                        output.putBytes(0, text, 0, text.length);
                        writer.commit(text.length);
                        last[0] = position;
                        done[0]++;
                        return FrameHandler.Verdict.DONE;
                    },
                    count - done[0]);
            return done[0] == count;
        });
        writer.flush(reader, last[0]);
    }

    @Test
    void severalOutputsAreExactlyOnceThroughCrashes() {
        List<Long> outputs = crashAndRestart(true);
        assertThat(outputs)
                .isEqualTo(LongStream.range(OUTPUTS, (INPUTS + 1L) * OUTPUTS)
                        .boxed()
                        .toList());
    }

    @Test
    void crashesWithoutTransactionsRepeatOutputsAndLoseNone() {
        List<Long> outputs = crashAndRestart(false);
        assertThat(new HashSet<>(outputs)).hasSize(INPUTS * OUTPUTS);
        assertThat(outputs).hasSizeGreaterThan(INPUTS * OUTPUTS);
    }

    @Test
    void unfinishedPlainOutputsAreMadeAgainWithTransactions() {
        assertThat(outputsAfterTheFirstOfThree(topic -> {})).containsExactly(3L, 3L, 4L, 5L);
    }

    @Test
    void abortedTransactionDoesNotCompleteAnAnswer() {
        assertThat(outputsAfterTheFirstOfThree(topic -> abort(topic, 1))).containsExactly(3L, 3L, 4L, 5L);
    }

    /** What a service with transactions makes of a topic where one without them has stored one output of three. */
    private List<Long> outputsAfterTheFirstOfThree(Consumer<String> meanwhile) {
        Chain chain = chain();
        KafkaTransport transport = transport();
        transport.createTopics(List.of(chain.topic(0, 0), chain.topic(0, 1)));
        try (Connection connection = transport.connect()) {
            TopicProbe inputs = probe(chain.topic(0, 0), connection);
            inputs.commit(bytes(1), 0, 0, 0, 0, 0);
            inputs.writer().flush();
            inputs.awaitStored();
            TopicProbe outputs = probe(chain.topic(0, 1), connection);
            outputs.commit(bytes(OUTPUTS), 0, 0, 1, 0, 0);
            outputs.writer().flush();
            outputs.awaitStored();
        }
        meanwhile.accept(chain.topic(0, 1));
        return outputs(start(chain, true), chain.topic(0, 1), connect(transport), 2 * OUTPUTS - 1);
    }

    private Chain chain() {
        return Chain.named("crash-" + TransportFixture.TOPICS.incrementAndGet())
                .then("split", () -> new Split(calls))
                .build();
    }

    @Test
    void transactionsNeedIdempotence() {
        assertThatThrownBy(() -> KafkaOptions.at("localhost:1")
                        .with(KafkaOptions.ACKS, Acks.LEADER)
                        .with(KafkaOptions.TRANSACTIONS, true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("kafka: transactions=true is not allowed without acks=all and idempotence=true");
    }

    /** A service that is abandoned in mid-work again and again, as by a crash, and started anew; what it wrote. */
    private List<Long> crashAndRestart(boolean isTransactional) {
        Chain chain = chain();
        KafkaTransport transport = transport();
        transport.createTopics(List.of(chain.topic(0, 0), chain.topic(0, 1)));
        TopicProbe inputs = probe(chain.topic(0, 0), connect(transport));
        for (long value = 1; value <= INPUTS; value++) {
            inputs.commit(bytes(value), 0, 0, 0, 0, 0);
        }
        inputs.writer().flush();
        inputs.awaitStored();
        Random random = new Random(7);
        for (int crash = 0; crash < 6; crash++) {
            Loops loops = start(chain, isTransactional);
            int due = calls.get() + 1 + random.nextInt(30);
            Deadline deadline = Deadline.in(LONGEST_WAIT);
            while (calls.get() < due && !deadline.isOver()) { // a slow broker delays the first input
                loops.turn();
                Deadline.pause();
            }
            assertThat(calls).as("calls before the crash").hasValueGreaterThanOrEqualTo(due);
            arrive(isTransactional); // a process that is gone sends nothing any more; this one is only forgotten
        }
        Loops last = start(chain, isTransactional);
        return outputs(last, chain.topic(0, 1), connect(transport), (INPUTS + 1L) * OUTPUTS - 1);
    }

    private Loops start(Chain chain, boolean isTransactional) {
        KafkaTransport own = transport(options -> options.with(KafkaOptions.TRANSACTIONS, isTransactional));
        Loops loops = closing(Loops.manual());
        RunningChain running = chain.on(own).only("split").batch(5).with(loops).start();
        assertThat(running.failure()).isEmpty();
        return loops;
    }

    private static void arrive(boolean isTransactional) {
        Deadline deadline = Deadline.in(Duration.ofMillis(isTransactional ? 0 : 200));
        while (!deadline.isOver()) {
            Deadline.pause();
        }
    }

    /** Has the service finish, and reads what it and its forerunners wrote: sequences have to rise by one. */
    private static List<Long> outputs(Loops loops, String topic, Connection connection, long lastValue) {
        List<Long> values = new ArrayList<>();
        TopicReader reader = connection.openReader(topic, "end");
        Deadline deadline = Deadline.in(LONGEST_WAIT);
        while (!values.contains(lastValue)) {
            assertThat(deadline.isOver()).as("after %s", values).isFalse();
            loops.turn();
            connection.doWork();
            reader.poll(
                    (frame, position) -> {
                        frame.validate();
                        values.add(frame.getLong(0));
                        return FrameHandler.Verdict.DONE;
                    },
                    100);
        }
        return values;
    }

    private static byte[] bytes(long value) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(value)
                .array();
    }

    private KafkaTransport transactional() {
        return transport(options -> options.with(KafkaOptions.TRANSACTIONS, true));
    }
}
