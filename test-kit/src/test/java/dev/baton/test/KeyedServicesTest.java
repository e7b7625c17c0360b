package dev.baton.test;

import static dev.baton.test.Numbers.bytes;
import static dev.baton.test.Numbers.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Chain;
import dev.baton.Claim;
import dev.baton.Codec;
import dev.baton.ErrorPolicy;
import dev.baton.KeyedService;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Service;
import dev.baton.ServiceContext;
import dev.baton.TickingService;
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

    /** Sends the numbers of a session, which ends a minute after the newest of them. */
    private static class Sessions implements KeyedService {
        static final int CLOCK = 1;
        private KeyedState<Long, Window> sessions;

        @Override
        public int maxOutputs() {
            return GROUPS;
        }

        @Override
        public void onStart(ServiceContext context) {
            sessions = context.state("sessions", KEY, WINDOW);
        }

        int end(Outlet out) {
            return sessions.expire(
                    MINUTE,
                    GROUPS,
                    (group, session) -> send(out, session.numbers[0] + session.numbers[1] + session.numbers[2]));
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            if (in.type() == CLOCK) {
                end(out);
                return;
            }
            long number = in.getLong(0);
            Window session = sessions.get(number % GROUPS);
            session = session == null ? new Window() : session;
            session.add(number);
            sessions.put(number % GROUPS, session);
        }
    }

    /** Ends sessions on ticks, which a restart repeats behind the inputs that followed them. */
    private static final class SessionsOfTicks extends Sessions implements TickingService {
        @Override
        public int onTick(Outlet out) {
            return out.remainingCapacity() < GROUPS ? 0 : end(out);
        }
    }

    /** Adds a message for each ten seconds, so that the services behind it need no ticks. */
    private static final class Clock implements TickingService {
        private static final long INTERVAL = Duration.ofSeconds(10).toNanos();
        private ServiceContext context;
        private long next;

        @Override
        public void onStart(ServiceContext given) {
            context = given;
            next = given.nanoTime();
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            out.forward(in);
        }

        @Override
        public int onTick(Outlet out) {
            if (context.nanoTime() - next < 0 || out.remainingCapacity() == 0) {
                return 0;
            }
            next = context.nanoTime() + INTERVAL;
            out.claim(0).type(Sessions.CLOCK).commit(0);
            return 1;
        }

        @Override
        public long deadlineNanos() {
            return next;
        }
    }

    private static void sessions(ServiceTester tester, boolean hasClock) {
        for (long i = 0; i < 40; i++) {
            tester.send(bytes(i % 5)).advance(Duration.ofSeconds(i % 4 == 0 ? 31 : 7));
            if (hasClock) {
                tester.send(new byte[0], Sessions.CLOCK);
            }
        }
        tester.advance(Duration.ofMinutes(2));
        if (hasClock) {
            tester.send(new byte[0], Sessions.CLOCK);
        }
    }

    @Test
    void sessionsEndedByInputsComeThroughEverything() {
        try (ServiceTester tester = ServiceTester.of("sessions", Sessions::new).maxPayload(200)) {
            sessions(tester, true);
            assertThat(tester.outputs()).hasSizeGreaterThan(9);
            assertThatCode(() -> tester.assertRepeatable(
                            Hostility.all().with(Hardship.LATE_TICKS).runs(300)))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void sessionsEndedByTicksAreFound() {
        try (ServiceTester tester =
                ServiceTester.of("sessions", SessionsOfTicks::new).maxPayload(200)) {
            sessions(tester, false);
            assertThatThrownBy(() -> tester.assertRepeatable(Hostility.all().runs(300)))
                    .isInstanceOf(NotRepeatableError.class);
        }
    }

    @Test
    void clockMessagesEndSessionsWithoutInputs() {
        Chain chain = Chain.named("sessions")
                .then("clock", Clock::new)
                .then("sessions", Sessions::new)
                .build();
        try (ChainTester tester = ChainTester.of(chain).maxPayload(200)) {
            tester.send(bytes(1)).send(bytes(2)).advance(Duration.ofSeconds(30));
            tester.crash();
            tester.send(bytes(8)).advance(Duration.ofSeconds(50));
            assertThat(tester.take()).extracting(output -> output.getLong(0)).containsExactly(2L);
            tester.advance(Duration.ofSeconds(30));
            assertThat(tester.take()).extracting(output -> output.getLong(0)).containsExactly(9L);
        }
    }
}
