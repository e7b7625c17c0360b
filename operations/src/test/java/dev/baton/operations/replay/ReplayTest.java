package dev.baton.operations.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

import dev.baton.Chain;
import dev.baton.Deployment.UnreadableFrames;
import dev.baton.ErrorPolicy;
import dev.baton.KeyedService;
import dev.baton.Message;
import dev.baton.MessageFields;
import dev.baton.Outlet;
import dev.baton.RunningChain;
import dev.baton.Service;
import dev.baton.ServiceContext;
import dev.baton.TickingService;
import dev.baton.ValueCodec;
import dev.baton.chains.ProvidedChain.MessageGenerator;
import dev.baton.chronicle.ChronicleProvider;
import dev.baton.examples.orders.OrderPipeline;
import dev.baton.examples.orders.OrdersProvider;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import dev.baton.state.KeyedState;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A replay confirms what a service does, names where a changed one differs, and says when the service is to blame. */
@Tag("slow")
class ReplayTest {
    private static final int ORDER_BYTES = 48;
    private static final int AN_HOUR = 36_000; // orders, one in 100 ms
    private static final int LIMIT = 24; // offsets in an order
    private static final int PRICE = 32;

    @TempDir
    private Path directory;

    private Transport transport;

    @BeforeEach
    void open() {
        transport = new ChronicleProvider().open(Map.of("dir", directory.toString()));
    }

    @AfterEach
    void close() {
        transport.close();
    }

    private static Chain orders() {
        return OrderPipeline.chain(ErrorPolicy.skipTo((service, in, attempts, cause) -> {}));
    }

    private static MessageGenerator orderBook() {
        return new OrdersProvider().open(Map.of()).generator(1, 0);
    }

    private ReplayComparison.Part replay(Chain chain, String service) {
        return replay(chain, null, service, ReplayRange.of(null, null));
    }

    private ReplayComparison.Part replay(Chain chain, Chain against, String service, ReplayRange range) {
        return Replay.of(chain)
                .only(service)
                .against(against)
                .range(range)
                .firstOnly()
                .compareWith(transport)
                .of(service);
    }

    private ReplayComparison.Part replayAll(Chain chain, Chain against) {
        return Replay.of(chain).against(against).compareWith(transport).of("sum");
    }

    private static Chain with(Chain chain, String service, BiFunction<Message, Outlet, Boolean> before) {
        return chain.decorated((name, real) -> name.equals(service)
                ? (Service) (in, out) -> {
                    if (!before.apply(in, out)) {
                        real.onMessage(in, out);
                    }
                }
                : real);
    }

    @Test
    void hourIsConfirmedAndOneCentIsFound() {
        new Recording(transport, Duration.ofMillis(100)).of(orders(), orderBook(), ORDER_BYTES, AN_HOUR);

        long inputs = AN_HOUR;
        for (String service : orders().services()) {
            ReplayComparison.Part same = replay(orders(), service);
            assertThat(same.difference()).as(service).isNull();
            assertThat(same.inputs()).isEqualTo(inputs);
            inputs = same.same();
        }
        assertThat(inputs).as("orders booked").isBetween(AN_HOUR * 8L / 10, AN_HOUR * 95L / 100);

        Chain oneCentMore = with(orders(), "price", (in, out) -> {
            if (in.sequence() < 20_000) {
                return false;
            }
            long price = Math.min(in.getLong(LIMIT), 9_900 + in.getLong(0) % 200) + 1;
            out.claim(ORDER_BYTES)
                    .type(in.type())
                    .putPayload(in)
                    .putLong(PRICE, price)
                    .commit(ORDER_BYTES);
            return true;
        });
        ReplayComparison.Part changed = replay(oneCentMore, "price");
        assertThat(changed.difference().cause()).isEqualTo(20_000);
        assertThat(changed.same()).isEqualTo(19_999);
        assertThat(changed.isRepeatable()).isTrue();
        assertThat(changed.difference().expected().payload()).hasSize(ORDER_BYTES);

        ReplayComparison.Part builds = replay(oneCentMore, orders(), "price", ReplayRange.of(null, null));
        assertThat(builds.difference().cause()).isEqualTo(20_000);
        assertThat(replay(orders(), orders(), "price", ReplayRange.of(null, null))
                        .difference())
                .isNull();
    }

    @Test
    void missingAndAdditionalOutputsAreReported() {
        new Recording(transport, Duration.ofMillis(1)).of(numbers(Numbers::new), Numbers::write, Long.BYTES, 1_000);

        ReplayComparison.Part missing =
                replay(with(numbers(Numbers::new), "sum", (in, out) -> in.sequence() == 700), "sum");
        assertThat(missing.difference().expected().cause()).isEqualTo(700);
        assertThat(missing.difference().replayed()).isNull();
        ReplayComparison.Part last =
                replay(with(numbers(Numbers::new), "sum", (in, out) -> in.sequence() == 1_000), "sum");
        assertThat(last.difference().cause()).as("the last output").isEqualTo(1_000);

        transport.deleteTopics(List.of("numbers-0", "numbers-1"));
        Chain filtering = with(numbers(Numbers::new), "sum", (in, out) -> in.sequence() == 300);
        new Recording(transport, Duration.ofMillis(1)).of(filtering, Numbers::write, Long.BYTES, 1_000);
        ReplayComparison.Part tooMany = replay(numbers(() -> (in, out) -> out.forward(in)), "sum");
        assertThat(tooMany.difference()).isNotNull();
        assertThat(replay(with(numbers(Numbers::new), "sum", (in, out) -> in.sequence() == 300), "sum")
                        .difference())
                .isNull();
    }

    /** Counts its inputs by their last digit. */
    private static final class DigitCounts implements KeyedService {
        private static final ValueCodec<Long> NUMBER = ValueCodec.longs(0);

        private KeyedState<Long, Long> counts;

        @Override
        public void onStart(ServiceContext context) {
            counts = context.state("counts", NUMBER, NUMBER);
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            Long before = counts.get(in.getLong(0) % 10);
            long count = before == null ? 1 : before + 1;
            counts.put(in.getLong(0) % 10, count);
            out.claim(Long.BYTES).putLong(0, count).commit(Long.BYTES);
        }
    }

    @Test
    void keyedStateIsMadeOfReplayedInputs() {
        new Recording(transport, Duration.ofMillis(100))
                .of(numbers(DigitCounts::new), Numbers::write, Long.BYTES, 1_000);
        assertThat(replay(numbers(DigitCounts::new), "sum").difference()).isNull();
        ReplayComparison.Part changed =
                replay(with(numbers(DigitCounts::new), "sum", (in, out) -> in.sequence() == 700), "sum");
        assertThat(changed.difference()).isNotNull();
    }

    @Test
    void allDifferencesAreCountedByKind() {
        Chain before = with(numbers(() -> (in, out) -> out.forward(in)), "sum", (in, out) -> in.sequence() == 300);
        new Recording(transport, Duration.ofMillis(1)).of(before, Numbers::write, Long.BYTES, 1_000);
        Chain after = with(numbers(() -> (in, out) -> out.forward(in)), "sum", (in, out) -> {
            long input = in.sequence();
            if (input == 400 || input == 401) {
                out.claim(Long.BYTES).type(in.type()).putLong(0, -1).commit(Long.BYTES);
            } else if (input == 500) {
                out.claim(Long.BYTES).type(in.type() + 1).putPayload(in).commit(Long.BYTES);
            }
            return input == 1 || input == 400 || input == 401 || input == 500 || input == 1_000;
        });

        for (Chain against : new Chain[] {null, before}) {
            ReplayComparison.Part all = replayAll(after, against);
            assertThat(all.differences())
                    .containsOnly(
                            entry(ReplayDifference.Kind.PAYLOAD, 2L),
                            entry(ReplayDifference.Kind.TYPE, 1L),
                            entry(ReplayDifference.Kind.MISSING, 2L),
                            entry(ReplayDifference.Kind.ADDITIONAL, 1L));
            assertThat(all.same()).isEqualTo(994);
            assertThat(all.difference().cause()).isEqualTo(1);
            assertThat(replayAll(before, against).differences()).isEmpty();
        }
    }

    @Test
    void aServiceThatReadsAnotherClockIsFound() {
        Supplier<Service> stamping = () ->
                (in, out) -> out.claim(Long.BYTES).putLong(0, System.nanoTime()).commit(Long.BYTES);
        new Recording(transport, Duration.ofMillis(1)).of(numbers(stamping), Numbers::write, Long.BYTES, 100);

        ReplayComparison.Part result = replay(numbers(stamping), "sum");
        assertThat(result.difference().cause()).isEqualTo(1);
        assertThat(result.isRepeatable()).isFalse();
    }

    @Test
    void recordedTicksAreGivenAgainAtTheirTimes() {
        Chain chain = numbers(PerSecond::new);
        new Recording(transport, Duration.ofMillis(70)).of(chain, Numbers::write, Long.BYTES, 3_000);

        ReplayComparison.Part same = replay(chain, "sum");
        assertThat(same.difference()).isNull();
        assertThat(same.same()).as("sums of seconds").isBetween(190L, 215L);
        ReplayComparison.Part changed = replay(numbers(() -> new PerSecond(1)), "sum");
        assertThat(changed.difference().expected().isOfTick()).isTrue();
        assertThat(changed.same()).isZero();
    }

    @Test
    void rangeBoundsTheReplay() {
        Supplier<Service> forwarding = () -> (in, out) -> out.forward(in);
        new Recording(transport, Duration.ofMillis(1)).of(numbers(forwarding), Numbers::write, Long.BYTES, 1_000);

        ReplayComparison.Part result = replay(numbers(forwarding), null, "sum", ReplayRange.of("101", "900"));
        assertThat(result.difference()).isNull();
        assertThat(result.inputs()).isEqualTo(800);
        assertThat(result.same()).isEqualTo(800);
        assertThat(result.firstInput()).isEqualTo(101);
    }

    /** The chain has skipped records that another program has written between its messages. */
    @Test
    void recordsOfOtherProgramsArePassedOver() {
        Chain chain = numbers(() -> (in, out) -> out.forward(in));
        send(chain, 0, 20);
        for (int i = 0; i < 2; i++) {
            try (ChronicleQueue queue = SingleChronicleQueueBuilder.binary(directory.resolve("numbers-" + i))
                            .build();
                    ExcerptAppender appender = queue.createAppender()) {
                appender.writeText("another program's");
            }
        }
        send(chain, 20, 40);

        ReplayComparison.Part result = replay(chain, "sum");
        assertThat(result.difference()).as(result.toString()).isNull();
        assertThat(result.inputs()).isEqualTo(40);
        assertThat(result.same()).isEqualTo(40);
    }

    /** Sends numbers through a chain that skips records it cannot read. */
    private void send(Chain chain, long from, long until) {
        long[] received = {from};
        try (Loops loops = Loops.manual();
                RunningChain running = chain.on(transport)
                        .with(loops)
                        .onUnreadable(UnreadableFrames.SKIP)
                        .onOutput(in -> received[0]++)
                        .start()) {
            for (long number = from; number < until; number++) {
                running.inlet().send(number, ValueCodec.longs(0));
            }
            await().pollInSameThread().until(() -> loops.turn() == 0 && received[0] == until);
        }
    }

    @Test
    void aServiceThatThrowsIsADifference() {
        new Recording(transport, Duration.ofMillis(1)).of(numbers(Numbers::new), Numbers::write, Long.BYTES, 100);
        Chain throwing = with(numbers(Numbers::new), "sum", (in, out) -> {
            throw new IllegalStateException("seventh");
        });

        assertThat(replay(throwing, "sum").difference().thrown()).contains("seventh");
    }

    /** A failed message is set aside, while those of other keys are handled. */
    @Test
    void setAsideMessagesLeaveOtherInputsAlone() {
        Chain chain = Chain.named("numbers")
                .then(
                        "sum",
                        () -> (in, out) -> {
                            if (in.sequence() % 10 == 4) {
                                throw new IllegalStateException("a number that is never accepted");
                            }
                            out.forward(in);
                        },
                        ErrorPolicy.retry(2)
                                .after(Duration.ofMillis(5))
                                .perKey()
                                .thenSkipTo((service, in, attempts, cause) -> {}))
                .build();
        AtomicInteger handled = new AtomicInteger();
        try (Loops loops = Loops.manual();
                RunningChain running = chain.on(transport)
                        .with(loops)
                        .onOutput(in -> handled.incrementAndGet())
                        .start()) {
            for (byte key = 1; key <= 30; key++) {
                running.inlet()
                        .send(ByteBuffer.allocate(8), new MessageFields().key(ByteBuffer.wrap(new byte[] {key})));
            }
            await().pollInSameThread().until(() -> loops.turn() == 0 && handled.get() == 27);
        }

        ReplayComparison.Part result = replay(chain, "sum");
        assertThat(result.difference()).as(result.toString()).isNull();
        assertThat(result.inputs()).isEqualTo(30);
        assertThat(result.same()).isEqualTo(27);
    }

    @Test
    void aReplayAllocatesNothingForEachMessage() {
        Supplier<Service> forwarding = () -> (in, out) -> out.forward(in);
        new Recording(transport, Duration.ofMillis(1)).of(numbers(forwarding), Numbers::write, Long.BYTES, 60_000);
        ReplayRange few = ReplayRange.of(null, null).until(10_000);
        for (int i = 0; i < 3; i++) {
            allocated(numbers(forwarding), ReplayRange.of(null, null));
        }
        long less = allocated(numbers(forwarding), few);
        long more = allocated(
                numbers(forwarding), ReplayRange.of(null, null).until(50_000)); // the end of a file is searched once

        assertThat((more - less) / 40_000.0).as("bytes for each message").isLessThan(1);
    }

    private long allocated(Chain chain, ReplayRange range) {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertThat(replay(chain, null, "sum", range).difference()).isNull();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    @Test
    void aMessageIsFollowedBackAndForward() {
        new Recording(transport, Duration.ofMillis(100)).of(orders(), orderBook(), ORDER_BYTES, 200);

        List<MessageTrace.Stop> way = new MessageTrace(transport, transport.topics(), () -> false).of("orders-2", 100);
        assertThat(way).hasSizeBetween(4, 6);
        List<String> topics = new ArrayList<>();
        way.forEach(stop -> topics.add(stop.topic()));
        assertThat(topics).startsWith("orders-0", "orders-1", "orders-2", "orders-3");
        assertThat(way.get(2).isAsked()).isTrue();
        assertThat(way.get(1).sequence()).isEqualTo(way.get(2).cause());
        assertThat(way.get(3).cause()).isEqualTo(100);
        assertThat(new MessageTrace(transport, transport.topics(), () -> false).of("orders-2", 10_000))
                .isEmpty();
    }

    private static Chain numbers(Supplier<Service> service) {
        return Chain.named("numbers").then("sum", service).build();
    }

    /** Sends the sum of all that has come. */
    private static final class Numbers implements Service {
        private long sum;

        static int write(long number, dev.baton.Claim into) {
            into.putLong(0, number);
            return Long.BYTES;
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            sum += in.getLong(0);
            out.claim(Long.BYTES).putLong(0, sum).commit(Long.BYTES);
        }
    }

    /** Sends the sum of each second by a tick, with the time of the tick. */
    private static final class PerSecond implements TickingService {
        private static final long SECOND = 1_000_000_000;
        private final long added;
        private ServiceContext context;
        private long sum;
        private long end = Long.MAX_VALUE;

        PerSecond() {
            this(0);
        }

        PerSecond(long added) {
            this.added = added;
        }

        @Override
        public void onStart(ServiceContext started) {
            context = started;
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            sum += in.getLong(0);
            if (end == Long.MAX_VALUE) {
                end = context.time() + SECOND;
            }
        }

        @Override
        public int onTick(Outlet out) {
            if (end == Long.MAX_VALUE || context.time() < end || out.remainingCapacity() == 0) {
                return 0;
            }
            out.claim(2 * Long.BYTES)
                    .putLong(0, sum + added)
                    .putLong(Long.BYTES, context.time())
                    .commit(2 * Long.BYTES);
            end += SECOND;
            return 1;
        }
    }
}
