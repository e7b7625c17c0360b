package dev.baton.test;

import static dev.baton.test.Numbers.bytes;
import static dev.baton.test.Numbers.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.baton.Chain;
import dev.baton.ErrorPolicy;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Service;
import dev.baton.ServiceContext;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Services that keep the rules: no hostile run finds anything. */
class GoodServicesTest {
    private static final Hostility MANY = Hostility.all().runs(200);

    /** One. */
    record Good(String name, Supplier<? extends Service> service) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Good> good() {
        return Stream.of(
                new Good("passes on", () -> (in, out) -> out.forward(in)),
                new Good("passes on with its key", () -> (in, out) -> out.forward(in, in.key())),
                new Good("drops some", () -> (in, out) -> {
                    if (in.getLong(0) % 3 == 0) {
                        out.forward(in);
                    }
                }),
                new Good("takes the logical time", LogicalTime::new),
                new Good("sends three outputs for one input", Triple::new),
                new Good("sums three inputs that it holds", SumOfThree::new),
                new Good("counts in windows of logical time", Windows::new),
                new Good("reads and writes views", () -> (in, out) -> {
                    ByteBuffer payload = in.payload();
                    out.claim(Long.BYTES)
                            .putBytes(0, payload, payload.position(), Long.BYTES)
                            .commit(Long.BYTES);
                }),
                new Good("aborts what it does not send", () -> (in, out) -> {
                    out.claim(Long.BYTES).abort();
                    send(out, in.sequence());
                }));
    }

    private static final class LogicalTime implements Service {
        private ServiceContext context;

        @Override
        public void onStart(ServiceContext given) {
            context = given;
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            send(out, context.time() + in.getLong(0));
        }
    }

    private static final class Triple implements Service {
        @Override
        public int maxOutputs() {
            return 3;
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            for (int i = 0; i < 3; i++) {
                send(out, 3 * in.getLong(0) + i);
            }
        }
    }

    private static final class SumOfThree implements Service {
        private ServiceContext context;
        private long sum;
        private int count;

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
            sum += in.getLong(0);
            count++;
            context.holdFrom(in.sequence() + 1 - count);
            if (count == 3) {
                send(out, sum);
                sum = 0;
                count = 0;
                context.holdFrom(in.sequence() + 1);
            }
        }

        @Override
        public void onClosing(Outlet out) {
            if (count > 0) {
                send(out, -sum);
                context.holdFrom(Long.MAX_VALUE);
            }
        }
    }

    /** Counts the messages of each minute of logical time, and sends the count with the first message of a later one. */
    private static final class WindowsByInputs implements Service {
        private static final long WINDOW = Duration.ofMinutes(1).toNanos();

        private ServiceContext context;
        private long window;
        private long count;

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
            long now = context.time() / WINDOW;
            if (count > 0 && now > window) {
                send(out, count);
                count = 0;
            }
            if (count == 0) {
                window = now;
                context.holdFrom(in.sequence());
            }
            count++;
        }
    }

    /** Counts the messages of each minute of logical time, and sends the count when the minute is over. */
    static final class Windows implements Service {
        private static final long WINDOW = Duration.ofMinutes(1).toNanos();

        /** One minute. */
        private static final class Window {
            final long firstInput;
            long count;

            Window(long firstInput) {
                this.firstInput = firstInput;
            }
        }

        private final TreeMap<Long, Window> windows = new TreeMap<>(); // by their end
        private ServiceContext context;

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
            long end = (context.time() / WINDOW + 1) * WINDOW;
            windows.computeIfAbsent(end, any -> new Window(in.sequence())).count++;
            hold();
        }

        @Override
        public int onTick(Outlet out) {
            int work = 0;
            while (!windows.isEmpty() && windows.firstKey() <= context.time() && out.remainingCapacity() > 0) {
                Map.Entry<Long, Window> closed = windows.pollFirstEntry();
                out.claim(16)
                        .putLong(0, closed.getKey())
                        .putLong(8, closed.getValue().count)
                        .commit(16);
                work++;
            }
            if (work > 0) {
                hold();
            }
            return work;
        }

        private void hold() {
            context.holdFrom(
                    windows.isEmpty() ? Long.MAX_VALUE : windows.firstEntry().getValue().firstInput);
        }

        @Override
        public long deadlineNanos() {
            return windows.isEmpty() ? Long.MAX_VALUE : context.nanoTime() + windows.firstKey() - context.time();
        }
    }

    @ParameterizedTest
    @MethodSource("good")
    void nothingIsFound(Good good) {
        try (ServiceTester tester = ServiceTester.of(good.name().replace(' ', '-'), good.service())) {
            for (long i = 0; i < 20; i++) {
                tester.inlet().send(bytes(i));
                if (i % 7 == 0) {
                    tester.advance(Duration.ofSeconds(17));
                }
            }
            tester.advance(Duration.ofMinutes(2));
            assertThatCode(() -> tester.assertRepeatable(MANY)).doesNotThrowAnyException();
        }
    }

    @Test
    void windowClosedByLaterInputSurvivesAnOutage() {
        try (ServiceTester tester = ServiceTester.of(WindowsByInputs::new)) {
            for (long i = 0; i < 30; i++) {
                tester.send(bytes(i)).advance(Duration.ofSeconds(10));
            }
            assertThat(tester.take()).extracting(output -> output.getLong(0)).contains(6L);
            assertThatCode(() -> tester.assertRepeatable(MANY.with(Hardship.LATE_TICKS)))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void statelessServiceSurvivesRetriesOnOneInstance() {
        try (ServiceTester tester = ServiceTester.of(Triple::new)) {
            for (long i = 0; i < 20; i++) {
                tester.inlet().send(bytes(i));
            }
            assertThatCode(() -> tester.assertRepeatable(MANY.with(Hardship.RETRIES)))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void nothingIsFoundInAChainOfThem() {
        Chain chain = Chain.named("good")
                .then("triple", Triple::new)
                .then("sum", SumOfThree::new)
                .then("windows", Windows::new)
                .build();
        try (ChainTester tester = ChainTester.of(chain)) {
            for (long i = 0; i < 30; i++) {
                tester.send(bytes(i)).advance(Duration.ofSeconds(10));
            }
            assertThatCode(() -> tester.assertRepeatable(MANY)).doesNotThrowAnyException();
        }
    }

    @Test
    void skippedOrRetriedMessagesAreNoDifference() {
        ErrorPolicy errors = ErrorPolicy.retry(2).after(Duration.ofSeconds(5)).thenDeadLetter();
        try (ServiceTester tester = ServiceTester.of(() -> (Service) (in, out) -> {
                    if (in.getLong(0) % 5 == 0) {
                        throw new IllegalArgumentException("a multiple of five");
                    }
                    out.forward(in);
                })
                .onError(errors)) {
            for (long i = 1; i <= 20; i++) {
                tester.inlet().send(bytes(i));
            }
            tester.advance(Duration.ofMinutes(2));
            assertThatCode(() -> tester.assertRepeatable(MANY)).doesNotThrowAnyException();
        }
    }
}
