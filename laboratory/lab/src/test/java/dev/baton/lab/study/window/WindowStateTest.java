package dev.baton.lab.study.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Claim;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.lab.study.window.WindowStudy.State;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Both states against counting all over again, with steps of all sizes and room that comes and goes. */
class WindowStateTest {
    private static final int MOST_PER_STEP = 50;

    @ParameterizedTest
    @CsvSource({
        "BOXED, 1, 1", "BOXED, 7, 3", "BOXED, 30, 1", "BOXED, 1500, 4",
        "PRIMITIVE, 1, 1", "PRIMITIVE, 7, 3", "PRIMITIVE, 30, 1", "PRIMITIVE, 1500, 4"
    })
    void countsAreThoseOfTheLastSteps(State kind, int keys, int frames) {
        Random random = new Random(keys * 31L + frames);
        WindowState state = state(kind, keys, frames);
        List<int[]> steps = new ArrayList<>();
        for (int step = 1; step <= 60; step++) {
            int[] events = IntStream.range(0, random.nextInt(4) == 0 ? 0 : random.nextInt(MOST_PER_STEP + 1))
                    .map(any -> random.nextInt(keys))
                    .toArray();
            steps.add(events);
            int[] next = steps.get(steps.size() - 1);
            for (int key : next) {
                state.add(key);
            }
            state.endStep();
            int[] expected = new int[keys];
            steps.subList(Math.max(0, steps.size() - frames), steps.size())
                    .forEach(each -> IntStream.of(each).forEach(key -> expected[key]++));
            assertThat(emitted(state, keys, step, random)).as("step %d", step).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void eventsOfTheNextStepDoNotChangeTheWindowBeingEmitted(State kind) {
        WindowState state = state(kind, 3, 2);
        state.add(1);
        state.endStep();
        Catch out = new Catch(3);
        out.room = 1;
        state.emit(out, 1, 10);
        state.add(1);
        state.add(2);
        out.room = 5;
        state.emit(out, 1, 10);
        assertThat(out.counts).containsExactly(0, 1, 0);
        state.endStep();
        Catch second = new Catch(3);
        second.room = 5;
        state.emit(second, 2, 20);
        assertThat(second.counts).containsExactly(0, 2, 1);
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void aStepDoesNotEndWhileTheOneBeforeIsEmitted(State kind) {
        WindowState state = state(kind, 3, 2);
        state.endStep();
        assertThatThrownBy(state::endStep).isInstanceOf(IllegalStateException.class);
    }

    private static WindowState state(State kind, int keys, int frames) {
        return kind == State.BOXED ? new BoxedState(keys, frames) : new PrimitiveState(keys, frames, MOST_PER_STEP);
    }

    private static int[] emitted(WindowState state, int keys, int step, Random random) {
        Catch out = new Catch(keys);
        int count = 0;
        while (state.isEmitting()) {
            out.room = random.nextInt(40);
            count += state.emit(out, step, step * 10L);
        }
        assertThat(count).isEqualTo(keys);
        assertThat(out.types).allMatch(type -> type == step);
        return out.counts;
    }

    /** Notes what is committed. */
    private static final class Catch implements Outlet, Claim {
        private final int[] counts;
        private final boolean[] seen;
        private final List<Integer> types = new ArrayList<>();
        private int room;
        private long result;

        Catch(int keys) {
            counts = new int[keys];
            seen = new boolean[keys];
        }

        @Override
        public int remainingCapacity() {
            return room;
        }

        @Override
        public long sequence() {
            throw new AssertionError("a window counts its results itself");
        }

        @Override
        public Claim claim(int maxLength) {
            throw new AssertionError("a result has the origin of its window");
        }

        @Override
        public Claim claim(int maxLength, long originNanos) {
            return room == 0 ? null : this;
        }

        @Override
        public Claim claim(int maxLength, ByteBuffer key) {
            throw new AssertionError("a result has no key");
        }

        @Override
        public Claim claim(int maxLength, long originNanos, ByteBuffer key) {
            throw new AssertionError("a result has no key");
        }

        @Override
        public int maxLength() {
            return Long.BYTES;
        }

        @Override
        public ByteBuffer payload() {
            throw new AssertionError();
        }

        @Override
        public Claim putBytes(int index, ByteBuffer source, int offset, int count) {
            throw new AssertionError();
        }

        @Override
        public Claim type(int type) {
            types.add(type);
            return this;
        }

        @Override
        public Claim putByte(int index, byte value) {
            throw new AssertionError();
        }

        @Override
        public Claim putShort(int index, short value) {
            throw new AssertionError();
        }

        @Override
        public Claim putInt(int index, int value) {
            throw new AssertionError();
        }

        @Override
        public Claim putLong(int index, long value) {
            result = value;
            return this;
        }

        @Override
        public Claim putDouble(int index, double value) {
            throw new AssertionError();
        }

        @Override
        public Claim putBytes(int index, byte[] source, int offset, int count) {
            throw new AssertionError();
        }

        @Override
        public Claim putPayload(Message source) {
            throw new AssertionError();
        }

        @Override
        public long commit(int length) {
            int key = Wire.key(result);
            assertThat(seen[key]).as("key %d came before", key).isFalse();
            seen[key] = true;
            counts[key] = Wire.count(result);
            room--;
            return 1;
        }

        @Override
        public void abort() {}
    }
}
