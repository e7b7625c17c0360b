package dev.baton.lab.study.window;

import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.trial.Window;
import dev.baton.measuring.RecorderPool;

/**
 * What source, service and sink of one part of the job have in common. The schedule is made when the window has started:
 * by then its moments are set, and never change again where a part looks. {@link #schedule} and {@link #expected} are for
 * any thread from then on.
 */
final class Part {
    private final int index;
    private final TrialPlan plan;
    private final WindowStudy study;
    private final Window window;
    private final RecorderPool recorders;
    private final StepBoard board;
    private final KeyStream keys;
    private EventSchedule schedule; // guarded by this, like the next one; null until the window has started
    private Expected expected;

    /** @param index from 0; people count from 1 */
    Part(int index, TrialPlan plan, Window window, RecorderPool recorders, StepBoard board) {
        this.index = index;
        this.plan = plan;
        this.study = (WindowStudy) plan.study();
        this.window = window;
        this.recorders = recorders;
        this.board = board;
        keys = new KeyStream(
                plan.load().seed(),
                index,
                KeyStream.share(study.keys(), index, plan.shape().instances()));
    }

    int index() {
        return index;
    }

    Window window() {
        return window;
    }

    RecorderPool recorders() {
        return recorders;
    }

    StepBoard board() {
        return board;
    }

    KeyStream keys() {
        return keys;
    }

    /** Empty counts of this part's keys. */
    WindowState newState() {
        return switch (study.state()) {
            case BOXED -> new BoxedState(keys.keys(), study.frames());
            case PRIMITIVE ->
                new PrimitiveState(keys.keys(), study.frames(), StateSize.mostPerStep(plan.load(), study.stepNanos()));
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
}
