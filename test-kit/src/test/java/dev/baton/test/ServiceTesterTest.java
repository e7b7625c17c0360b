package dev.baton.test;

import static dev.baton.test.Numbers.bytes;
import static dev.baton.test.Numbers.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Claim;
import dev.baton.ErrorPolicy;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Service;
import dev.baton.ServiceContext;
import dev.baton.ServiceFailure;
import dev.baton.TickingService;
import dev.baton.UnexpectedTypeException;
import dev.baton.ValueCodec;
import dev.baton.codec.TypedService;
import dev.baton.deadletters.DeadLetter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One service under test: what it gets, sends, holds, throws, and what survives it. */
class ServiceTesterTest {
    /** A number in a message. */
    private record Amount(long cents) {
        static final ValueCodec<Amount> CODEC = new AmountCodec();
    }

    private static final class AmountCodec implements ValueCodec<Amount> {
        @Override
        public int type() {
            return 7;
        }

        @Override
        public int maxLength(Amount value) {
            return Long.BYTES;
        }

        @Override
        public int encode(Amount value, Claim into) {
            into.putLong(0, value.cents);
            return Long.BYTES;
        }

        @Override
        public Amount decode(Message from) {
            return new Amount(from.getLong(0));
        }
    }

    /** Holds the oldest of three inputs, beats every ten seconds, and says farewell. */
    private static final class Beats implements TickingService {
        private final List<String> calls;
        private ServiceContext context;
        private long next = Long.MAX_VALUE;

        Beats(List<String> calls) {
            this.calls = calls;
        }

        @Override
        public boolean holdsInputs() {
            return true;
        }

        @Override
        public void onStart(ServiceContext given) {
            context = given;
            next = context.nanoTime() + Duration.ofSeconds(10).toNanos();
            calls.add("start");
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            calls.add((in.isRedelivered() ? "again " : "") + in.getLong(0));
            context.holdFrom(Math.max(1, in.sequence() - 1));
        }

        @Override
        public int onTick(Outlet out) {
            if (context.nanoTime() < next) {
                return 0;
            }
            next += Duration.ofSeconds(10).toNanos();
            send(out, context.time());
            return 1;
        }

        @Override
        public long deadlineNanos() {
            return next;
        }

        @Override
        public void onClosing(Outlet out) {
            send(out, -1);
        }
    }

    private final List<String> calls = new ArrayList<>();

    @Test
    void valuesGoInAndComeOut() {
        try (ServiceTester tester = ServiceTester.of(
                TypedService.mapping(Amount.CODEC, Amount.CODEC, amount -> new Amount(2 * amount.cents)))) {
            tester.send(new Amount(3), Amount.CODEC).send(new Amount(4), Amount.CODEC);
            assertThat(tester.takeOne(Amount.CODEC)).isEqualTo(new Amount(6));
            assertThat(tester.take(Amount.CODEC)).containsExactly(new Amount(8));
            assertThat(tester.take()).isEmpty();
            assertThatThrownBy(tester::takeOne)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("2 outputs were taken, of 2 inputs 2 are handled");
            assertThat(tester.outputs()).hasSize(2);
            assertThat(tester.handled()).isEqualTo(2);
            assertThat(tester.acknowledged()).isEqualTo(2);
        }
    }

    @Test
    void mappedValuesKeepTheKey() {
        ByteBuffer key = ByteBuffer.wrap("k".getBytes(StandardCharsets.US_ASCII));
        try (ServiceTester tester =
                ServiceTester.of(TypedService.mapping(Amount.CODEC, Amount.CODEC, amount -> amount))) {
            assertThat(tester.send(new Amount(3), Amount.CODEC, key).takeOne().key())
                    .isEqualTo(key);
            assertThat(tester.send(new Amount(3), Amount.CODEC).takeOne().key()).isNull();
            tester.assertRepeatable();
        }
    }

    @Test
    void anOutputSaysWhatItIs() {
        ByteBuffer key = ByteBuffer.wrap("k".getBytes(StandardCharsets.US_ASCII));
        try (ServiceTester tester = ServiceTester.of("pass", () -> (in, out) -> out.forward(in, in.key()))) {
            tester.send(new Amount(3), Amount.CODEC, key);
            Output output = tester.takeOne();
            assertThat(output.key()).isEqualTo(key);
            assertThat(output.payload().getLong(output.payload().position())).isEqualTo(3);
            assertThat(output.servicesPassed()).isOne();
            assertThat(output.cause()).isOne();
            assertThat(output)
                    .hasToString("message 1 of topic test-1 (cause 1): type 7, key 1 bytes \"k\","
                            + " 8 bytes [0300000000000000] (3)");
            tester.send(bytes(4), 8);
            assertThatThrownBy(() -> tester.takeOne(Amount.CODEC)).isInstanceOf(UnexpectedTypeException.class);
        }
    }

    @Test
    void timePassesFromDeadlineToDeadline() {
        try (ServiceTester tester = ServiceTester.of(() -> new Beats(calls))) {
            tester.start();
            long begin = tester.clock().wallNanos();
            tester.advance(Duration.ofSeconds(35));
            assertThat(tester.take())
                    .allMatch(Output::isOfTick)
                    .extracting(output -> (output.getLong(0) - begin) / 1e9)
                    .containsExactly(10.0, 20.0, 30.0);
            assertThat(tester.clock().elapsed()).isEqualTo(Duration.ofSeconds(35));
            assertThat(tester.clock().now()).isEqualTo(VirtualClock.START.plusSeconds(35));
        }
    }

    @Test
    void whatIsHeldComesAgainAfterACrash() {
        try (ServiceTester tester = ServiceTester.of(() -> new Beats(calls))) {
            tester.send(bytes(1)).send(bytes(2)).send(bytes(3));
            assertThat(tester.acknowledged()).isEqualTo(1);
            assertThat(tester.held()).isEqualTo(2);
            tester.crash();
            assertThat(calls).containsExactly("start", "1", "2", "3", "start", "2", "3");
            assertThat(tester.take()).isEmpty();
        }
    }

    @Test
    void lastOutputsCanBeTakenAfterTheEnd() {
        try (ServiceTester tester = ServiceTester.of(() -> new Beats(calls))) {
            tester.send(bytes(1)).restart();
            assertThat(tester.takeOne().isOfClosing()).isTrue();
            assertThat(tester.end()).isTrue();
            assertThat(tester.takeOne().isOfClosing()).isTrue();
        }
    }

    @Test
    void failureIsThrownAndItsMessageIsRedelivered() {
        try (ServiceTester tester = ServiceTester.of("pass", () -> (in, out) -> out.forward(in))) {
            tester.throwNext(new IOException("no disk"));
            assertThatThrownBy(() -> tester.send(bytes(1)))
                    .isInstanceOf(ServiceFailure.class)
                    .hasMessageContaining("service pass failed at message 1")
                    .hasRootCauseMessage("no disk");
            assertThat(tester.failure()).get().isInstanceOf(ServiceFailure.class);
            assertThat(tester.acknowledged()).isZero();
            tester.restart();
            assertThat(tester.failure()).isEmpty();
            assertThat(tester.takeOne().getLong(0)).isEqualTo(1);
        }
    }

    @Test
    void delayedRetriesEndInADeadLetter() {
        ErrorPolicy errors = ErrorPolicy.retry(2).after(Duration.ofSeconds(30)).thenDeadLetter();
        try (ServiceTester tester = ServiceTester.of("pass", () -> (Service) (in, out) -> out.forward(in))
                .onError(errors)) {
            tester.throwNext(3, new IOException("no disk")).send(bytes(1)).send(bytes(2));
            assertThat(tester.handled()).isZero();
            tester.advance(Duration.ofSeconds(59));
            assertThat(tester.deadLetters()).isEmpty();
            tester.advance(Duration.ofSeconds(1));
            assertThat(tester.deadLetters()).singleElement().satisfies(letter -> {
                assertThat(letter.attempts()).isEqualTo(3);
                assertThat(letter.text()).isEqualTo("no disk");
                assertThat(letter.payload()).isEqualTo(bytes(1));
            });
            assertThat(tester.takeOne().getLong(0)).isEqualTo(2);
        }
        assertThat(DeadLetter.DESCRIPTION).isPositive();
    }

    @Test
    void misusedMessagesAndOutletsThrow() {
        Message[] kept = new Message[1];
        try (ServiceTester tester = ServiceTester.of(() -> (in, out) -> kept[0] = in)) {
            tester.send(bytes(1));
            assertThatThrownBy(() -> kept[0].getLong(0)).hasMessageContaining("after its callback has returned");
            assertThatThrownBy(() -> tester.send(bytes(2))).hasMessageContaining("message 1 of topic test-0");
        }
    }

    @Test
    void batchOfTheInletIsDeliveredAtOnce() {
        try (ServiceTester tester = ServiceTester.of(() -> (in, out) -> out.forward(in))
                .deployed(deployment -> deployment.checksums(true).batch(1))) {
            try (var batch = tester.inlet().batch()) {
                batch.send(bytes(1));
                batch.send(bytes(2));
            }
            assertThat(tester.start().take()).hasSize(2);
            assertThatThrownBy(() -> tester.maxPayload(8)).hasMessageContaining("has started; set it up before");
        }
    }

    @Test
    void tickWithEndlessWorkIsAnError() {
        Service restless = new TickingService() {
            @Override
            public void onMessage(Message in, Outlet out) {}

            @Override
            public int onTick(Outlet out) {
                return 1;
            }
        };
        try (ServiceTester tester = ServiceTester.of(() -> restless)) {
            assertThatThrownBy(() -> tester.send(bytes(1)))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("an onTick that always returns more than 0?");
        }
    }

    @Test
    void failedStartLeavesNothingBehind() {
        int[] starts = {0};
        Service service = new Service() {
            @Override
            public void onStart(ServiceContext context) throws IOException {
                if (++starts[0] == 1) {
                    throw new IOException("not yet");
                }
            }

            @Override
            public void onMessage(Message in, Outlet out) {
                out.forward(in);
            }
        };
        try (ServiceTester tester = ServiceTester.of(() -> service)) {
            assertThatThrownBy(tester::start).hasMessageContaining("not yet");
            assertThat(tester.send(bytes(1)).take()).hasSize(1);
        }
    }

    @Test
    void aClosedTesterSaysSo() {
        ServiceTester tester = ServiceTester.of(() -> (in, out) -> out.forward(in));
        tester.send(bytes(1));
        tester.close();
        tester.close();
        assertThat(tester.take()).hasSize(1);
        assertThatThrownBy(() -> tester.send(bytes(2))).hasMessageContaining("this tester is closed");
    }

    @Test
    void wrongArgumentsAreNamed() {
        ServiceTester tester = ServiceTester.of(() -> (in, out) -> out.forward(in));
        assertThatThrownBy(() -> tester.advance(Duration.ofSeconds(-1))).hasMessageContaining("PT-1S");
        assertThatThrownBy(() -> tester.throwNext(0, new IOException())).hasMessageContaining("0 times");
        assertThatThrownBy(() -> tester.tickEvery(Duration.ZERO)).hasMessageContaining("more than 0");
        assertThatThrownBy(tester::assertRepeatable).hasMessageContaining("nothing was sent");
        tester.close();
    }

    /** Throws when it is closed. */
    private static final class Unclosable implements Service {
        @Override
        public void onMessage(Message in, Outlet out) {
            out.forward(in);
        }

        @Override
        public void onClosing(Outlet out) {
            throw new IllegalStateException("cannot say farewell");
        }
    }

    @Test
    void failureAtTheCloseFailsTheRestart() {
        try (ServiceTester tester = ServiceTester.of(Unclosable::new)) {
            tester.send(bytes(1));
            assertThatThrownBy(tester::restart)
                    .isInstanceOf(ServiceFailure.class)
                    .hasMessageContaining("cannot say farewell");
        }
    }
}
