package dev.baton.tck.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.Chain;
import dev.baton.Concurrency;
import dev.baton.Deployment;
import dev.baton.ErrorPolicy;
import dev.baton.Inlet;
import dev.baton.MessageFields;
import dev.baton.Outlet;
import dev.baton.RunningChain;
import dev.baton.Source;
import dev.baton.Source.SourceContext;
import dev.baton.partitions.Partitions;
import dev.baton.run.Loops;
import dev.baton.spi.Guarantee;
import dev.baton.spi.PartitionTopic;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.errors.TopicMismatchException;
import dev.baton.tck.Turns;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The contract on chains with partitions in one process. */
public abstract class PartitionsTck extends WholeChainTck {
    private static final int PARTITIONS = 4;
    private static final int KEYS = 25;

    private final Map<Long, List<Long>> received = new ConcurrentHashMap<>();
    /** Called by the test of a transport. */
    protected PartitionsTck() {}

    @Test
    void messagesOfAKeyKeepTheirOrder() {
        Chain chain = chain(fixture.newTopic());
        try (Loops loops = Loops.cooperative(2)) {
            RunningChain running = start(chain, loops);
            send(running, 1, 40);
            assertThat(running.close(limit())).isTrue();
        }
        assertThat(received)
                .hasSize(KEYS)
                .allSatisfy((key, numbers) -> assertThat(numbers)
                        .isEqualTo(LongStream.rangeClosed(1, 40).boxed().toList()));
    }

    @Test
    void anotherThreadThanTheSenderClosesPartitions() throws Exception {
        Chain chain = chain(fixture.newTopic());
        try (Loops loops = Loops.cooperative(1)) {
            RunningChain running = start(chain, loops);
            onAnotherThread(() -> send(running, 1, 40));
            assertThat(running.close(limit())).isTrue();
        }
        assertThat(received)
                .hasSize(KEYS)
                .allSatisfy((key, numbers) -> assertThat(numbers).hasSize(40));
    }

    @Test
    void anotherThreadThanTheSenderClosesTheChain() throws Exception {
        List<Long> numbers = Collections.synchronizedList(new ArrayList<>());
        try (Loops loops = Loops.cooperative(1)) {
            RunningChain running = chain(fixture.newTopic())
                    .on(transport)
                    .with(loops)
                    .onOutput(in -> numbers.add(in.getLong(Long.BYTES)))
                    .start();
            onAnotherThread(() -> LongStream.rangeClosed(1, 100)
                    .forEach(number -> running.inlet().send(payload(7, number))));
            assertThat(running.close(limit())).isTrue();
        }
        assertThat(numbers).hasSize(100);
    }

    @Test
    void everyPartitionContinuesAfterARestart() {
        assumeTrue(transport.guarantees().contains(Guarantee.DURABLE), "this transport is not durable");
        Chain chain = chain(fixture.newTopic());
        try (Loops loops = Loops.cooperative(1)) {
            RunningChain running = start(chain, loops);
            send(running, 1, 20);
            assertThat(running.close(limit())).isTrue();
        }
        transport.close();
        transport = fixture.reopen();
        try (Loops loops = Loops.cooperative(1)) {
            RunningChain running = start(chain, loops);
            long inTopics = IntStream.range(0, PARTITIONS)
                    .mapToLong(partition -> running.inlet(partition).sequence())
                    .sum();
            assertThat(inTopics).isEqualTo(20L * KEYS);
            send(running, 21, 40);
            assertThat(running.close(limit())).isTrue();
        }
        assertThat(received)
                .hasSize(KEYS)
                .allSatisfy((key, numbers) -> assertThat(numbers)
                        .isEqualTo(LongStream.rangeClosed(1, 40).boxed().toList()));
    }

    @Test
    void concurrentCallsKeepTheOrderOfAKey() {
        Chain chain = slow(fixture.newTopic());
        try (Loops loops = Loops.cooperative(2)) {
            RunningChain running = start(chain, loops);
            sendKeyed(running, 1, 20);
            assertThat(running.close(limit())).isTrue();
        }
        assertThat(received)
                .hasSize(KEYS)
                .allSatisfy((key, numbers) -> assertThat(numbers)
                        .isEqualTo(LongStream.rangeClosed(1, 20).boxed().toList()));
    }

    @Test
    void interruptedConcurrentCallsAreRepeatedOnce() {
        assumeTrue(transport.guarantees().contains(Guarantee.DURABLE), "this transport is not durable");
        Chain chain = slow(fixture.newTopic());
        try (Loops loops = Loops.cooperative(1)) {
            RunningChain running = start(chain, loops);
            sendKeyed(running, 1, 20);
            running.close(Duration.ofMillis(1));
        }
        transport.close();
        transport = fixture.reopen();
        try (Loops loops = Loops.cooperative(1)) {
            RunningChain running = start(chain, loops);
            sendKeyed(running, 21, 21);
            assertThat(running.close(limit())).isTrue();
        }
        assertThat(newest(chain, 1))
                .as("one output for each input")
                .isEqualTo(newest(chain, 0))
                .isEqualTo(21L * KEYS);
        assertThat(received)
                .allSatisfy((key, numbers) -> assertThat(new TreeSet<>(numbers))
                        .containsExactlyElementsOf(LongStream.rangeClosed(1, Collections.max(numbers))
                                .boxed()
                                .toList()));
    }

    private long newest(Chain chain, int index) {
        long frames = 0;
        for (int partition = 0; partition < PARTITIONS; partition++) {
            try (TopicInspector topic =
                    transport.inspect(PartitionTopic.of(chain.topic(0, index), partition, PARTITIONS))) {
                frames += topic.newestSequence();
            }
        }
        return frames;
    }

    private static Chain slow(String name) {
        return Chain.named(name)
                .then(
                        "slow",
                        () -> (in, out) -> {
                            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(500_000));
                            out.forward(in);
                        },
                        Concurrency.perKey(8))
                .build();
    }

    private void sendKeyed(RunningChain running, long from, long to) {
        for (long number = from; number <= to; number++) {
            for (long key = 0; key < KEYS; key++) {
                ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).putLong(0, key);
                inlet(running, key).send(ByteBuffer.wrap(payload(key, number)), new MessageFields().key(bytes));
            }
        }
    }

    @Test
    void failedPartitionStopsAlone() {
        Partitions partitions = Partitions.of(PARTITIONS);
        Chain chain = Chain.named(fixture.newTopic())
                .then("work", () -> (in, out) -> {
                    if (in.getLong(0) == 0 && in.getLong(Long.BYTES) == 2) {
                        throw new IllegalStateException("cannot price this");
                    }
                    out.forward(in);
                })
                .build();
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = chain.on(transport)
                        .with(loops)
                        .onOutput(this::note)
                        .onFailure(failures::add)
                        .partitions(PARTITIONS)
                        .start()) {
            inlet(running, 0).send(payload(0, 1));
            new Turns(limit()).until("the first message", "every message is delivered", () -> received.containsKey(0L));
            inlet(running, 0).send(payload(0, 2));
            new Turns(limit())
                    .until("the failure", "a service that throws stops its partition", () -> !failures.isEmpty());
            long another = LongStream.range(1, KEYS)
                    .filter(key -> partitions.partitionOf(key) != partitions.partitionOf(0))
                    .findFirst()
                    .orElseThrow();
            inlet(running, another).send(payload(another, 1));
            new Turns(limit())
                    .until(
                            "the other partition",
                            "a partition that fails stops alone",
                            () -> received.containsKey(another));
            assertThat(failures).hasSize(1).first().asString().contains("work");
            assertThat(running.status().phase()).hasToString("FAILED");
            assertThat(running.held()).hasSize(PARTITIONS);
        }
        assertThat(received.get(0L)).containsExactly(1L);
    }

    @Test
    void partitionTopicsAreListedAndDeletedByName() {
        Chain chain = chain(fixture.newTopic());
        Partitions partitions = Partitions.of(PARTITIONS);
        try (Loops loops = Loops.cooperative(1)) {
            start(chain, loops).close();
        }
        List<String> names = IntStream.range(0, chain.hops())
                .mapToObj(index -> chain.topic(0, index))
                .flatMap(topic ->
                        IntStream.range(0, PARTITIONS).mapToObj(partition -> partitions.topic(topic, partition)))
                .toList();
        assertThat(transport.topics()).containsAll(names).doesNotContain(chain.topic(0, 0));
        transport.deleteTopics(names);
        assertThat(transport.topics()).doesNotContainAnyElementsOf(names);
    }

    @Test
    void onePartitionIsTheChainItself() {
        Chain chain = chain(fixture.newTopic());
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = chain.on(transport)
                        .with(loops)
                        .onOutput(this::note)
                        .partitions(1)
                        .start()) {
            running.inlet().send(payload(1, 1));
            new Turns(limit()).until("the message", "every message is delivered", () -> !received.isEmpty());
        }
        assertThat(transport.topics()).contains(chain.topic(0, 0));
    }

    @Test
    void anotherNumberOfPartitionsIsRefused() {
        Chain one = chain(fixture.newTopic());
        try (Loops loops = Loops.cooperative(1)) {
            start(one, loops).close();
            Set<String> before = transport.topics();
            Deployment more = withLetters(one, loops);
            assertThatThrownBy(() -> more.partitions(PARTITIONS + 1).start(), "a start with more partitions")
                    .isInstanceOf(TopicMismatchException.class)
                    .hasMessageContainingAll(
                            "'" + one.topic(0, 0) + "'", "has 4 partitions, but 5 partitions were asked for", "delete");
            Deployment less = withLetters(one, loops);
            assertThatThrownBy(() -> less.partitions(2).start(), "a start with less partitions")
                    .isInstanceOf(TopicMismatchException.class)
                    .hasMessageContaining("has 4 partitions, but 2 partitions were asked for");
            assertThatThrownBy(() -> withLetters(one, loops).start(), "a start without partitions")
                    .isInstanceOf(TopicMismatchException.class)
                    .hasMessageContaining("has 4 partitions, but 1 partition was asked for");
            assertThat(transport.topics()).as("topics after refused starts").isEqualTo(before);
            start(one, loops).close();
        }
    }

    @Test
    void partitionsOfAnUnpartitionedTopicAreRefused() {
        Chain one = chain(fixture.newTopic());
        try (Loops loops = Loops.cooperative(1)) {
            one.on(transport).with(loops).onOutput(this::note).start().close();
            Set<String> before = transport.topics();
            assertThatThrownBy(() -> start(one, loops), "a start with partitions")
                    .isInstanceOf(TopicMismatchException.class)
                    .hasMessageContaining("has 1 partition, but 4 partitions were asked for");
            assertThat(transport.topics()).as("topics after a refused start").isEqualTo(before);
        }
    }

    @Test
    void failedPartitionLeavesNoTopicUnlessOthersMayUse() {
        Chain one = chain(fixture.newTopic());
        try (Loops loops = Loops.cooperative(1)) {
            AtomicInteger sources = new AtomicInteger();
            assertThatThrownBy(
                            () -> one.on(transport)
                                    .with(loops)
                                    .fromEach(() -> new OneOfTwo(sources.incrementAndGet()))
                                    .onOutput(this::note)
                                    .onFailure(cause -> {})
                                    .partitions(PARTITIONS)
                                    .start(),
                            "a start with a source that throws in its third partition")
                    .hasMessageContaining("has 2 partitions");
            List<String> left = transport.topics().stream()
                    .filter(topic -> topic.startsWith(one.name() + "-"))
                    .toList();
            assertThat(left.isEmpty())
                    .as("no topic after a start that failed: %s", left)
                    .isEqualTo(!keepsTopicsOfFailedStarts());
            transport.deleteTopics(left);
            RunningChain running = one.on(transport)
                    .with(loops)
                    .onOutput(this::note)
                    .partitions(2)
                    .start();
            send(running, Partitions.of(2), 1, 2);
            assertThat(running.close(limit())).isTrue();
        }
        assertThat(received).hasSize(KEYS);
    }

    /** A source with two partitions, which sends nothing. */
    private record OneOfTwo(int number) implements Source {
        @Override
        public void onStart(SourceContext context) {
            if (number > 2) {
                throw new IllegalArgumentException("has 2 partitions; start the chain with partitions(2)");
            }
        }

        @Override
        public int onTick(Outlet out) {
            return 0;
        }
    }

    private Deployment withLetters(Chain one, Loops loops) {
        Deployment deployment = one.on(transport).with(loops).onOutput(this::note);
        return transport.guarantees().contains(Guarantee.DURABLE)
                ? deployment.onError(ErrorPolicy.deadLetter())
                : deployment;
    }

    @Test
    void transportWithoutSharedPartitionsRefusesAMember() {
        assumeFalse(transport.sharesPartitions(), "it can");
        try (Loops loops = Loops.cooperative(1)) {
            assertThatThrownBy(() -> chain(fixture.newTopic())
                            .on(transport)
                            .with(loops)
                            .partitions(PARTITIONS)
                            .member("a")
                            .start())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(
                            "transport " + transport.name() + " cannot share partitions between processes");
        }
    }

    private RunningChain start(Chain chain, Loops loops) {
        return chain.on(transport)
                .with(loops)
                .onOutput(this::note)
                .partitions(PARTITIONS)
                .start();
    }

    private void note(dev.baton.Message in) {
        received.computeIfAbsent(in.getLong(0), key -> Collections.synchronizedList(new ArrayList<>()))
                .add(in.getLong(Long.BYTES));
    }

    private void send(RunningChain running, long from, long to) {
        send(running, Partitions.of(PARTITIONS), from, to);
    }

    private void send(RunningChain running, Partitions partitions, long from, long to) {
        for (long number = from; number <= to; number++) {
            for (long key = 0; key < KEYS; key++) {
                running.inlet(partitions.partitionOf(key)).send(payload(key, number));
            }
        }
    }

    private static Inlet inlet(RunningChain running, long key) {
        return running.inlet(Partitions.of(PARTITIONS).partitionOf(key));
    }

    private void onAnotherThread(Runnable task) throws InterruptedException {
        Thread thread = new Thread(task, "sender");
        thread.start();
        thread.join(limit().toMillis());
        assertThat(thread.isAlive()).isFalse();
    }

    private static byte[] payload(long key, long number) {
        return ByteBuffer.allocate(2 * Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(key)
                .putLong(number)
                .array();
    }

    private static Chain chain(String name) {
        return Chain.named(name)
                .then("s1", () -> (in, out) -> out.forward(in))
                .then("s2", () -> (in, out) -> out.forward(in))
                .build();
    }
}
