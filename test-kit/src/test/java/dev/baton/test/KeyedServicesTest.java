package dev.baton.test;

import static dev.baton.test.Numbers.bytes;
import static dev.baton.test.Numbers.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Claim;
import dev.baton.Codec;
import dev.baton.ErrorPolicy;
import dev.baton.KeyedService;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Service;
import dev.baton.ServiceContext;
import dev.baton.ValueCodec;
import dev.baton.state.KeyedState;
import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Services with keyed state, under all that hosts do to them. */
class KeyedServicesTest {
    private static final int GROUPS = 7;
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static final ValueCodec<Long> KEY = ValueCodec.longs(0);

    /** The newest three numbers of a group, which change in place. */
    private static final class Window {
        final long[] numbers = new long[3];

        long add(long number) {
            numbers[0] = numbers[1];
            numbers[1] = numbers[2];
            numbers[2] = number;
            return numbers[0] + numbers[1] + numbers[2];
        }
    }

    private static final Codec<Window> WINDOW = new Codec<>() {
        @Override
        public Window newInstance() {
            return new Window();
        }

        @Override
        public int maxLength(Window value) {
            return 3 * Long.BYTES;
        }

        @Override
        public int encode(Window value, Claim into) {
            for (int i = 0; i < 3; i++) {
                into.putLong(i * Long.BYTES, value.numbers[i]);
            }
            return 3 * Long.BYTES;
        }

        @Override
        public void decode(Message from, Window into) {
            for (int i = 0; i < 3; i++) {
                into.numbers[i] = from.getLong(i * Long.BYTES);
            }
        }
    };

    /** Sums of windows; groups without a number for a minute begin again. */
    private static class Sums implements KeyedService {
        KeyedState<Long, Window> windows;

        @Override
        public void onStart(ServiceContext context) {
            windows = context.state("windows", KEY, WINDOW);
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            windows.expire(MINUTE, GROUPS);
            long number = in.getLong(0);
            Window window = windows.get(number % GROUPS);
            if (window == null) {
                window = new Window();
            }
            long sum = window.add(number);
            windows.put(number % GROUPS, window);
            if (number == 13) {
                throw new IllegalArgumentException("13");
            }
            send(out, sum * 100 + windows.size());
        }
    }

    /** Has a count that no snapshot contains. */
    private static final class Counting extends Sums {
        private long count;

        @Override
        public void onMessage(Message in, Outlet out) {
            count++;
            windows.put(in.getLong(0), new Window());
            send(out, count);
        }
    }

    private static ServiceTester of(Supplier<Service> service) {
        return ServiceTester.of("sums", service)
                .maxPayload(200)
                .onError(ErrorPolicy.retry(2).thenDeadLetter());
    }

    private static void numbers(ServiceTester tester, int from, int to) {
        for (long i = from; i <= to; i++) {
            tester.inlet().send(bytes(i));
        }
        tester.start();
    }

    @Test
    void longTestsComeThroughRetries() {
        try (ServiceTester tester = of(Sums::new)) {
            numbers(tester, 100, 3_000);
            assertThatCode(() -> tester.assertRepeatable(
                            Hostility.all().only(Hardship.RETRIES).runs(2)))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void windowsComeThroughEverything() {
        try (ServiceTester tester = of(Sums::new)) {
            numbers(tester, 0, 19);
            tester.advance(Duration.ofSeconds(50));
            numbers(tester, 21, 22);
            tester.advance(Duration.ofSeconds(20));
            numbers(tester, 23, 40);
            assertThat(tester.deadLetters()).hasSize(1);
            assertThatCode(() -> tester.assertRepeatable(Hostility.all().runs(300)))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void expiryFollowsTheTimeOfInputs() {
        try (ServiceTester tester = of(Sums::new)) {
            numbers(tester, 0, 2);
            tester.advance(Duration.ofSeconds(61));
            numbers(tester, 7, 7);
            tester.crash();
            numbers(tester, 8, 8);
            assertThat(tester.outputs())
                    .extracting(output -> output.getLong(0) % 100)
                    .containsExactly(1L, 2L, 3L, 1L, 2L);
        }
    }

    @Test
    void stateSurvivesRestartAndKill() {
        try (ServiceTester tester = of(Sums::new)) {
            numbers(tester, 1, 1);
            tester.restart();
            numbers(tester, 8, 8);
            tester.crash();
            numbers(tester, 15, 15);
            assertThat(tester.outputs())
                    .extracting(output -> output.getLong(0) / 100)
                    .containsExactly(1L, 9L, 24L);
        }
    }

    @Test
    void stateOutsideOfKeyedStateIsFound() {
        try (ServiceTester tester = of(Counting::new)) {
            numbers(tester, 0, 39);
            assertThatThrownBy(() -> tester.assertRepeatable(Hostility.all().runs(300)))
                    .isInstanceOf(NotRepeatableError.class);
        }
    }
}
