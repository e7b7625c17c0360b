package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.fixtures.HostileTransport;
import dev.baton.fixtures.ShiftedClock;
import dev.baton.run.Loops;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Services that keep something of their inputs: what is held comes again, and what was sent is not sent twice. */
class HeldInputsTest {
    private final HostileTransport transport = new HostileTransport();
    private final List<Long> received = new ArrayList<>();
    private final List<String> calls = new ArrayList<>();
    private final ShiftedClock clock = new ShiftedClock();

    /** Sums three inputs to one output, and at the close what is left, if {@link #isFlushing}. */
    private class SumOfThree implements Service {
        ServiceContext context;
        long sum;
        int count;

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
            add(in);
            if (count == 3) {
                send(out, in.sequence() + 1);
            }
        }

        @Override
        public void onClosing(Outlet out) {
            calls.add("closing");
            if (count > 0 && isFlushing) {
                send(out, Long.MAX_VALUE);
            }
        }

        final void add(Message in) {
            calls.add((in.isRedelivered() ? "again " : "") + in.sequence());
            if (count == 0) {
                context.holdFrom(in.sequence());
            }
            sum += in.getLong(0);
            count++;
        }

        final void send(Outlet out, long next) {
            out.claim(8).putLong(0, sum).commit(8);
            context.holdFrom(next);
            sum = 0;
            count = 0;
        }
    }

    /** The same, but a tick sends the sum. */
    private class TickingSum extends SumOfThree implements TickingService {
        private long last;

        @Override
        public void onMessage(Message in, Outlet out) {
            add(in);
            last = in.sequence();
        }

        @Override
        public int onTick(Outlet out) {
            if (count < 3) {
                return 0;
            }
            send(out, last + 1);
            return 1;
        }
    }

    /** Another service, but one message fails. */
    private record FailingAt(TickingSum service, long failing) implements TickingService {
        @Override
        public boolean isFailureAtomic() {
            return true;
        }

        @Override
        public boolean holdsInputs() {
            return true;
        }

        @Override
        public void onStart(ServiceContext given) {
            service.onStart(given);
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            if (in.sequence() == failing) {
                throw new IllegalStateException("fails at " + failing);
            }
            service.onMessage(in, out);
        }

        @Override
        public int onTick(Outlet out) {
            return service.onTick(out);
        }

        @Override
        public void onClosing(Outlet out) {
            service.onClosing(out);
        }
    }

    private boolean isFlushing;
    private ErrorPolicy errors = ErrorPolicy.stop();

    @Test
    void heldInputsAreNotAcknowledgedAndComeAgain() {
        run(1, 5);
        assertThat(received).containsExactly(6L);
        assertThat(transport.topic("c-0").acknowledged)
                .as("acknowledged while 4 and 5 are held")
                .containsEntry("s1", 3L);
        calls.clear();
        run(6, 6);
        assertThat(received).containsExactly(6L, 15L);
        assertThat(calls).containsExactly("4", "5", "6", "closing");
        assertThat(transport.topic("c-0").acknowledged).containsEntry("s1", 6L);
    }

    @Test
    void outputsThatAreStoredAreNotSentAgain() {
        run(1, 5);
        transport.topic("c-0").acknowledged.put("s1", 0L); // the crash came before anything was acknowledged
        calls.clear();
        run(6, 6);
        assertThat(received).containsExactly(6L, 15L);
        assertThat(calls).containsExactly("again 1", "again 2", "again 3", "4", "5", "6", "closing");
        assertThat(transport.frames("c-1")).hasSize(2);
    }

    @Test
    void closingOutputsAreStoredAndAcknowledged() {
        isFlushing = true;
        run(1, 4);
        assertThat(received).containsExactly(6L, 4L);
        assertThat(transport.topic("c-0").acknowledged).containsEntry("s1", 4L);
        assertThat(transport.frames("c-1").get(1).cause()).isEqualTo(~4L ^ 1L << 62);
        run(5, 7);
        assertThat(received).containsExactly(6L, 4L, 18L);
    }

    @Test
    void storedClosingOutputIsNotRepeated() {
        isFlushing = true;
        run(1, 4);
        transport.topic("c-0").acknowledged.put("s1", 0L); // killed before the close could acknowledge it
        run(5, 7);
        assertThat(received).containsExactly(6L, 4L, 18L);
    }

    @Test
    void skippedLastRedeliveryRepeatsNoOutput() {
        isFlushing = true;
        errors = ErrorPolicy.skipTo((service, in, attempts, thrown) -> calls.add("skipped " + in.sequence()));
        Supplier<Service> failsAtFour = () -> new FailingAt(new TickingSum(), 4);
        run(failsAtFour, 1, 4);
        assertThat(received).containsExactly(6L);
        assertThat(transport.frames("c-1").get(0).cause())
                .as("a tick behind input 4 sent it")
                .isEqualTo(~4L);
        transport.topic("c-0").acknowledged.put("s1", 0L);
        calls.clear();
        run(failsAtFour, 5, 4);
        assertThat(calls).containsExactly("again 1", "again 2", "again 3", "skipped 4", "closing");
        assertThat(received).as("sums, none of them twice").containsExactly(6L);
    }

    @Test
    void holdingIsBoundedAndSaysSo() {
        Service keepsAll = new Service() {
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
                context.holdFrom(1);
            }
        };
        List<Throwable> failures = new ArrayList<>();
        try (Loops loops = Loops.manual();
                RunningChain running = chain(keepsAll)
                        .on(transport)
                        .with(loops)
                        .maxHeld(4)
                        .onFailure(failures::add)
                        .start()) {
            send(running, loops, 1, 6);
            loops.turn();
            loops.turn();
        }
        assertThat(failures)
                .as("what stops a service that holds more than it may")
                .singleElement()
                .satisfies(failure -> assertThat(failure)
                        .hasMessageContaining("4 inputs are held")
                        .hasMessageContaining("Deployment.maxHeld"));
    }

    @Test
    void serviceWhoseRepeatedTickThrowsIsCalledNoMore() {
        isFlushing = true;
        run(() -> new TickingSum(), 1, 3);
        transport.topic("c-0").acknowledged.put("s1", 0L);
        calls.clear();
        int[] ticks = {0};
        List<Throwable> failures = new ArrayList<>();
        TickingSum failsOnce = new TickingSum() {
            @Override
            public int onTick(Outlet out) {
                if (ticks[0]++ == 0) {
                    throw new IllegalStateException("once");
                }
                return super.onTick(out);
            }
        };
        try (Loops loops = Loops.manual();
                RunningChain running = chain(failsOnce)
                        .on(transport)
                        .with(loops)
                        .onFailure(failures::add)
                        .start()) {
            send(running, loops, 4, 6);
            loops.turn();
            loops.turn();
        }
        assertThat(failures)
                .singleElement()
                .satisfies(failure -> assertThat(failure).hasRootCauseMessage("once"));
        assertThat(calls).containsExactly("again 1", "again 2", "again 3");
        assertThat(ticks[0]).as("ticks").isEqualTo(1);
    }

    @Test
    void tickRepeatedBehindMissingInputIsNoFailedMessage() {
        run(() -> new TickingSum(), 1, 3);
        transport.topic("c-0").acknowledged.put("s1", 0L);
        transport.topic("c-0").get(2)[1] = 0x55; // an unknown flag
        List<Long> skipped = new ArrayList<>();
        List<Throwable> failures = new ArrayList<>();
        errors = ErrorPolicy.skipTo((service, message, attempts, cause) -> skipped.add(message.sequence()));
        TickingSum fails = new TickingSum() {
            @Override
            public boolean isFailureAtomic() {
                return true;
            }

            @Override
            public int onTick(Outlet out) {
                throw new IllegalStateException("a tick");
            }
        };
        try (Loops loops = Loops.manual();
                RunningChain running = chain(fails)
                        .on(transport)
                        .with(loops)
                        .onError(errors)
                        .onUnreadable(Deployment.UnreadableFrames.SKIP)
                        .onFailure(failures::add)
                        .start()) {
            send(running, loops, 4, 6);
            loops.turn();
        }
        assertThat(skipped).isEmpty();
        assertThat(failures)
                .singleElement()
                .satisfies(failure -> assertThat(failure).hasRootCauseMessage("a tick"));
    }

    @Test
    void inputsOfReplacedTopicAreNoRedeliveries() {
        run(1, 6);
        transport.topic("c-0").frames.subList(3, 6).clear(); // restored from a copy of three frames
        transport.topic("c-0").acknowledged.put("s1", 0L);
        try (Loops loops = Loops.manual();
                RunningChain running =
                        chain(new SumOfThree()).on(transport).with(loops).only().start()) {
            send(running, loops, 4, 8);
        }
        calls.clear();
        try (Loops loops = Loops.manual();
                RunningChain running = chain(new SumOfThree())
                        .on(transport)
                        .with(loops)
                        .replacedInput(Deployment.ReplacedInput.HANDLE_ALL)
                        .start()) {
            loops.turn();
            assertThat(running.failure()).isEmpty();
        }
        assertThat(calls).startsWith("again 1", "again 2", "again 3", "4", "5", "6", "7", "8");
    }

    @Test
    void tickThatRepeatsNoOutputFailsTheService() {
        run(() -> new TickingSum(), 1, 3);
        transport.topic("c-0").acknowledged.put("s1", 0L);
        List<Throwable> failures = new ArrayList<>();
        TickingSum otherwise = new TickingSum() {
            @Override
            public int onTick(Outlet out) {
                return 1;
            }
        };
        try (Loops loops = Loops.manual();
                RunningChain running = chain(otherwise)
                        .on(transport)
                        .with(loops)
                        .onFailure(failures::add)
                        .start()) {
            send(running, loops, 4, 6);
            loops.turn();
        }
        assertThat(failures).singleElement().asString().contains("sent nothing, although 1 of its outputs");
    }

    @Test
    void skippedRecordsDoNotExtendTheLimit() {
        Service keepsAll = new Service() {
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
                calls.add("" + in.sequence());
                context.holdFrom(1);
            }
        };
        List<Throwable> failures = new ArrayList<>();
        transport.room = 64;
        try (Loops loops = Loops.manual();
                RunningChain running = chain(keepsAll)
                        .on(transport)
                        .with(loops)
                        .maxHeld(4)
                        .onUnreadable(Deployment.UnreadableFrames.SKIP)
                        .onFailure(failures::add)
                        .start()) {
            send(running, loops, 1, 12);
            for (int i = 2; i < 12; i += 3) {
                transport.topic("c-0").get(i)[1] = 0x55; // an unknown flag
            }
            for (int turn = 0; turn < 20; turn++) {
                loops.turn();
            }
        }
        assertThat(calls).as("inputs that are held").hasSizeLessThanOrEqualTo(4);
        assertThat(failures)
                .singleElement()
                .satisfies(failure -> assertThat(failure).hasMessageContaining("Deployment.maxHeld"));
    }

    @Test
    void onlyServicesThatSaySoHoldInputs() {
        Service undeclared = new Service() {
            @Override
            public void onStart(ServiceContext context) {
                context.holdFrom(1);
            }

            @Override
            public void onMessage(Message in, Outlet out) {}
        };
        try (Loops loops = Loops.manual()) {
            Deployment deployment = chain(undeclared).on(transport).with(loops).onFailure(failure -> {});
            assertThatThrownBy(deployment::start, "the start of a service that holds without saying so")
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("holdsInputs");
        }
        assertThat(transport.openConnections).isZero();
    }

    @Test
    void holdOfCallbackThatThrowsIsVoid() {
        int[] attempts = {0};
        Service failsOnce = new Service() {
            private ServiceContext context;

            @Override
            public boolean holdsInputs() {
                return true;
            }

            @Override
            public boolean isFailureAtomic() {
                return true;
            }

            @Override
            public void onStart(ServiceContext given) {
                context = given;
            }

            @Override
            public void onMessage(Message in, Outlet out) {
                if (in.sequence() == 2 && attempts[0]++ == 0) {
                    context.holdFrom(1);
                    throw new IllegalStateException("once");
                }
            }
        };
        try (Loops loops = Loops.manual();
                RunningChain running = chain(failsOnce)
                        .on(transport)
                        .with(loops)
                        .onError(ErrorPolicy.retry(1))
                        .start()) {
            send(running, loops, 1, 3);
            loops.turn();
            loops.turn();
            assertThat(running.close(Duration.ofSeconds(5))).isTrue();
        }
        assertThat(transport.topic("c-0").acknowledged).containsEntry("s1", 3L);
    }

    @Test
    void tickOutputIsNotRepeatedNextWindowContinues() {
        isFlushing = true;
        run(() -> new TickingSum(), 1, 3);
        assertThat(received).containsExactly(6L);
        transport.topic("c-0").acknowledged.put("s1", 0L);
        run(() -> new TickingSum(), 4, 5);
        assertThat(received).containsExactly(6L, 9L);
    }

    /** Counts up to the lower digit of each input, one message for each number, in ticks the higher digit of hours later. */
    private static final class Counting implements TickingService {
        private final Deque<long[]> held =
                new ArrayDeque<>(); // sequence, time from which it is due, next number, last one
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
            long due = context.time() + Duration.ofHours(in.getLong(0) / 10).toNanos();
            held.add(new long[] {in.sequence(), due, 1, in.getLong(0) % 10});
            context.holdFrom(held.peek()[0]);
        }

        @Override
        public int onTick(Outlet out) {
            int sent = 0;
            while (!held.isEmpty() && context.time() > held.peek()[1] && out.remainingCapacity() > 0) {
                out.claim(8).putLong(0, held.peek()[2]).commit(8);
                sent++;
                if (held.peek()[2]++ == held.peek()[3]) {
                    held.remove();
                    context.holdFrom(held.isEmpty() ? Long.MAX_VALUE : held.peek()[0]);
                }
            }
            return sent;
        }
    }

    @Test
    void firstTickAfterStartBeginsItsOwnRound() {
        count(8, 1);
        count(2, 3); // with room for one message
        count(8);
        assertThat(counted()).containsExactly(1L, 1L, 2L, 3L);
    }

    @Test
    void firstTickAfterRedeliveryBeginsItsOwnRound() {
        count(8, 11, 23);
        clock.pass(Duration.ofMinutes(61));
        count(8);
        assertThat(counted()).containsExactly(1L);
        clock.pass(Duration.ofHours(1));
        count(2); // with room for one message
        count(8);
        assertThat(counted()).containsExactly(1L, 1L, 2L, 3L);
    }

    private List<Long> counted() {
        return transport.frames("c-1").stream()
                .map(frame -> frame.validate() == null ? frame.getLong(0) : null)
                .toList();
    }

    /** Sends inputs, and ends abruptly after some turns. */
    private void count(int room, long... inputs) {
        try (Loops loops = Loops.manual().in(clock);
                RunningChain running = Chain.named("c")
                        .then("s1", Counting::new)
                        .build()
                        .on(transport)
                        .with(loops)
                        .start()) {
            for (long input : inputs) {
                send(running, loops, input, input);
            }
            transport.room = room;
            loops.turn();
            loops.turn();
            running.close(Duration.ZERO);
        }
    }

    private Chain chain(Service service) {
        return Chain.named("c").then("s1", () -> service).build();
    }

    private void run(long from, long to) {
        run(() -> new SumOfThree(), from, to);
    }

    private void run(Supplier<Service> service, long from, long to) {
        try (Loops loops = Loops.manual();
                RunningChain running = Chain.named("c")
                        .then("s1", service)
                        .build()
                        .on(transport)
                        .with(loops)
                        .onError(errors)
                        .onOutput(in -> received.add(in.getLong(0)))
                        .start()) {
            send(running, loops, from, to);
            loops.turn();
            assertThat(running.close(Duration.ofSeconds(5))).isTrue();
        }
    }

    private static void send(RunningChain running, Loops loops, long from, long to) {
        for (long value = from; value <= to; value++) {
            Claim claim = running.inlet().tryClaim(8);
            while (claim == null) {
                loops.turn();
                claim = running.inlet().tryClaim(8);
            }
            claim.putLong(0, value).commit(8);
        }
    }
}
