package dev.baton.test;

import static dev.baton.test.Numbers.bytes;
import static dev.baton.test.Numbers.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Chain;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Service;
import dev.baton.ServiceContext;
import dev.baton.ServiceFailure;
import dev.baton.TickingService;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A whole chain under test. */
class ChainTesterTest {
    /** Sends the time of each minute. */
    private static final class Minutes implements TickingService {
        private static final long MINUTE = Duration.ofMinutes(1).toNanos();
        private ServiceContext context;
        private long next;

        @Override
        public void onStart(ServiceContext given) {
            context = given;
            next = context.nanoTime() + MINUTE;
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            out.forward(in);
        }

        @Override
        public int onTick(Outlet out) {
            if (context.nanoTime() < next) {
                return 0;
            }
            next += MINUTE;
            send(out, context.time());
            return 1;
        }

        @Override
        public long deadlineNanos() {
            return next;
        }
    }

    private static final Chain CHAIN = Chain.named("minutes")
            .then("beat", Minutes::new)
            .then("pass", () -> (in, out) -> out.forward(in))
            .build();

    @Test
    void dayOfTimersIsFastAndRepeatable() {
        long begin = System.nanoTime();
        List<byte[]> first = day();
        assertThat((System.nanoTime() - begin) / 1e9).as("seconds").isLessThan(5);
        assertThat(first).hasSize(24 * 60 + 1);
        assertThat(day()).usingElementComparator((a, b) -> Arrays.compare(a, b)).isEqualTo(first);
    }

    private static List<byte[]> day() {
        try (ChainTester tester = ChainTester.of(CHAIN)) {
            return tester.send(bytes(1)).advance(Duration.ofDays(1)).take().stream()
                    .map(Output::bytes)
                    .toList();
        }
    }

    @Test
    void everyServicesPlaceCanBeSeen() {
        try (ChainTester tester = ChainTester.of(CHAIN)) {
            tester.throwNext("pass", new IllegalStateException("no"));
            assertThatThrownBy(() -> tester.send(bytes(1)))
                    .isInstanceOf(ServiceFailure.class)
                    .hasMessageContaining("service pass");
            assertThat(tester.sentBy("beat")).hasSize(1);
            assertThat(tester.acknowledgedBy("beat")).isOne();
            assertThat(tester.acknowledgedBy("pass")).isZero();
            tester.crash();
            assertThat(tester.handledBy("pass")).isOne();
            assertThat(tester.take()).hasSize(1);
            assertThatThrownBy(() -> tester.sentBy("other")).hasMessageContaining("it has beat, pass");
        }
    }

    @Test
    void anOutputHandlerTakesTheOutputsToo() {
        long[] sum = {0};
        try (ChainTester tester =
                ChainTester.of(CHAIN).deployed(deployment -> deployment.onOutput(in -> sum[0] += in.getLong(0)))) {
            tester.send(bytes(3)).send(bytes(4));
            assertThat(sum[0]).isEqualTo(7);
            assertThat(tester.acknowledgedBy(Chain.SINK)).isEqualTo(2);
        }
    }

    @Test
    void onlyTheUnrepeatableServiceIsNamed() {
        Chain chain = Chain.named("c")
                .then("good", () -> (in, out) -> out.forward(in))
                .then("bad", () -> new Service() {
                    private long count;

                    @Override
                    public void onMessage(Message in, Outlet out) {
                        send(out, ++count);
                    }
                })
                .then("behind", () -> (in, out) -> out.forward(in))
                .build();
        try (ChainTester tester = ChainTester.of(chain)) {
            for (long i = 0; i < 20; i++) {
                tester.send(bytes(i));
            }
            for (long seed = 1; seed <= 20; seed++) {
                assertThatThrownBy(tester.seed(seed)::assertRepeatable)
                        .isInstanceOfSatisfying(
                                NotRepeatableError.class,
                                error -> assertThat(error.service()).isEqualTo("bad"));
            }
        }
    }

    @Test
    void tickWithoutADeadlineFollowsTheInterval() {
        Chain chain = Chain.named("c")
                .then("tick", () -> new TickingService() {
                    private ServiceContext context;
                    private long last;

                    @Override
                    public void onStart(ServiceContext given) {
                        context = given;
                    }

                    @Override
                    public void onMessage(Message in, Outlet out) {}

                    @Override
                    public int onTick(Outlet out) {
                        if (context.time() == last) {
                            return 0;
                        }
                        last = context.time();
                        send(out, last);
                        return 1;
                    }
                })
                .build();
        try (ChainTester tester = ChainTester.of(chain).tickEvery(Duration.ofMillis(100))) {
            assertThat(tester.advance(Duration.ofSeconds(1)).take()).hasSize(11);
        }
    }

    @Test
    void aChainWithoutServicesIsItsTopic() {
        try (ChainTester tester = ChainTester.of(Chain.named("wire").build())) {
            assertThat(tester.send(bytes(1)).takeOne().getLong(0)).isEqualTo(1);
            tester.advance(Duration.ofDays(1)).crash().assertRepeatable();
        }
    }

    @Test
    void unsupportedDeploymentIsNamed() {
        try (ChainTester tester = ChainTester.of(CHAIN).deployed(deployment -> deployment.instance(3))) {
            assertThatThrownBy(tester::start).hasMessageContaining("a tester runs all services of instance 0");
        }
        try (ChainTester tester = ChainTester.of(CHAIN)
                .deployed(deployment -> deployment.from(out -> out.sequence() > 0 ? 0 : sendOne(out)))) {
            assertThat(tester.start().take()).hasSize(1);
            assertThatThrownBy(tester::assertRepeatable).hasMessageContaining("has a source");
        }
    }

    private static int sendOne(Outlet out) {
        send(out, 1);
        return 1;
    }

    @Test
    void aRunIsRepeatedByItsSeed() {
        System.setProperty("baton.test.seed", "1/5");
        try (ChainTester tester = ChainTester.of(Chain.named("c")
                .then("bad", () -> new Service() {
                    private long count;

                    @Override
                    public void onMessage(Message in, Outlet out) {
                        send(out, ++count);
                    }
                })
                .build())) {
            for (long i = 0; i < 20; i++) {
                tester.send(bytes(i));
            }
            assertThatThrownBy(tester::assertRepeatable)
                    .isInstanceOfSatisfying(
                            NotRepeatableError.class,
                            error -> assertThat(error.seed()).isEqualTo("1/5"));
        } finally {
            System.clearProperty("baton.test.seed");
        }
        assertThatThrownBy(() -> TestSeed.parse("x")).hasMessageContaining("-Dbaton.test.seed=x is no seed");
    }
}
