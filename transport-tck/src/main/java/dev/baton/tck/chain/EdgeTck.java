package dev.baton.tck.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.Chain;
import dev.baton.Deployment;
import dev.baton.Deployment.ReplacedInput;
import dev.baton.Deployment.UnreadableFrames;
import dev.baton.ErrorPolicy;
import dev.baton.Message;
import dev.baton.MessageFields;
import dev.baton.Outlet;
import dev.baton.RunningChain;
import dev.baton.Service;
import dev.baton.ServiceContext;
import dev.baton.deadletters.DeadLetter;
import dev.baton.deadletters.Redrive;
import dev.baton.run.Loops;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.Turns;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The contract on the begin and the end of a run: restarts, other topics, and held inputs. */
public abstract class EdgeTck extends WholeChainTck {
    private final List<Long> received = Collections.synchronizedList(new ArrayList<>());
    private UnreadableFrames unreadable = UnreadableFrames.STOP;
    private ErrorPolicy errors = ErrorPolicy.stop();
    private Transport used; // null for that of the fixture
    private long skipped; // by the last run

    /** Called by the test of a transport. */
    protected EdgeTck() {}

    @Test
    void inputsOfARecreatedTopicAreNotDropped() {
        run(passing(), ReplacedInput.REFUSE, 1, 5);
        transport.deleteTopics(List.of(name + "-0"));
        assertThatThrownBy(() -> run(passing(), ReplacedInput.REFUSE, 6, 15), "a start that drops inputs 6 to 10")
                .isInstanceOf(TransportException.class)
                .hasMessageContaining(name + "-0")
                .hasMessageContaining("deleted and created again")
                .hasMessageContaining("HANDLE_ALL");
        run(passing(), ReplacedInput.HANDLE_ALL, 6, 15);
        run(passing(), ReplacedInput.REFUSE, 16, 17);
        assertThat(received)
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 17).boxed().toList());
    }

    @Test
    void deletedOutputTopicLeavesAcknowledgedInputsHandled() {
        run(passing(), ReplacedInput.REFUSE, 1, 5);
        transport.deleteTopics(List.of(name + "-1"));
        run(passing(), ReplacedInput.REFUSE, 6, 7);
        assertThat(received)
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 7).boxed().toList());
    }

    @Test
    void aChainWithAnotherServiceIsRefused() {
        run(passing(), ReplacedInput.REFUSE, 1, 2);
        Chain changed = Chain.named(name)
                .then("s1", () -> (in, out) -> out.forward(in))
                .then("s2", () -> (in, out) -> out.forward(in))
                .build();
        try (Loops loops = Loops.cooperative(1)) {
            Deployment deployment = changed.on(transport).with(loops).from(out -> 0);
            assertThatThrownBy(deployment::start, "a start of another chain")
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("it was s1, it is s1 > s2");
        }
        run(passing(), ReplacedInput.REFUSE, 3, 3);
        assertThat(received).containsExactly(1L, 2L, 3L);
    }

    @Test
    void serviceWithHeldInputsSendsAtTheClose() {
        AtomicBoolean flushes = new AtomicBoolean(true);
        run(() -> new SumOfThree(flushes), ReplacedInput.REFUSE, 1, 4);
        assertThat(received).as("sums with that of the close").containsExactly(6L, 4L);
        run(() -> new SumOfThree(flushes), ReplacedInput.REFUSE, 5, 7);
        assertThat(received).containsExactly(6L, 4L, 18L);
    }

    @Test
    void heldInputsAreRedeliveredAfterARestart() {
        AtomicBoolean keeps = new AtomicBoolean(false);
        run(() -> new SumOfThree(keeps), ReplacedInput.REFUSE, 1, 5);
        assertThat(received).containsExactly(6L);
        run(() -> new SumOfThree(keeps), ReplacedInput.REFUSE, 6, 7);
        assertThat(received).as("sums with the inputs held before").containsExactly(6L, 15L);
        run(() -> new SumOfThree(keeps), ReplacedInput.REFUSE, 8, 9);
        assertThat(received).containsExactly(6L, 15L, 24L);
    }

    @Test
    void abandonedMessageIsInTheDeadLetterTopic() {
        errors = ErrorPolicy.retry(1).thenDeadLetter();
        Supplier<Service> failing = () -> (in, out) -> {
            out.forward(in);
            if (in.getLong(0) % 3 == 0) {
                throw new IllegalStateException("three times " + in.getLong(0) / 3);
            }
        };
        if (!transport.guarantees().contains(Guarantee.DURABLE)) {
            assertThatThrownBy(() -> run(failing, ReplacedInput.REFUSE, 1, 1), "a start over topics that are forgotten")
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("dead letters would be lost");
            return;
        }
        run(failing, ReplacedInput.REFUSE, 1, 10);
        run(failing, ReplacedInput.REFUSE, 11, 20);
        assertThat(received)
                .as("what came through, in order")
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 20)
                        .filter(value -> value % 3 != 0)
                        .boxed()
                        .toList());
        List<DeadLetter> letters = new ArrayList<>();
        DeadLetter.readAll(transport, name + "-0.dead-letters", letters::add);
        assertThat(letters).extracting(DeadLetter::sequence).containsExactly(3L, 6L, 9L, 12L, 15L, 18L);
        assertThat(letters).allSatisfy(letter -> {
            assertThat(letter.attempts()).isEqualTo(2);
            assertThat(letter.text()).isEqualTo("three times " + letter.sequence() / 3);
            assertThat(letter.payload()).isEqualTo(payload(letter.sequence()));
        });
    }

    @Test
    void lettersOfUnacknowledgedMessagesAreKnown() {
        assumeTrue(transport.guarantees().contains(Guarantee.DURABLE), "keeps no letters");
        errors = ErrorPolicy.deadLetter();
        AtomicBoolean fails = new AtomicBoolean(true);
        Supplier<Service> service = () -> (in, out) -> {
            if (fails.get() && in.getLong(0) % 4 != 1) {
                throw new IllegalStateException("not now");
            }
            out.forward(in);
        };
        used = new LostAcknowledgements(transport, new Random(1), 0);
        run(service, ReplacedInput.REFUSE, 1, 8);
        used = transport;
        fails.set(false);
        run(service, ReplacedInput.REFUSE, 9, 9);
        assertThat(new TreeSet<>(received)).containsExactly(1L, 5L, 9L);
        List<Long> letters = new ArrayList<>();
        DeadLetter.readAll(transport, name + "-0.dead-letters", letter -> letters.add(letter.sequence()));
        assertThat(letters).containsExactly(2L, 3L, 4L, 6L, 7L, 8L);
    }

    @Test
    void deadLettersAreRedrivenOnce() {
        assumeTrue(transport.guarantees().contains(Guarantee.DURABLE), "keeps no letters");
        errors = ErrorPolicy.deadLetter();
        run(
                () -> (in, out) -> {
                    if (in.getLong(0) % 2 == 0) {
                        throw new IllegalStateException("not now");
                    }
                    out.forward(in, in.key());
                },
                ReplacedInput.REFUSE,
                1,
                5);
        List<String> sent = new ArrayList<>();
        String letters = name + "-0.dead-letters";
        Redrive.run(transport, letters, (letter, sequence) -> sent.add(letter.sequence() + " as " + sequence));
        assertThat(sent).containsExactly("2 as 6", "4 as 7");
        Redrive.run(transport, letters, (letter, sequence) -> sent.add("again " + letter.sequence()));
        assertThat(sent).as("sent by a second redrive as well").hasSize(2);
        run(passing(), ReplacedInput.REFUSE, 8, 8);
        assertThat(received).containsExactly(1L, 3L, 5L, 2L, 4L, 8L);
        run(passing(), ReplacedInput.REFUSE, 9, 9);
        assertThat(received).containsExactly(1L, 3L, 5L, 2L, 4L, 8L, 9L);
    }

    @Test
    void foreignRecordStopsTheChainOrIsSkipped() {
        assumeTrue(fixture.holdsForeignRecords(), "holds frames alone");
        run(passing(), ReplacedInput.REFUSE, 1, 3);
        fixture.writeForeignRecord(name + "-1");
        unreadable = UnreadableFrames.STOP;
        assertThat(whatStops(passing())).isInstanceOf(DamagedTopicException.class);
        unreadable = UnreadableFrames.SKIP;
        run(passing(), ReplacedInput.REFUSE, 5, 7);
        assertThat(received)
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 7).boxed().toList());
        assertThat(skipped).as("records skipped").isEqualTo(1);
        run(passing(), ReplacedInput.REFUSE, 8, 8);
        assertThat(skipped).as("not met again").isZero();
    }

    @Test
    void foreignRecordBecomesADeadLetterOnRequest() {
        assumeTrue(fixture.holdsForeignRecords(), "holds frames alone");
        assumeTrue(transport.guarantees().contains(Guarantee.DURABLE), "keeps no letters");
        run(passing(), ReplacedInput.REFUSE, 1, 3);
        fixture.writeForeignRecord(name + "-1");
        unreadable = UnreadableFrames.DEAD_LETTER;
        run(passing(), ReplacedInput.REFUSE, 4, 6);
        run(passing(), ReplacedInput.REFUSE, 7, 7);
        assertThat(received)
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 7).boxed().toList());
        List<DeadLetter> letters = new ArrayList<>();
        DeadLetter.readAll(transport, name + "-1.dead-letters", letters::add);
        assertThat(letters).singleElement().satisfies(letter -> {
            assertThat(letter.service()).isEqualTo(Chain.SINK);
            assertThat(letter.attempts()).isZero();
            assertThat(letter.text()).contains(name + "-1");
        });
    }

    @Test
    void retryPerKeyDelaysItsKeyAcrossRestart() {
        errors = ErrorPolicy.retry(1).after(Duration.ofHours(1)).perKey();
        AtomicBoolean fails = new AtomicBoolean(true);
        Supplier<Service> service = () -> (in, out) -> {
            if (in.getLong(0) == 2 && fails.get()) {
                throw new IllegalStateException("not yet");
            }
            out.forward(in);
        };
        try (Loops loops = Loops.cooperative(1);
                RunningChain running =
                        chain(service, loops, ReplacedInput.REFUSE).start()) {
            sendKeyed(running, 1, 6);
            new Turns(fixture.longestWait())
                    .until(
                            "outputs of the other key",
                            "a message that waits for its retry delays its key only",
                            () -> received.size() == 3);
            assertThat(received).containsExactly(1L, 3L, 5L);
            boolean isKept = transport.guarantees().contains(Guarantee.DURABLE);
            assertThat(running.close(isKept ? Duration.ofSeconds(30) : Duration.ofMillis(1)))
                    .as("a close, which waits for messages that are set aside where the topic is not kept")
                    .isEqualTo(isKept);
        }
        fails.set(false);
        try (Loops loops = Loops.cooperative(1);
                RunningChain running =
                        chain(service, loops, ReplacedInput.REFUSE).start()) {
            sendKeyed(running, 7, 8);
            new Turns(fixture.longestWait())
                    .until(
                            "outputs of messages that were set aside",
                            "messages that are set aside are handled after a restart",
                            () -> received.size() == 8);
        }
        assertThat(received.stream().filter(each -> each % 2 == 0)).containsExactly(2L, 4L, 6L, 8L);
        assertThat(received.stream().filter(each -> each % 2 == 1)).containsExactly(1L, 3L, 5L, 7L);
    }

    /** Sends messages whose keys are odd and even. */
    private static void sendKeyed(RunningChain running, long from, long to) {
        for (long value = from; value <= to; value++) {
            ByteBuffer key = ByteBuffer.allocate(1).put(0, (byte) (value % 2));
            ByteBuffer payload = ByteBuffer.allocate(Long.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(0, value);
            running.inlet().send(payload, new MessageFields().key(key));
        }
    }

    /** Sends 4 through a chain that has to fail, and returns its failure. */
    private Throwable whatStops(Supplier<Service> service) {
        try (Loops loops = Loops.cooperative(1);
                RunningChain running =
                        chain(service, loops, ReplacedInput.REFUSE).start()) {
            send(running, 4, 4);
            new Turns(fixture.longestWait())
                    .until(
                            "the failure",
                            "a record that is no frame stops the chain",
                            () -> running.failure().isPresent());
            assertThat(running.close(limit())).isFalse();
            return running.failure().orElseThrow();
        }
    }

    private static Supplier<Service> passing() {
        return () -> (in, out) -> out.forward(in);
    }

    private void run(Supplier<Service> service, ReplacedInput policy, long from, long to) {
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = chain(service, loops, policy).start()) {
            int before = received.size();
            send(running, from, to);
            if (unreadable == UnreadableFrames.SKIP) {
                new Turns(fixture.longestWait())
                        .until(
                                "outputs behind a record to be skipped",
                                "a record that is no frame is skipped where that is asked for",
                                () -> received.size() > before);
                skipped = running.status().parts().stream()
                        .mapToLong(part -> part.input().skipped())
                        .sum();
            }
            assertThat(running.close(limit())).as(running.failure().toString()).isTrue();
        }
    }

    private Deployment chain(Supplier<Service> service, Loops loops, ReplacedInput policy) {
        return Chain.named(name)
                .then("s1", service)
                .build()
                .on(used == null ? transport : used)
                .with(loops)
                .replacedInput(policy)
                .onUnreadable(unreadable)
                .onError(errors)
                .onFailure(failure -> {})
                .onOutput(in -> received.add(in.getLong(0)));
    }

    private static void send(RunningChain running, long from, long to) {
        for (long value = from; value <= to; value++) {
            running.inlet().send(payload(value));
        }
    }

    /** A service that sums three inputs to one output, and optionally the rest at the close. */
    private static final class SumOfThree implements Service {
        private final AtomicBoolean flushes;
        private ServiceContext context;
        private long sum;
        private int count;

        SumOfThree(AtomicBoolean flushes) {
            this.flushes = flushes;
        }

        @Override
        public boolean holdsInputs() {
            return true;
        }

        @Override
        public void onStart(ServiceContext given) {
            context = given;
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            if (count == 0) {
                context.holdFrom(in.sequence());
            }
            sum += in.getLong(0);
            count++;
            if (count == 3) {
                send(out, in.sequence() + 1);
            }
        }

        @Override
        public void onClosing(Outlet out) {
            if (count > 0 && flushes.get()) {
                send(out, Long.MAX_VALUE);
            }
        }

        private void send(Outlet out, long next) {
            out.claim(Long.BYTES).putLong(0, sum).commit(Long.BYTES);
            context.holdFrom(next);
            sum = 0;
            count = 0;
        }
    }
}
