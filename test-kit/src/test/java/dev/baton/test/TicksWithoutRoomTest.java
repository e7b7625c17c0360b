package dev.baton.test;

import static dev.baton.test.Numbers.bytes;
import static dev.baton.test.Numbers.send;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Service;
import dev.baton.ServiceContext;
import java.time.Duration;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Several sums are due at one time, there is room for some of them, and the process is killed: the tick that is given again drops
 * as many as are stored.
 */
class TicksWithoutRoomTest {
    /** Sums the numbers of a minute by their remainder, and sends the sums as far as there is room. */
    private static final class SumsByGroup implements Service {
        private static final long MINUTE = Duration.ofMinutes(1).toNanos();
        private static final int GROUPS = 5;

        /** The numbers of a group. */
        private static final class Group {
            final long firstInput;
            long sum;

            Group(long firstInput) {
                this.firstInput = firstInput;
            }
        }

        private final TreeMap<Long, Group> due = new TreeMap<>(); // by minute and group
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
            long minute = context.time() / MINUTE + 1;
            long group = minute * GROUPS + in.getLong(0) % GROUPS;
            due.computeIfAbsent(group, any -> new Group(in.sequence())).sum += in.getLong(0);
            hold();
        }

        @Override
        public int onTick(Outlet out) {
            int sent = 0;
            while (isDue() && out.remainingCapacity() > 0) {
                send(out, due.pollFirstEntry().getValue().sum);
                sent++;
            }
            if (sent > 0) {
                hold();
            }
            return sent;
        }

        private boolean isDue() {
            return !due.isEmpty() && due.firstKey() / GROUPS * MINUTE <= context.time();
        }

        private void hold() {
            context.holdFrom(due.values().stream()
                    .mapToLong(group -> group.firstInput)
                    .min()
                    .orElse(Long.MAX_VALUE));
        }

        @Override
        public long deadlineNanos() {
            return due.isEmpty()
                    ? Long.MAX_VALUE
                    : context.nanoTime() + due.firstKey() / GROUPS * MINUTE - context.time();
        }
    }

    private final ServiceTester tester = ServiceTester.of("groups", SumsByGroup::new);

    @BeforeEach
    void sendOneMinute() {
        for (long i = 0; i < 20; i++) {
            tester.inlet().send(bytes(i));
        }
        tester.advance(Duration.ofMinutes(2));
    }

    @AfterEach
    void close() {
        tester.close();
    }

    @Test
    void sumsThatFindRoomAreSentOnce() {
        assertThatCode(() -> tester.assertRepeatable(Hostility.all().runs(200).without(Hardship.BACK_PRESSURE)))
                .doesNotThrowAnyException();
    }

    @Test
    void sumsWithoutRoomAreSentAfterAKill() {
        assertThatCode(() -> tester.assertRepeatable(Hostility.all()
                        .only(Hardship.BACK_PRESSURE, Hardship.KILLS)
                        .runs(400)))
                .doesNotThrowAnyException();
        assertThatCode(() -> tester.assertRepeatable(Hostility.all().runs(200))).doesNotThrowAnyException();
    }
}
