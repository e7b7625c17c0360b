package dev.baton.lab.study.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Claim;
import dev.baton.Message;
import dev.baton.MessageFields;
import dev.baton.Outlet;
import dev.baton.lab.study.window.WindowStudy.Aggregate;
import dev.baton.lab.study.window.WindowStudy.State;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Both states against counting all over again, with steps of all sizes and room that comes and goes. */
class WindowStateTest {
    private static final int MOST_PER_STEP = 50;

    /** An event as it was, to be aggregated all over again. */
    private record Event(int key, int value, long slotNanos) {}

    static List<Arguments> jobs() {
        List<Arguments> jobs = new ArrayList<>();
        for (State state : State.values()) {
            for (Aggregate aggregate : Aggregate.values()) {
                for (int[] size : new int[][] {{1, 1}, {7, 3}, {30, 1}, {1_500, 4}}) {
                    jobs.add(Arguments.of(state, aggregate, size[0], size[1]));
                }
            }
        }
        return jobs;
    }

    @ParameterizedTest
    @MethodSource("jobs")
    void totalsAreThoseOfTheLastSteps(State kind, Aggregate aggregate, int keys, int frames) {
        Random random = new Random(keys * 31L + frames);
        WindowState state = state(kind, aggregate, keys, frames);
        List<Event> all = new ArrayList<>();
        List<Integer> ends = new ArrayList<>(List.of(0)); // of each step among all events
        long now = Long.MAX_VALUE - 5_000; // the clock wraps around meanwhile
        for (int step = 1; step <= 60; step++) {
            int count = random.nextInt(4) == 0 ? 0 : random.nextInt(MOST_PER_STEP + 1);
            for (int i = 0; i < count; i++) {
                now += random.nextInt(100);
                Event event = new Event(random.nextInt(keys), random.nextInt(1_024), now);
                all.add(event);
                state.add(event.key(), event.value(), event.slotNanos());
            }
            state.endStep();
            ends.add(all.size());
            long[] expected = totals(aggregate, all, ends.get(Math.max(0, step - frames)), keys);
            assertThat(emitted(state, keys, step, random)).as("step %d", step).isEqualTo(expected);
        }
    }

    /** Of each key, of the events from this one on. */
    private static long[] totals(Aggregate aggregate, List<Event> all, int first, int keys) {
        long[] totals = new long[keys];
        for (int i = first; i < all.size(); i++) {
            Event event = all.get(i);
            totals[event.key()] += switch (aggregate) {
                case COUNT -> 1;
                case SUM -> event.value();
                case TIME_INTEGRAL -> {
                    Event before = null;
                    for (int j = i - 1; j >= 0 && before == null; j--) {
                        before = all.get(j).key() == event.key() ? all.get(j) : null;
                    }
                    yield before == null ? 0 : before.value() * (event.slotNanos() - before.slotNanos());
                }
            };
        }
        return totals;
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void nextStepDoesNotChangeEmittedWindow(State kind) {
        WindowState state = state(kind, Aggregate.COUNT, 3, 2);
        state.add(1, 5, 1);
        state.endStep();
        Catch out = new Catch(3);
        out.room = 1;
        state.emit(out, 1, 10);
        state.add(1, 5, 2);
        state.add(2, 5, 3);
        out.room = 5;
        state.emit(out, 1, 10);
        assertThat(out.totals).containsExactly(0, 1, 0);
        state.endStep();
        Catch second = new Catch(3);
        second.room = 5;
        state.emit(second, 2, 20);
        assertThat(second.totals).containsExactly(0, 2, 1);
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void stepDoesNotEndDuringEmission(State kind) {
        WindowState state = state(kind, Aggregate.COUNT, 3, 2);
        state.endStep();
        assertThatThrownBy(state::endStep).isInstanceOf(IllegalStateException.class);
    }

    private static WindowState state(State kind, Aggregate aggregate, int keys, int frames) {
        return kind == State.BOXED
                ? new BoxedState(aggregate, keys, frames)
                : new PrimitiveState(aggregate, keys, frames, (frames + 1) * MOST_PER_STEP);
    }

    private static long[] emitted(WindowState state, int keys, int step, Random random) {
        Catch out = new Catch(keys);
        int count = 0;
        while (state.isEmitting()) {
            out.room = random.nextInt(40);
            count += state.emit(out, step, step * 10L);
        }
        assertThat(count).isEqualTo(keys);
        assertThat(out.types).allMatch(type -> type == step);
        return out.totals;
    }

    /** Notes what is committed. */
    private static final class Catch implements Outlet, Claim {
        private final long[] totals;
        private final boolean[] seen;
        private final List<Integer> types = new ArrayList<>();
        private int room;
        private long total;
        private int key;

        Catch(int keys) {
            totals = new long[keys];
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
        public Claim claim(int maxLength, ByteBuffer key) {
            throw new AssertionError("a result has no key");
        }

        @Override
        public Claim claim(int maxLength, MessageFields fields) {
            return room == 0 ? null : this;
        }

        @Override
        public int maxLength() {
            return Wire.RESULT_BYTES;
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
            key = value;
            return this;
        }

        @Override
        public Claim putLong(int index, long value) {
            total = value;
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
            assertThat(seen[key]).as("key %d came before", key).isFalse();
            seen[key] = true;
            totals[key] = total;
            room--;
            return 1;
        }

        @Override
        public void abort() {}
    }
}
