package dev.baton.test;

import static dev.baton.test.Numbers.bytes;
import static dev.baton.test.Numbers.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.ConfigurationException;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Service;
import dev.baton.ServiceContext;
import dev.baton.TickingService;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Services that are not repeatable, each in one way: the hostile mode finds it, and says which and why. */
class BadServicesTest {
    /**
     * One.
     *
     * @param says what the error has to contain
     */
    record Bad(String name, Supplier<? extends Service> service, String... says) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static final String BY_ITSELF = "without any disturbance";

    private static long handledByAll; // the static state of one of them

    static Stream<Bad> bad() {
        return Stream.of(
                new Bad("a clock of its own", () -> (in, out) -> send(out, System.nanoTime()), BY_ITSELF),
                new Bad(
                        "a wall clock",
                        () -> (in, out) -> send(out, Instant.now().getNano()),
                        BY_ITSELF),
                new Bad("random numbers", RandomTies::new, BY_ITSELF),
                new Bad("static state", () -> (in, out) -> send(out, ++handledByAll), BY_ITSELF),
                new Bad("the order of identity hashes", OrderOfObjects::new, BY_ITSELF),
                new Bad("state that is not held", Counter::new, "holdsInputs"),
                new Bad("a filter that forgets", WithoutRepetitions::new, "undisturbed it sent nothing", "holdsInputs"),
                new Bad("the clock for waiting in a result", NanoTime::new, "CLOCK", "ServiceContext.time()"),
                new Bad("what a turn delivers", CountPerTick::new, "BATCHES"),
                new Bad("drops what finds no room", DropsWithoutRoom::new, "BACK_PRESSURE"),
                new Bad("sends one at each tick", OnePerTick::new, "what its ticks sent", "time() alone"),
                new Bad("keeps the message", KeepsTheMessage::new, "after its callback", "copy what is needed"),
                new Bad(
                        "keeps the view of a payload",
                        KeepsTheView::new,
                        "is not repeatable",
                        "kept after its callback"),
                new Bad("commits bytes that it has not written", UnwrittenBytes::new, "not written"),
                new Bad("keeps the outlet", KeepsTheOutlet::new, "outlet after the callback"),
                new Bad("swallows what a claim throws", Swallows::new, "swallowed"),
                new Bad("more outputs than it says", TwoOutputs::new, "maxOutputs is 1"),
                new Bad("catches that it sends too much", TwoOutputsCaught::new, "swallowed", "maxOutputs is 1"),
                new Bad("lets its inputs go too early", () -> new Sum(1), "holdFrom"),
                new Bad("another thread", AnotherThread::new, "on thread"));
    }

    private static final class RandomTies implements Service {
        private final Random random = new Random();

        @Override
        public void onMessage(Message in, Outlet out) {
            send(out, in.getLong(0) % 3 == 0 ? random.nextInt() : in.getLong(0));
        }
    }

    private static final class OrderOfObjects implements Service {
        private static final class Item {
            private final long number;

            Item(long number) {
                this.number = number;
            }
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            Set<Item> items = new HashSet<>();
            for (int i = 0; i < 8; i++) {
                items.add(new Item(i));
            }
            send(out, items.stream().mapToLong(item -> item.number).reduce(0, (sum, next) -> sum * 10 + next));
        }
    }

    private static final class Counter implements Service {
        private long count;

        @Override
        public void onMessage(Message in, Outlet out) {
            send(out, ++count);
        }
    }

    private static final class WithoutRepetitions implements Service {
        private final Set<Long> seen = new HashSet<>();

        @Override
        public void onMessage(Message in, Outlet out) {
            if (seen.add(in.getLong(0) / 2)) {
                out.forward(in);
            }
        }
    }

    private static final class NanoTime implements Service {
        private ServiceContext context;

        @Override
        public void onStart(ServiceContext given) {
            context = given;
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            send(out, context.nanoTime());
        }
    }

    private static final class CountPerTick implements TickingService {
        private ServiceContext context;
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
            context.holdFrom(in.sequence() - count);
            count++;
        }

        @Override
        public int onTick(Outlet out) {
            if (count == 0) {
                return 0;
            }
            send(out, count);
            count = 0;
            context.holdFrom(Long.MAX_VALUE);
            return 1;
        }
    }

    /** Sends with its tick what came before it, but for what finds no room. */
    private static final class DropsWithoutRoom implements TickingService {
        private final Deque<Long> waiting = new ArrayDeque<>();
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
            if (waiting.isEmpty()) {
                context.holdFrom(in.sequence());
            }
            waiting.add(in.getLong(0));
        }

        @Override
        public int onTick(Outlet out) {
            int work = waiting.size();
            while (!waiting.isEmpty()) {
                long next = waiting.remove();
                if (out.remainingCapacity() > 0) {
                    send(out, next);
                }
            }
            context.holdFrom(Long.MAX_VALUE);
            return work;
        }
    }

    /** Sends with each tick what waits longest. */
    private static final class OnePerTick implements TickingService {
        private final Deque<Long> waiting = new ArrayDeque<>();
        private ServiceContext context;
        private long next; // input that waits longest

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
            if (waiting.isEmpty()) {
                next = in.sequence();
                context.holdFrom(next);
            }
            waiting.add(in.getLong(0));
        }

        @Override
        public int onTick(Outlet out) {
            if (waiting.isEmpty() || out.remainingCapacity() == 0) {
                return 0;
            }
            send(out, waiting.remove());
            context.holdFrom(++next);
            return 1;
        }
    }

    private static final class UnwrittenBytes implements Service {
        @Override
        public void onMessage(Message in, Outlet out) {
            out.claim(16).putLong(0, in.getLong(0)).commit(16);
        }
    }

    private static final class KeepsTheMessage implements Service {
        private Message last;

        @Override
        public void onMessage(Message in, Outlet out) {
            send(out, last == null ? 0 : last.getLong(0));
            last = in;
        }
    }

    private static final class KeepsTheView implements Service {
        private ByteBuffer last;

        @Override
        public void onMessage(Message in, Outlet out) {
            send(out, last == null ? 0 : last.getLong(0));
            last = in.payload();
        }
    }

    private static final class KeepsTheOutlet implements Service {
        private Outlet first;

        @Override
        public void onMessage(Message in, Outlet out) {
            first = first == null ? out : first;
            send(first, in.getLong(0));
        }
    }

    private static final class Swallows implements Service {
        @Override
        public void onMessage(Message in, Outlet out) {
            try {
                send(out, in.getLong(0));
            } catch (RuntimeException logged) {
                // and forgotten
            }
        }
    }

    private static final class TwoOutputs implements Service {
        @Override
        public void onMessage(Message in, Outlet out) {
            send(out, 1);
            send(out, 2);
        }
    }

    private static final class TwoOutputsCaught implements Service {
        @Override
        public void onMessage(Message in, Outlet out) {
            send(out, 1);
            try {
                send(out, 2);
            } catch (ConfigurationException full) {
                // does not matter
            }
        }
    }

    /** The sum of three inputs, which are held until it is sent, but for some of them. */
    private static class Sum implements Service {
        private final int tooFew;
        private ServiceContext context;
        private long sum;
        private int count;

        Sum(int tooFew) {
            this.tooFew = tooFew;
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
            sum += in.getLong(0);
            if (++count < 3) {
                context.holdFrom(in.sequence() + 1 - count + tooFew);
                return;
            }
            send(out, sum);
            sum = 0;
            count = 0;
            context.holdFrom(in.sequence() + 1);
        }
    }

    private static final class AnotherThread implements Service {
        @Override
        public void onMessage(Message in, Outlet out) throws Exception {
            List<Throwable> thrown = new ArrayList<>();
            Thread other = new Thread(() -> send(out, 1), "other");
            other.setUncaughtExceptionHandler((thread, failure) -> thrown.add(failure));
            other.start();
            other.join();
        }
    }

    @ParameterizedTest
    @MethodSource("bad")
    @Timeout(value = 10, unit = TimeUnit.SECONDS)
    void eachIsFoundAndSaysWhatItIs(Bad bad) {
        NotRepeatableError error = check(bad.service());
        assertThat(error).as(bad.name()).isNotNull().hasMessageContainingAll(bad.says());
        assertThat(error).hasMessageContaining("-Dbaton.test.seed=" + error.seed());
        assertThat(error.service()).isEqualTo("bad");
    }

    @Test
    void eachIsFoundWithinASecond() {
        long begin = System.nanoTime();
        bad().forEach(bad -> check(bad.service()));
        assertThat((System.nanoTime() - begin) / 1e9)
                .as("seconds for %d services", bad().count())
                .isLessThan(bad().count());
    }

    @Test
    void theErrorNamesTheInputAndBothOutputs() {
        NotRepeatableError error = check(Counter::new);
        assertThat(error.input()).isBetween(2L, 20L);
        assertThat(error.hardships()).hasSize(1);
        assertThat(error)
                .hasMessageContaining("for input " + error.input() + " (8 bytes [")
                .hasMessageContaining("undisturbed it sent 8 bytes [")
                .hasMessageContaining("(" + error.input() + ")")
                .hasMessageContaining("disturbed it sent   8 bytes [");
    }

    @Test
    void windowOfEarlyTickIsFoundOnRequest() {
        try (ServiceTester tester = ServiceTester.of("bad", GoodServicesTest.Windows::new)) {
            for (long i = 0; i < 20; i++) {
                tester.inlet().send(bytes(i));
            }
            tester.advance(Duration.ofMinutes(2));
            Hostility late = Hostility.all().with(Hardship.LATE_TICKS);
            NotRepeatableError error =
                    catchThrowableOfType(NotRepeatableError.class, () -> tester.assertRepeatable(late));
            assertThat(error).isNotNull().hasMessageContaining("what its ticks sent");
            assertThat(error.hardships()).contains(Hardship.LATE_TICKS);
        }
    }

    @Test
    void heldInputsThatCountTwiceAreFound() {
        assertThat(check(() -> new Sum(0))).as("which stops at a failure").isNull();
        NotRepeatableError error = check(() -> new Sum(0) {
            @Override
            public boolean isFailureAtomic() {
                return true;
            }
        });
        assertThat(error).isNotNull().hasMessageContaining("under RETRIES alone");
    }

    /** What the hostile mode finds. */
    private static NotRepeatableError check(Supplier<? extends Service> service) {
        try (ServiceTester tester = ServiceTester.of("bad", service)) {
            for (long i = 0; i < 20; i++) {
                tester.inlet().send(bytes(i));
            }
            return catchThrowableOfType(NotRepeatableError.class, tester::assertRepeatable);
        }
    }
}
