package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.deadletters.DeadLetter;
import dev.baton.fixtures.HostileTransport;
import dev.baton.fixtures.ShiftedClock;
import dev.baton.run.Loops;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Concurrent calls of a service, made in an order that the test chooses. */
class ConcurrencyTest {
    private static final Duration PAUSE = Duration.ofMinutes(1);
    private static final int CALLS = 4;

    private final HostileTransport transport = new HostileTransport();
    private final ShiftedClock clock = new ShiftedClock();
    private final List<Runnable> waiting = new ArrayList<>(); // calls that are at work
    private final List<Long> handled = new ArrayList<>();
    private final List<Long> received = new ArrayList<>();
    private final List<String> retries = new ArrayList<>();
    private final TreeSet<Long> failing = new TreeSet<>();
    private final List<Recording> services = new ArrayList<>();
    private ErrorPolicy errors = ErrorPolicy.stop();
    private int outputs = 1;
    private long sent;

    ConcurrencyTest() {
        transport.room = 64;
        clock.workers = waiting::add;
    }

    /** A service that records its calls. */
    private final class Recording implements Service {
        private int calls;
        private String ends = "";

        Recording() {
            services.add(this);
        }

        @Override
        public int maxOutputs() {
            return Math.max(1, outputs);
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            calls++;
            long value = in.getLong(0);
            out.forward(in);
            if (failing.contains(value)) {
                throw new IllegalStateException("no " + value);
            }
            handled.add(value);
            for (int i = 1; i < outputs; i++) {
                out.forward(in);
            }
        }

        @Override
        public void onClosing(Outlet out) {
            ends += "closing ";
        }

        @Override
        public void onClosed() {
            ends += "closed";
        }
    }

    @Test
    void differentKeysAreHandledAtOnce() {
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            send(running, "a", "b", "c");
            turn(loops);
            assertThat(waiting).hasSize(3);
            finishAll(loops);
        }
    }

    @Test
    void oneKeyIsHandledInOrder() {
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            send(running, "a", "b", "a", "a");
            turn(loops);
            finish(loops, 1);
            assertThat(waiting).as("the first of key a").hasSize(1);
            finish(loops, 0);
            finish(loops, 0);
            finish(loops, 0);
            assertThat(handled).containsExactly(2L, 1L, 3L, 4L);
        }
    }

    @Test
    void messagesWithoutKeyAreHandledInOrder() {
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            send(running, null, null, "a");
            turn(loops);
            assertThat(waiting).hasSize(2);
            finishAll(loops);
        }
        assertThat(received).containsExactly(1L, 2L, 3L);
    }

    @Test
    void outputsAreStoredInTheOrderOfInputs() {
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            send(running, "a", "b", "c");
            turn(loops);
            finish(loops, 2);
            finish(loops, 1);
            assertThat(received).isEmpty();
            assertThat(running.status().parts().get(0).input().waiting()).isEqualTo(3);
            finish(loops, 0);
            assertThat(received).containsExactly(1L, 2L, 3L);
        }
        assertThat(transport.frames("c-1").stream().map(Frame::cause)).containsExactly(1L, 2L, 3L);
    }

    @Test
    void acknowledgesUpToTheOldestUnfinished() {
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            send(running, "a", "b", "c");
            turn(loops);
            finish(loops, 0);
            finish(loops, 1);
            assertThat(acknowledged()).isEqualTo(1);
            finish(loops, 0);
            assertThat(acknowledged()).isEqualTo(3);
        }
    }

    @Test
    void nothingIsAcknowledgedBeforeItsOutputIsStored() {
        transport.storesLate = true;
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            send(running, "a", "b");
            transport.store();
            turn(loops);
            finishAll(loops);
            assertThat(acknowledged()).isZero();
            transport.store();
            turn(loops);
            assertThat(acknowledged()).isEqualTo(2);
        }
    }

    @Test
    void takesAsManyMessagesAsCalls() {
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            send(running, "a", "b", "c", "d", "e", "f");
            turn(loops);
            assertThat(waiting).hasSize(CALLS);
            finish(loops, 1);
            assertThat(waiting).as("the oldest is at work").hasSize(CALLS - 1);
            finish(loops, 0);
            assertThat(waiting).hasSize(CALLS);
            finishAll(loops);
        }
        assertThat(received).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
        assertThat(services).hasSize(CALLS);
    }

    @Test
    void outputsWaitForRoom() {
        outputs = 2;
        try (Loops loops = loops();
                RunningChain running = start(loops, false)) {
            send(running, "a", "b");
            turn(loops);
            transport.room = 2;
            finishAll(loops);
            assertThat(transport.frames("c-1")).hasSize(2);
            transport.room = 64;
            turn(loops);
            assertThat(transport.frames("c-1").stream().map(Frame::cause)).containsExactly(1L, 1L, 2L, 2L);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void crashesNeitherLoseNorRepeatOutputs(int seed) {
        Random random = new Random(seed);
        transport.storesLate = true;
        transport.cutsPollsToOne = random.nextBoolean();
        for (int life = 0; life < 12; life++) {
            Loops loops = loops();
            RunningChain running = start(loops, false);
            send(running, key(random), key(random), key(random));
            for (int i = 0; i < 20; i++) {
                loops.turn();
                if (!waiting.isEmpty() && random.nextInt(3) > 0) {
                    waiting.remove(random.nextInt(waiting.size())).run();
                }
                if (random.nextInt(4) == 0) {
                    transport.store();
                }
            }
            transport.topic("c-0").stored = transport.topic("c-0").size();
            transport.crash();
            waiting.clear();
        }
        clock.workers = Runnable::run;
        try (Loops loops = loops();
                RunningChain running = start(loops, false)) {
            turn(loops);
            transport.store();
            turn(loops);
            assertThat(running.failure()).isEmpty();
            assertThat(acknowledged()).isEqualTo(sent);
        }
        List<Frame> inputs = transport.frames("c-0");
        List<Frame> outputs = transport.frames("c-1");
        assertThat(outputs.stream().map(Frame::cause))
                .containsExactlyElementsOf(inputs.stream().map(Frame::sequence).toList());
        assertThat(outputs.stream().map(ConcurrencyTest::value))
                .containsExactlyElementsOf(
                        inputs.stream().map(ConcurrencyTest::value).toList());
    }

    private static String key(Random random) {
        return random.nextInt(4) == 0 ? null : "abc".substring(random.nextInt(3));
    }

    private static long value(Frame frame) {
        frame.validate();
        return frame.getLong(0);
    }

    @Test
    void aRetryDelaysItsKeyOnly() {
        errors = ErrorPolicy.retry(2).after(PAUSE);
        failing.add(1L);
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            send(running, "a", "a", "b");
            turn(loops);
            finishAll(loops);
            assertThat(handled).containsExactly(3L);
            assertThat(received).isEmpty();
            failing.clear();
            clock.pass(PAUSE);
            turn(loops);
            finishAll(loops);
            assertThat(received).containsExactly(1L, 2L, 3L);
        }
        assertThat(retries).containsExactly("1 after 1");
        assertThat(services.stream().mapToInt(each -> each.calls).sum()).isEqualTo(4);
    }

    @Test
    void exhaustedRetriesStopTheChain() {
        errors = ErrorPolicy.retry(2);
        failing.add(2L);
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            send(running, "a", "b", "c", "b");
            turn(loops);
            finish(loops, 1);
            finish(loops, 2);
            finish(loops, 2);
            assertThat(running.failure()).as("an earlier input is at work").isEmpty();
            finish(loops, 0);
            assertThat(running.failure().orElseThrow())
                    .isInstanceOfSatisfying(
                            ServiceFailure.class,
                            failure -> assertThat(failure.sequence()).isEqualTo(2))
                    .hasRootCauseMessage("no 2");
            assertThat(transport.frames("c-1").stream().map(Frame::cause)).containsExactly(1L);
            finishAll(loops);
        }
        assertThat(acknowledged()).isEqualTo(1);
        assertThat(handled).doesNotContain(4L);
        assertThat(retries).containsExactly("2 after 1", "2 after 2");
    }

    @Test
    void deadLettersAreStoredInOrder() {
        errors = ErrorPolicy.deadLetter();
        failing.addAll(List.of(2L, 3L));
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            send(running, "a", "b", "c", "b");
            turn(loops);
            finish(loops, 2);
            finish(loops, 1);
            assertThat(waiting).as("the next of key b waits for the letter").hasSize(1);
            finishAll(loops);
        }
        List<Long> letters = new ArrayList<>();
        DeadLetter.readAll(transport, "c-0.dead-letters", letter -> letters.add(letter.sequence()));
        assertThat(letters).containsExactly(2L, 3L);
        assertThat(received).containsExactly(1L, 4L);
        assertThat(acknowledged()).isEqualTo(4);
    }

    @Test
    void skippedMessagesReachTheHandlerInOrder() {
        List<Long> skipped = new ArrayList<>();
        errors = ErrorPolicy.skipTo((service, in, attempts, cause) -> skipped.add(in.getLong(0)));
        failing.addAll(List.of(1L, 2L));
        try (Loops loops = loops();
                RunningChain running = start(loops)) {
            send(running, "a", "b", "c");
            turn(loops);
            finish(loops, 1);
            finishAll(loops);
        }
        assertThat(skipped).containsExactly(1L, 2L);
        assertThat(received).containsExactly(3L);
    }

    @Test
    void outputThatIsTooLongFailsItsCall() {
        try (Loops loops = loops();
                RunningChain running = start(loops, () -> (in, out) -> out.claim(2000))) {
            send(running, "a");
            turn(loops);
            finishAll(loops);
            assertThat(running.failure().orElseThrow()).hasRootCauseInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void outputTooLongWithFieldsFailsItsCall() {
        try (Loops loops = loops();
                RunningChain running = chain(() -> (in, out) -> out.claim(1024).commit(1024))
                        .on(transport)
                        .with(loops)
                        .checksums(true)
                        .start()) {
            send(running, "a");
            turn(loops);
            finishAll(loops);
            assertThat(running.failure().orElseThrow()).hasRootCauseInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void openClaimFailsItsCall() {
        try (Loops loops = loops();
                RunningChain running = start(loops, () -> (in, out) -> out.claim(8))) {
            send(running, "a");
            turn(loops);
            finishAll(loops);
            assertThat(running.failure().orElseThrow()).hasRootCauseInstanceOf(ConfigurationException.class);
        }
    }

    @Test
    void outputsCarryTheFieldsOfTheirCall() {
        List<String> seen = new ArrayList<>();
        try (Loops loops = loops();
                RunningChain running = chain(() -> (in, out) -> {
                            out.claim(
                                            8,
                                            new MessageFields()
                                                    .type(5)
                                                    .originNanos(99)
                                                    .key(ByteBuffer.wrap(new byte[] {7})))
                                    .putLong(0, in.getLong(0) + 10)
                                    .commit(8);
                        })
                        .on(transport)
                        .with(loops)
                        .checksums(true)
                        .onOutput(in -> seen.add(in.getLong(0) + " " + in.type() + " "
                                + in.key().get(in.key().position()) + " " + in.originNanos() + " "
                                + in.servicesPassed()))
                        .start()) {
            send(running, "a", "b");
            turn(loops);
            finish(loops, 1);
            finishAll(loops);
        }
        assertThat(seen).containsExactly("11 5 7 99 1", "12 5 7 99 1");
    }

    @Test
    void outputsCarryTheTraceOfTheirMessage() {
        List<Byte> traces = new ArrayList<>();
        try (Loops loops = loops();
                RunningChain running = chain(Recording::new)
                        .on(transport)
                        .with(loops)
                        .traceContext(true)
                        .onOutput(in -> traces.add(in.trace().get(in.trace().position())))
                        .start()) {
            for (byte value = 1; value <= 2; value++) {
                byte[] trace = new byte[Extension.TRACE_BYTES];
                trace[0] = value;
                MessageFields fields = new MessageFields()
                        .key(ByteBuffer.wrap(new byte[] {value}))
                        .trace(ByteBuffer.wrap(trace));
                running.inlet().tryClaim(Long.BYTES, fields).putLong(0, value).commit(Long.BYTES);
            }
            turn(loops);
            finish(loops, 1);
            finish(loops, 0);
        }
        assertThat(traces).containsExactly((byte) 1, (byte) 2);
    }

    @Test
    void anInterceptorIsAroundEachCall() {
        List<String> intercepted = new ArrayList<>();
        try (Loops loops = loops();
                RunningChain running = chain(Recording::new)
                        .on(transport)
                        .with(loops)
                        .around((context, next) -> (in, out) -> {
                            intercepted.add(in.getLong(0) + " at "
                                    + (context.time() - clock.wallNanos() < 0 ? "its time" : "another"));
                            next.onMessage(in, out);
                        })
                        .start()) {
            send(running, "a", "b");
            turn(loops);
            finish(loops, 1);
            finish(loops, 0);
        }
        assertThat(intercepted).containsExactly("2 at its time", "1 at its time");
    }

    @Test
    void anOrderlyCloseFinishesWhatIsAtWork() {
        Loops loops = loops();
        RunningChain running = start(loops);
        send(running, "a", "b");
        turn(loops);
        assertThat(running.close(Duration.ofMillis(1))).as("calls are at work").isFalse();
        loops.close();
        clock.workers = Runnable::run;
        services.clear();
        loops = loops();
        running = start(loops);
        turn(loops);
        assertThat(running.close(Duration.ofSeconds(10))).isTrue();
        loops.close();
        assertThat(received).containsExactly(1L, 2L);
        assertThat(services).extracting(service -> service.ends).containsOnly("closing closed");
    }

    @Test
    void callOutlivingItsChainClosesItsService() {
        Loops loops = loops();
        RunningChain running = start(loops);
        send(running, "a");
        turn(loops);
        running.close(Duration.ofMillis(1));
        loops.close();
        assertThat(services)
                .extracting(service -> service.ends)
                .containsExactlyInAnyOrder("", "closed", "closed", "closed");
        waiting.remove(0).run();
        assertThat(services).extracting(service -> service.ends).containsOnly("closed");
    }

    @Test
    void errorInOnClosedLeavesNoOtherObjectOpen() {
        List<Integer> closed = new ArrayList<>();
        int[] made = {0};
        try (Loops loops = Loops.manual()) {
            Chain.named("d")
                    .then(
                            "s",
                            () -> new Service() {
                                private final int number = made[0]++;

                                @Override
                                public void onMessage(Message in, Outlet out) {}

                                @Override
                                public void onClosed() {
                                    closed.add(number);
                                    throw new AssertionError("onClosed of " + number);
                                }
                            },
                            Concurrency.perKey(3))
                    .build()
                    .on(new HostileTransport())
                    .with(loops)
                    .start()
                    .close();
        } catch (AssertionError ofService) {
            assertThat(ofService).hasMessageStartingWith("onClosed of ");
        }
        assertThat(closed).containsExactlyInAnyOrder(0, 1, 2);
    }

    @Test
    void servicesThatNeedOrderAreRefused() {
        assertRefused("s1 holds inputs", new Service() {
            @Override
            public boolean holdsInputs() {
                return true;
            }

            @Override
            public void onMessage(Message in, Outlet out) {}
        });
        assertRefused("s1 ticks", new TickingService() {
            @Override
            public int onTick(Outlet out) {
                return 0;
            }

            @Override
            public void onMessage(Message in, Outlet out) {}
        });
        errors = ErrorPolicy.retry(1).perKey();
        assertRefused("perKey()", (in, out) -> {});
    }

    @Test
    void forgottenClaimStopsChain() {
        try (Loops loops = loops();
                RunningChain running = start(loops, () -> (in, out) -> {
                    out.claim(8).putLong(0, 1);
                    out.claim(8).putLong(0, 2).commit(8);
                })) {
            send(running, "a");
            turn(loops);
            finishAll(loops);
            assertThat(running.failure().orElseThrow()).hasMessageContaining("open claim");
        }
        assertThat(transport.frames("c-1")).isEmpty();
    }

    @Test
    void eachObjectHasRoomWhenItCloses() {
        transport.room = 2;
        try (Loops loops = loops();
                RunningChain running = start(loops, () -> new Service() {
                    @Override
                    public void onMessage(Message in, Outlet out) {}

                    @Override
                    public void onClosing(Outlet out) {
                        out.claim(8).putLong(0, 9).commit(8);
                    }
                })) {
            turn(loops);
            assertThat(running.close(Duration.ofSeconds(10))).isTrue();
            assertThat(running.failure()).isEmpty();
        }
        assertThat(received).hasSize(CALLS).containsOnly(9L);
    }

    @Test
    void callThatIgnoresInterruptHoldsNoTopic() {
        Loops loops = loops();
        RunningChain running = start(loops);
        send(running, "a");
        turn(loops); // no thread runs the call, so it stays in progress
        long begun = clock.nanoTime();
        running.close(Duration.ZERO);
        assertThat(clock.nanoTime() - begun)
                .as("time of the close")
                .isLessThan(Duration.ofSeconds(2).toNanos());
        assertThat(transport.openReaders).isZero();
        loops.close();
        waiting.remove(0).run();
        assertThat(services.stream().map(each -> each.ends)).containsOnly("closed");
    }

    private void assertRefused(String because, Service service) {
        try (Loops loops = loops()) {
            assertThatThrownBy(() -> start(loops, () -> service))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(because);
        }
    }

    @Test
    void theNumberOfCallsIsChecked() {
        assertThatThrownBy(() -> Concurrency.perKey(0)).hasMessageContaining("1 to 4096");
        assertThatThrownBy(() -> Concurrency.perKey(4097)).hasMessageContaining("1 to 4096");
    }

    private Loops loops() {
        return Loops.manual().in(clock);
    }

    private static Chain chain(Supplier<? extends Service> factory) {
        return Chain.named("c").then("s1", factory, Concurrency.perKey(CALLS)).build();
    }

    private RunningChain start(Loops loops) {
        return start(loops, true);
    }

    private RunningChain start(Loops loops, boolean hasOutput) {
        return start(loops, Recording::new, hasOutput);
    }

    private RunningChain start(Loops loops, Supplier<Service> factory) {
        return start(loops, factory, true);
    }

    private RunningChain start(Loops loops, Supplier<? extends Service> factory, boolean hasOutput) {
        Deployment deployment = chain(factory)
                .on(transport)
                .with(loops)
                .onError(errors)
                .listen(new ChainListener() {
                    @Override
                    public void onRetry(String service, String topic, long sequence, int attempts, Throwable thrown) {
                        retries.add(sequence + " after " + attempts);
                    }
                });
        return (hasOutput ? deployment.onOutput(in -> received.add(in.getLong(0))) : deployment).start();
    }

    private void send(RunningChain running, String... keys) {
        for (String key : keys) {
            MessageFields fields = new MessageFields();
            if (key != null) {
                fields.key(ByteBuffer.wrap(key.getBytes()));
            }
            running.inlet().tryClaim(Long.BYTES, fields).putLong(0, ++sent).commit(Long.BYTES);
        }
    }

    private void finish(Loops loops, int call) {
        waiting.remove(call).run();
        turn(loops);
    }

    private void finishAll(Loops loops) {
        while (!waiting.isEmpty()) {
            finish(loops, 0);
        }
    }

    private static void turn(Loops loops) {
        for (int i = 0; i < 40; i++) {
            loops.turn();
        }
    }

    private long acknowledged() {
        return transport.topic("c-0").acknowledged.getOrDefault("s1", 0L);
    }
}
