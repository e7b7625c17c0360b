package dev.baton.lab.study.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Claim;
import dev.baton.MessageFields;
import dev.baton.state.SnapshotInput;
import dev.baton.state.SnapshotOutput;
import dev.baton.state.UnknownSnapshotVersionException;
import dev.baton.test.Hostility;
import dev.baton.test.NotRepeatableError;
import dev.baton.test.Output;
import dev.baton.test.ServiceTester;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The window as a service, under all that hosts do to it, against counting all over again. */
class StatefulWindowTest {
    private static final int KEYS = 4;
    private static final int STEPS = 3;
    private static final long STEP_NANOS = 100;
    private static final long FIRST = 1_000_007;
    private static final int SMALL_PAYLOAD = 200; // so that a snapshot takes several frames

    /** An event and the step it is in. */
    private record Event(int key, int step) {}

    private final List<Event> events = new ArrayList<>();

    private static StatefulWindow window() {
        return new StatefulWindow(KEYS, STEPS, STEP_NANOS, in -> in.getInt(0));
    }

    private static ServiceTester tester() {
        return ServiceTester.of("window", StatefulWindowTest::window).maxPayload(SMALL_PAYLOAD);
    }

    /** Some events in a step now and then, none for a step or ten, and two that come late. */
    private void sendSome(ServiceTester tester, int count, long seed) {
        Random random = new Random(seed);
        long origin = events.isEmpty() ? FIRST : FIRST + (events.get(events.size() - 1).step - 1) * STEP_NANOS;
        for (int i = 0; i < count; i++) {
            send(tester, random.nextInt(KEYS), origin);
            int kind = random.nextInt(20);
            origin += kind == 0 ? 10 * STEP_NANOS : kind == 1 ? -STEP_NANOS : random.nextInt(60);
        }
        tester.start();
    }

    private void send(ServiceTester tester, int key, long origin) {
        int newest = events.isEmpty() ? 1 : events.get(events.size() - 1).step;
        events.add(new Event(key, Math.max(newest, (int) ((origin - FIRST) / STEP_NANOS) + 1)));
        Claim claim = tester.inlet().tryClaim(Integer.BYTES, new MessageFields().originNanos(origin));
        claim.putInt(0, key).commit(Integer.BYTES);
    }

    private List<String> expected() {
        List<String> results = new ArrayList<>();
        int newest = events.get(events.size() - 1).step;
        events.stream()
                .mapToInt(Event::step)
                .distinct()
                .filter(step -> step < newest)
                .forEach(step -> {
                    for (int key = 0; key < KEYS; key++) {
                        int of = key;
                        long count = events.stream()
                                .filter(each -> each.key == of && each.step <= step && each.step > step - STEPS)
                                .count();
                        results.add(step + ": " + key + " " + count);
                    }
                });
        return results;
    }

    private static List<String> results(ServiceTester tester) {
        return tester.outputs().stream().map(StatefulWindowTest::result).toList();
    }

    private static String result(Output output) {
        long result = output.getLong(0);
        return output.type() + ": " + StatefulWindow.key(result) + " " + StatefulWindow.count(result);
    }

    @Test
    void eventOfLaterStepEmitsTheWindow() {
        try (ServiceTester tester = tester()) {
            sendSome(tester, 300, 1);
            assertThat(results(tester)).hasSizeGreaterThan(100).isEqualTo(expected());
            assertThat(tester.outputs()).allMatch(output -> output.originNanos() == FIRST + output.type() * STEP_NANOS);
        }
    }

    @Test
    void resultsComeOnceDespiteFaults() {
        try (ServiceTester tester = tester()) {
            sendSome(tester, 60, 2);
            tester.assertRepeatable(Hostility.all().runs(300));
        }
    }

    @Test
    void countsSurviveStopAndKill() {
        try (ServiceTester tester = tester()) {
            sendSome(tester, 50, 3);
            tester.restart();
            sendSome(tester, 50, 4);
            tester.crash();
            sendSome(tester, 50, 5);
            assertThat(results(tester)).isEqualTo(expected());
        }
    }

    @Test
    void aKeyThatARestoreDropsIsFound() {
        try (ServiceTester tester = ServiceTester.of("window", () -> new ForgetfulWindow(window(), KEYS, 1))) {
            sendSome(tester, 60, 6);
            assertThatThrownBy(() -> tester.assertRepeatable(Hostility.all().runs(300)))
                    .isInstanceOf(NotRepeatableError.class);
        }
    }

    @Test
    void stateIsWrittenInEqualSlices() {
        StatefulWindow window = new StatefulWindow(1_000, 5, STEP_NANOS, in -> in.getInt(0));
        try (ServiceTester tester = ServiceTester.of("window", () -> window)) {
            Random random = new Random(7);
            for (int i = 0; i < 200; i++) {
                send(tester, random.nextInt(1_000), FIRST + i);
            }
            tester.start();
        }
        Memory memory = new Memory();
        int calls = save(window, memory);
        assertThat(calls).isEqualTo(6);
        StatefulWindow restored = new StatefulWindow(1_000, 5, STEP_NANOS, in -> in.getInt(0));
        restored.restoreState(memory.flipped(), 1);
        assertThat(memory.remaining()).isZero();
        Memory again = new Memory();
        save(restored, again);
        assertThat(again.written()).isEqualTo(memory.written());
    }

    /** {@return in how many calls} */
    private static int save(StatefulWindow window, Memory memory) {
        int calls = 1;
        while (!window.saveState(memory)) {
            calls++;
        }
        return calls;
    }

    @Test
    void foreignSnapshotIsRefused() {
        Memory memory = new Memory();
        assertThat(window().saveState(memory)).isTrue();
        StatefulWindow wider = new StatefulWindow(KEYS, STEPS + 1, STEP_NANOS, in -> 0);
        assertThatThrownBy(() -> wider.restoreState(memory.flipped(), 1))
                .hasMessage(
                        "the snapshot is of 4 keys and 3 steps of 100 ns; this window has 4 keys and 4 steps of 100 ns");
        StatefulWindow slower = new StatefulWindow(KEYS, STEPS, 2 * STEP_NANOS, in -> 0);
        assertThatThrownBy(() -> slower.restoreState(memory.flipped(), 1))
                .hasMessage(
                        "the snapshot is of 4 keys and 3 steps of 100 ns; this window has 4 keys and 3 steps of 200 ns");
        assertThatThrownBy(() -> window().restoreState(memory.flipped(), 2))
                .isInstanceOf(UnknownSnapshotVersionException.class);
    }

    /** A snapshot in memory, for whose writing there is never time left. */
    private static final class Memory implements SnapshotOutput, SnapshotInput {
        private final ByteBuffer bytes = ByteBuffer.allocate(1 << 16);

        private int end;

        /** To be read from its beginning, as often as need be. */
        Memory flipped() {
            end = Math.max(end, bytes.position());
            bytes.position(0).limit(end);
            return this;
        }

        byte[] written() {
            byte[] all = new byte[bytes.position()];
            bytes.get(0, all);
            return all;
        }

        @Override
        public boolean hasTime() {
            return false;
        }

        @Override
        public SnapshotOutput putByte(byte value) {
            bytes.put(value);
            return this;
        }

        @Override
        public SnapshotOutput putInt(int value) {
            bytes.putInt(value);
            return this;
        }

        @Override
        public SnapshotOutput putLong(long value) {
            bytes.putLong(value);
            return this;
        }

        @Override
        public SnapshotOutput putDouble(double value) {
            bytes.putDouble(value);
            return this;
        }

        @Override
        public SnapshotOutput putBytes(byte[] source, int offset, int count) {
            bytes.put(source, offset, count);
            return this;
        }

        @Override
        public long size() {
            return bytes.position();
        }

        @Override
        public long remaining() {
            return bytes.remaining();
        }

        @Override
        public byte getByte() {
            return bytes.get();
        }

        @Override
        public int getInt() {
            return bytes.getInt();
        }

        @Override
        public long getLong() {
            return bytes.getLong();
        }

        @Override
        public double getDouble() {
            return bytes.getDouble();
        }

        @Override
        public void getBytes(byte[] target, int offset, int count) {
            bytes.get(target, offset, count);
        }
    }
}
