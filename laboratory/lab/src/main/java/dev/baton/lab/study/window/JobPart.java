package dev.baton.lab.study.window;

import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.trial.ends.Window;
import dev.baton.measuring.Mix;
import dev.baton.measuring.NanoClock;
import dev.baton.measuring.RecorderPool;

/**
 * One part of the job from its source to its sink, which is a separate chain, and their common data. Any thread may read its counts, which
 * are exact once its threads have ended.
 *
 * <p>The schedule is created when the window has started: its times are then fixed.
 */
final class JobPart {
    final int index;
    final Window window;
    final RecorderPool recorders;
    final StepBoard board;
    final KeyStream keys;
    final EventSource source;
    final WindowService service;
    final StepSink sink;

    private final TrialPlan plan;
    private final WindowStudy study;
    final Expected expected;
    private EventSource.EventSchedule schedule; // guarded by this; null until the window has started

    /**
     * Creates a part.
     *
     * @param index from 0; people count from 1
     */
    JobPart(
            int index,
            TrialPlan plan,
            WindowStudy study,
            Window window,
            RecorderPool recorders,
            StepBoard board,
            NanoClock clock) {
        this.index = index;
        this.plan = plan;
        this.study = study;
        this.window = window;
        this.recorders = recorders;
        this.board = board;
        expected = new Expected(study.frames(), board.steps());
        keys = new KeyStream(
                plan.load().seed(),
                index,
                KeyStream.share(study.keys(), index, plan.shape().instances()),
                study.keyOrder());
        source = new EventSource(this, clock);
        service = new WindowService(newState());
        sink = new StepSink(this, clock);
    }

    /** Events sent, and the results that are due for the steps announced. */
    long sentItems() {
        return source.sent.count() + (long) source.announced * keys.keys();
    }

    /** Events counted, and results received. */
    long deliveredItems() {
        return service.events.count() + sink.received.count();
    }

    /** {@return whether everything due was sent, counted, emitted and received} */
    boolean isDone() {
        return source.isDone
                && service.events.count() == source.sent.count()
                && sink.completed.count() == source.announced;
    }

    Amounts amounts() {
        return new Amounts(study.aggregate(), keys.keys());
    }

    private WindowState newState() {
        return switch (study.state()) {
            case BOXED -> new BoxedState(study.aggregate(), keys.keys(), study.frames());
            case PRIMITIVE ->
                new PrimitiveState(
                        study.aggregate(), keys.keys(), study.frames(), WindowHeap.mostEvents(study, plan.load()));
        };
    }

    synchronized EventSource.EventSchedule schedule() {
        if (schedule == null) {
            schedule = new EventSource.EventSchedule(
                    window.startNanos(), index, plan.shape().instances(), plan.load(), study.stepNanos());
        }
        return schedule;
    }

    /** The keys and values of one part's events, known by seed and number. Immutable, thread-safe. */
    record KeyStream(long seed, int keys, WindowStudy.KeyOrder order) {
        private static final long SPREAD = 0x9E3779B97F4A7C15L;
        private static final int VALUE_SHIFT = 54;

        /**
         * Creates the keys.
         *
         * @param keys of this part: 0 to one less
         */
        KeyStream(long seed, int part, int keys, WindowStudy.KeyOrder order) {
            this(Mix.of(seed, part), keys, order);
        }

        int of(long number) {
            if (order == WindowStudy.KeyOrder.IN_ORDER) {
                return (int) (number % keys);
            }
            return (int) ((Mix.of(seed, number) >>> Integer.SIZE) * keys >>> Integer.SIZE);
        }

        /** The value of an event, 0 to 1,023. */
        int valueOf(long number) {
            return (int) ((seed + number) * SPREAD >>> VALUE_SHIFT);
        }

        /** The keys of part {@code index} when {@code keys} are dealt to so many parts: the first ones have one more. */
        static int share(int keys, int index, int parts) {
            return keys / parts + (index < keys % parts ? 1 : 0);
        }
    }

    /**
     * The sums that a part's windows have to have, computed independently of the service: before the source sends the watermark of a step,
     * it records the sum of all events up to the step's end. So a wrong total is detected, and a total with another key as well. Written by
     * the source's thread, read by the sink's for steps whose results it has. Overflows cancel each other.
     */
    record Expected(int frames, long[] totals, long[] weights) {
        /**
         * Creates the sums.
         *
         * @param frames steps that the window covers
         */
        Expected(int frames, int steps) {
            this(frames, new long[steps + 1], new long[steps + 1]); // of all events up to each step's end
        }

        /** Returns the weight of a key's total. */
        static long weightOf(int key) {
            return key + 1L;
        }

        /** Records the sum of all events up to a step's end, and its weighted sum. */
        void note(int step, long total, long weight) {
            totals[step] = total;
            weights[step] = weight;
        }

        /** The totals of all keys in the window that ends with a step. */
        long total(int step) {
            return totals[step] - totals[before(step)];
        }

        /** {@return the weighted sum of these totals} */
        long weight(int step) {
            return weights[step] - weights[before(step)];
        }

        private int before(int step) {
            return Math.max(0, step - frames);
        }
    }
}
