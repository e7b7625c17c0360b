package dev.baton.test;

import static dev.baton.test.Numbers.bytes;
import static dev.baton.test.Numbers.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.ErrorPolicy;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Service;
import dev.baton.ServiceContext;
import dev.baton.StatefulService;
import dev.baton.state.SnapshotInput;
import dev.baton.state.SnapshotOutput;
import dev.baton.state.UnknownSnapshotVersionException;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Services whose state is saved in snapshots, under all that hosts do to them. */
class StatefulServicesTest {
    private static final int GROUPS = 5;

    /** Totals of all numbers by their remainder, for ever; saved one by one. */
    private static class Totals implements StatefulService {
        final Map<Long, Long> totals = new TreeMap<>();
        private Iterator<Map.Entry<Long, Long>> saving; // null: nothing is being saved

        @Override
        public void onMessage(Message in, Outlet out) {
            send(out, totals.merge(in.getLong(0) % GROUPS, in.getLong(0), Long::sum));
        }

        @Override
        public int snapshotVersion() {
            return 2;
        }

        @Override
        public boolean saveState(SnapshotOutput out) {
            if (saving == null) {
                saving = totals.entrySet().iterator();
                out.putInt(totals.size());
                return false;
            }
            if (saving.hasNext()) {
                Map.Entry<Long, Long> entry = saving.next();
                out.putLong(entry.getKey()).putLong(entry.getValue());
                return false;
            }
            saving = null;
            return true;
        }

        @Override
        public void restoreState(SnapshotInput in, int version) {
            if (version != 2) {
                throw new UnknownSnapshotVersionException(version, 2);
            }
            for (int left = in.getInt(); left > 0; left--) {
                totals.put(in.getLong(), in.getLong());
            }
        }
    }

    /** Declares that it changes nothing when it throws, which is true or not. */
    private static final class Atomic extends Totals {
        private final boolean isTrue;

        Atomic(boolean isTrue) {
            this.isTrue = isTrue;
        }

        @Override
        public boolean isFailureAtomic() {
            return true;
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            long number = in.getLong(0);
            long group = number % GROUPS;
            long total = totals.getOrDefault(group, 0L) + number;
            if (!isTrue) {
                totals.put(group, total);
            }
            if (number == 13) {
                throw new IllegalArgumentException("13");
            }
            send(out, total);
            totals.put(group, total);
        }
    }

    /** Sends each total three times. */
    private static final class ThreeTotals extends Totals {
        @Override
        public int maxOutputs() {
            return 3;
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            super.onMessage(in, out);
            long total = totals.get(in.getLong(0) % GROUPS);
            send(out, total);
            send(out, -total);
        }
    }

    /** Forgets one total. */
    private static final class Forgetful extends Totals {
        @Override
        public void restoreState(SnapshotInput in, int version) {
            super.restoreState(in, version);
            totals.remove(1L);
        }
    }

    /** Saves another version than it reads. */
    private static final class Newer extends Totals {
        @Override
        public int snapshotVersion() {
            return 3;
        }
    }

    /** Sums of each minute by remainder, sent by ticks as far as there is room. */
    private static final class Minutes implements StatefulService {
        private static final long MINUTE = Duration.ofMinutes(1).toNanos();
        private final TreeMap<Long, Long> due = new TreeMap<>(); // by minute and group
        private ServiceContext context;

        @Override
        public void onStart(ServiceContext given) {
            context = given;
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            long minute = context.time() / MINUTE + 1;
            due.merge(minute * GROUPS + in.getLong(0) % GROUPS, in.getLong(0), Long::sum);
        }

        @Override
        public int onTick(Outlet out) {
            int sent = 0;
            while (!due.isEmpty() && dueNanos() <= context.time() && out.remainingCapacity() > 0) {
                send(out, due.pollFirstEntry().getValue());
                sent++;
            }
            return sent;
        }

        private long dueNanos() {
            return due.firstKey() / GROUPS * MINUTE;
        }

        @Override
        public long deadlineNanos() {
            return due.isEmpty() ? Long.MAX_VALUE : context.nanoTime() + dueNanos() - context.time();
        }

        @Override
        public int snapshotVersion() {
            return 1;
        }

        @Override
        public boolean saveState(SnapshotOutput out) {
            out.putInt(due.size());
            due.forEach((key, sum) -> out.putLong(key).putLong(sum));
            return true;
        }

        @Override
        public void restoreState(SnapshotInput in, int version) {
            for (int left = in.getInt(); left > 0; left--) {
                due.put(in.getLong(), in.getLong());
            }
        }
    }

    private static ServiceTester of(Supplier<Service> service) {
        return ServiceTester.of("totals", service).maxPayload(200);
    }

    private static void numbers(ServiceTester tester, int from, int to) {
        for (long i = from; i <= to; i++) {
            tester.inlet().send(bytes(i));
        }
        tester.start();
    }

    private static void passes(Supplier<Service> service, int minutes) {
        try (ServiceTester tester = of(service)) {
            for (int i = 0; i <= minutes; i++) {
                numbers(tester, i * 20, i * 20 + 19);
                tester.advance(Duration.ofSeconds(61));
            }
            assertThatCode(() -> tester.assertRepeatable(Hostility.all().runs(300)))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void totalsOfAllTimeComeThroughEverything() {
        passes(Totals::new, 1);
    }

    @Test
    void inputWithThreeOutputsIsAnsweredOnce() {
        passes(ThreeTotals::new, 1);
    }

    @Test
    void sumsOfTicksComeOnceWithLittleRoom() {
        passes(Minutes::new, 2);
    }

    @Test
    void incompletelyRestoredStateIsFound() {
        try (ServiceTester tester = of(Forgetful::new)) {
            numbers(tester, 0, 39);
            assertThatThrownBy(() -> tester.assertRepeatable(Hostility.all().runs(300)))
                    .isInstanceOf(NotRepeatableError.class);
        }
    }

    @Test
    void halfDoneStateIsFoundByDefault() {
        try (ServiceTester tester = of(() -> new Atomic(false))) {
            numbers(tester, 0, 9);
            assertThatThrownBy(tester::assertRepeatable)
                    .isInstanceOf(NotRepeatableError.class)
                    .hasMessageContaining("returns true from isFailureAtomic")
                    .hasMessageContaining("has changed its state");
        }
    }

    @Test
    void halfDoneStateIsFoundAtTheThrow() {
        try (ServiceTester tester =
                of(() -> new Atomic(false)).onError(ErrorPolicy.retry(2).thenDeadLetter())) {
            assertThatThrownBy(() -> numbers(tester, 13, 13))
                    .hasMessageContaining("its call for message 1 threw and has changed its state");
        }
    }

    @Test
    void atomicFailuresComeThroughEverything() {
        try (ServiceTester tester =
                of(() -> new Atomic(true)).onError(ErrorPolicy.retry(2).thenDeadLetter())) {
            numbers(tester, 0, 39);
            assertThat(tester.deadLetters()).hasSize(1);
            assertThatCode(() -> tester.assertRepeatable(Hostility.all().runs(300)))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void policiesThatContinueAreRefusedWithoutDeclaration() {
        try (ServiceTester tester = of(Totals::new).onError(ErrorPolicy.retry(1))) {
            assertThatThrownBy(tester::start).hasMessageContaining("return true from Service.isFailureAtomic");
        }
    }

    @Test
    void stateSurvivesARestartAndAKill() {
        try (ServiceTester tester = of(Totals::new)) {
            numbers(tester, 1, 4);
            tester.restart();
            numbers(tester, 6, 6);
            tester.crash();
            numbers(tester, 11, 11);
            assertThat(tester.outputs())
                    .extracting(output -> output.getLong(0))
                    .containsExactly(1L, 2L, 3L, 4L, 7L, 18L);
        }
    }

    @Test
    void unknownStateVersionStopsTheChain() {
        try (ServiceTester tester = of(Newer::new)) {
            numbers(tester, 1, 4);
            assertThatThrownBy(tester::restart)
                    .hasMessageContaining("version 3")
                    .hasMessageContaining("version 2");
        }
    }
}
