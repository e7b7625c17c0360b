package dev.baton.lab.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lab.request.Load;
import dev.baton.lab.results.TrialResult;
import dev.baton.measuring.PayloadPattern;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.KnownTransports;
import dev.baton.operations.settings.Subject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole trials over bare queues, and what a hop of each keeps to. */
@Tag("long")
class PrimitiveQueueTest {
    private static final int PAYLOAD = 21;
    private static final int OLD = 17;
    private static final int NEW = 21;

    @TempDir
    private Path results;

    @AfterEach
    void noThreadIsLeft() {
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("reference-"));
    }

    static List<PrimitiveQueue> queues() {
        return PrimitiveQueue.meant(Subject.PRIMITIVE, OLD);
    }

    static List<PrimitiveQueue> queuesWithSlots() {
        return queues().stream()
                .filter(each -> !each.name().equals("synchronous-queue"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("queues")
    void messagesPassEveryQueueUnaltered(PrimitiveQueue queue) {
        TrialResult result = trial(queue.name()).run(results);
        everyMessageArrived(result);
        assertThat(result.transport().guarantees()).isEmpty();
        assertThat(result.transport().properties().get("engine")).contains("no transport");
        assertThat(result.transport().properties().get("not promised")).contains("storage", "acknowledgement");
    }

    @ParameterizedTest
    @CsvSource({"synchronous-queue,yielding", "linked-transfer-queue,park:50us", "array-blocking-queue,park:50us"})
    void idleStrategyPreventsWaitsInQueue(String queue, String idle) {
        TrialResult result = trial(queue).withIdle(idle).run(results);
        everyMessageArrived(result);
        assertThat(result.transport().properties().get("threads")).doesNotContain("wait in the queue");
    }

    @ParameterizedTest
    @ValueSource(strings = {"agrona-ring", "linked-transfer-queue", "synchronous-queue"})
    void saturatedQueuesLoseNothing(String queue) {
        TrialResult result = trial(queue).with(Load.saturating(7)).run(results);
        assertThat(result.delivery().incidents()).isEmpty();
        assertThat(result.delivery().isFaultless()).isTrue();
        assertThat(result.delivery().delivered())
                .isEqualTo(result.delivery().sent())
                .isPositive();
    }

    @Test
    void virtualThreadsCarryMessagesOrAreRefused() {
        ShortTrial trial = trial("array-blocking-queue-virtual").withIdle("spin");
        if (Runtime.version().feature() >= NEW) {
            TrialResult result = trial.run(results);
            everyMessageArrived(result);
            assertThat(result.transport().properties().get("threads"))
                    .startsWith("virtual")
                    .endsWith("yield");
        } else {
            assertThatThrownBy(() -> trial.run(results))
                    .isInstanceOf(CommandException.class)
                    .hasMessageContaining("has no virtual threads; JDK 21 and later do");
        }
    }

    @Test
    void oldJvmOmitsUnsupportedQueues() {
        assertThat(PrimitiveQueue.meant(Subject.PRIMITIVE, NEW))
                .containsAll(queues())
                .extracting(PrimitiveQueue::name)
                .contains("synchronous-queue-virtual");
        assertThat(queues()).noneMatch(PrimitiveQueue::isVirtual);
        assertThatThrownBy(() -> PrimitiveQueue.meant("primitive:synchronous-queue-virtual", OLD))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining(
                        "synchronous-queue-virtual needs JDK 21 or later for its virtual threads, this is")
                .hasMessageEndingWith("or synchronous-queue");
    }

    @ParameterizedTest
    @CsvSource({
        "JCTOOLS,org.jctools.queues.SpscArrayQueue",
        "AGRONA,org.agrona.concurrent.ringbuffer.OneToOneRingBuffer"
    })
    void shownVersionMatchesTheJar(PrimitiveQueue.Source source, Class<?> type) {
        String jar = type.getProtectionDomain().getCodeSource().getLocation().getPath();
        String version = source.version().substring(source.version().indexOf(' ') + 1);
        assertThat(jar).endsWith("-" + version + ".jar");
    }

    @Test
    void aQueueIsNoTransport() {
        PrimitiveQueue queue = PrimitiveQueue.named("jctools-spsc");
        assertThat(queue.guarantees()).isEmpty();
        assertThatThrownBy(() -> queue.open(Map.of())).hasMessageContaining("no transport");
        assertThatThrownBy(() -> KnownTransports.onClassPath().select(List.of(queue.name())))
                .hasMessageContaining("unknown transport");
    }

    @ParameterizedTest
    @MethodSource("queuesWithSlots")
    @Timeout(30)
    void fullQueueRefusesThenAcceptsAgain(PrimitiveQueue queue) {
        for (boolean isWaiting : new boolean[] {false, true}) {
            QueueHop hop = queue.maker().make(PAYLOAD, isWaiting);
            int given = 0;
            while (hop.tryGive(message(given))) {
                assertThat(++given).isLessThan(10_000);
            }
            assertThat(given).isGreaterThanOrEqualTo(512);

            List<Long> taken = new ArrayList<>();
            assertThat(hop.take(message -> taken.add(message.originNanos))).isTrue();
            assertThat(hop.tryGive(message(given++))).isTrue();
            for (boolean isThere = true; isThere; ) {
                isThere = hop.take(message -> taken.add(message.originNanos));
            }
            assertThat(taken).hasSize(given).isSorted();
        }
    }

    @Test
    @Timeout(30)
    void senderWithoutReceiverWaitsLimitedTime() {
        QueueHop hop = PrimitiveQueue.named("synchronous-queue").maker().make(PAYLOAD, true);
        long start = System.nanoTime();
        assertThat(hop.tryGive(message(1))).isFalse();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(QueueHop.WAIT_NANOS);
        assertThat(hop.take(message -> {})).isFalse();
    }

    /** A hop's bytes carry all fields, and a payload of any length up to the longest. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, PAYLOAD, 100_000})
    void bytesAreCopiedThroughTheRing(int length) {
        QueueHop hop = new BytesHop(100_000);
        HopEvent message = new HopEvent(length);
        PayloadPattern pattern = new PayloadPattern(length, 3);
        message.tag = -7;
        message.hops = 65_535;
        message.sequence = 11;
        message.cause = 12;
        message.originNanos = -13;
        message.sentNanos = 14;
        message.length = length;
        pattern.write(5, message.payload, 0);
        assertThat(hop.tryGive(message)).isTrue();

        assertThat(hop.take(taken -> {
                    assertThat(taken).isNotSameAs(message);
                    assertThat(pattern.matches(5, taken.payload)).isTrue();
                    assertThat(taken)
                            .usingRecursiveComparison()
                            .ignoringFields("payload")
                            .isEqualTo(message);
                }))
                .isTrue();
    }

    @Test
    @Timeout(30)
    void serviceWithoutReaderEndsOnRequest() throws InterruptedException {
        QueueHop from = PrimitiveQueue.named("jctools-spsc").maker().make(PAYLOAD, false);
        QueueHop full = PrimitiveQueue.named("array-blocking-queue").maker().make(PAYLOAD, true);
        for (int i = 0; full.tryGive(message(i)); ) {
            i++;
        }
        from.tryGive(message(0));
        ReferenceStage.StopSignal stop = new ReferenceStage.StopSignal();
        Pause pause = new Pause(Pause.Kind.PARK, 1_000_000);
        PrimitiveLibrary.Relay relay = new PrimitiveLibrary.Relay(from, full, () -> {}, pause, pause);
        Thread thread = new Thread(() -> relay.run(stop), "reference-test");
        thread.start();
        stop.drain();
        stop.set();
        relay.halt();
        TimeUnit.SECONDS.timedJoin(thread, 20);
        assertThat(thread.isAlive()).isFalse();
    }

    private static HopEvent message(long originNanos) {
        HopEvent message = new HopEvent(PAYLOAD);
        message.originNanos = originNanos;
        message.length = PAYLOAD;
        return message;
    }

    private static ShortTrial trial(String queue) {
        return ShortTrial.of(Subject.PRIMITIVE, queue, Map.of());
    }

    private static void everyMessageArrived(TrialResult result) {
        assertThat(result.delivery().incidents()).isEmpty();
        assertThat(result.delivery().isFaultless()).isTrue();
        assertThat(result.delivery().sent())
                .isEqualTo(result.delivery().delivered())
                .isEqualTo(400);
    }
}
