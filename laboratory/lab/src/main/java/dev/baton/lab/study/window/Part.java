package dev.baton.lab.study.window;

import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.study.window.WindowStudy.KeyOrder;
import dev.baton.lab.trial.Window;
import dev.baton.measuring.Mix;
import dev.baton.measuring.NanoClock;
import dev.baton.measuring.RecorderPool;
import java.util.stream.IntStream;

/**
 * One part of the job from its source to its sink, which is a chain of its own, and what they have in common. What it
 * counts is for any thread, exact once its threads have ended.
 *
 * <p>The schedule is made when the window has started: by then its moments are set, and never change again where a part
 * looks. {@link #schedule} and {@link #expected} are for any thread from then on.
 */
final class Part {
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
    private EventSchedule schedule; // guarded by this, like the next one; null until the window has started
    private Expected expected;

    /** @param index from 0; people count from 1 */
    Part(int index, TrialPlan plan, Window window, RecorderPool recorders, StepBoard board, NanoClock clock) {
        this.index = index;
        this.plan = plan;
        this.study = (WindowStudy) plan.study();
        this.window = window;
        this.recorders = recorders;
        this.board = board;
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
        return source.sentCount() + (long) source.announcedSteps() * keys.keys();
    }

    /** Events counted, and results received. */
    long deliveredItems() {
        return service.eventCount() + sink.receivedCount();
    }

    /** Whether everything due was sent, counted, emitted and received. */
    boolean isDone() {
        return source.isDone()
                && service.eventCount() == source.sentCount()
                && sink.completedSteps() == source.announcedSteps();
    }

    /** Empty counts of this part's keys. */
    private WindowState newState() {
        return switch (study.state()) {
            case BOXED -> new BoxedState(keys.keys(), study.frames());
            case PRIMITIVE ->
                new PrimitiveState(keys.keys(), study.frames(), WindowHeap.mostPerStep(plan.load(), study.stepNanos()));
        };
    }

    synchronized EventSchedule schedule() {
        begin();
        return schedule;
    }

    synchronized Expected expected() {
        begin();
        return expected;
    }

    private void begin() {
        if (schedule == null) {
            schedule = new EventSchedule(
                    window.startNanos(),
                    index,
                    plan.shape().instances(),
                    plan.load().intervalNanos(),
                    study.stepNanos());
            expected = new Expected(schedule, study.frames(), board.steps());
        }
    }

    /** The keys of one part's events, known by seed and number. Immutable, thread-safe. */
    record KeyStream(long seed, int keys, KeyOrder order) {
        /** @param keys of this part: 0 to one less */
        KeyStream(long seed, int part, int keys, KeyOrder order) {
            this(Mix.of(seed, part), keys, order);
        }

        /** The key of an event. */
        int of(long number) {
            if (order == KeyOrder.IN_ORDER) {
                return (int) (number % keys);
            }
            return (int) ((Mix.of(seed, number) >>> Integer.SIZE) * keys >>> Integer.SIZE);
        }

        /** Counts the different keys of the first events. */
        static int distinct(KeyStream stream, int events) {
            return (int) IntStream.range(0, events).map(stream::of).distinct().count();
        }

        /** The keys of part {@code index} when {@code keys} are dealt to so many parts: the first ones have one more. */
        static int share(int keys, int index, int parts) {
            return keys / parts + (index < keys % parts ? 1 : 0);
        }
    }

    /**
     * What a part's windows have to add up to, found without the service that counts: how many events a window holds follows
     * from the schedule, and what their keys add up to the source has noted at each step's end, before it sent the watermark.
     * So a count that is wrong shows, and a count that stands with another key, too. Written by the source's thread, read by
     * the sink's for steps whose results it has.
     */
    record Expected(EventSchedule schedule, int frames, long[] weights) {
        /** @param frames steps that the window covers */
        Expected(EventSchedule schedule, int frames, int steps) {
            this(schedule, frames, new long[steps + 1]); // of all events up to each step's end
        }

        /** What a key counts for. */
        static long weightOf(int key) {
            return key + 1L;
        }

        /** Notes what the keys of all events up to a step's end weigh. */
        void weighed(int step, long weight) {
            weights[step] = weight;
        }

        /** Events of the window that ends with a step. */
        long events(int step) {
            return schedule.eventsIn(step, frames);
        }

        /** What their keys weigh. */
        long weight(int step) {
            return weights[step] - weights[Math.max(0, step - frames)];
        }
    }
}
