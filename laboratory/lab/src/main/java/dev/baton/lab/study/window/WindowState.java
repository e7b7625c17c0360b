package dev.baton.lab.study.window;

import dev.baton.Outlet;

/**
 * The totals of one part: of the step in progress, of the steps that the window covers, and of the window itself. While a
 * window is being emitted the next step goes on, but does not end. Confined to the loop of its service.
 */
interface WindowState {
    /** Adds an event to the step in progress. @param slotNanos when it was due, no earlier than the one before */
    void add(int key, int value, long slotNanos);

    /** Ends the step in progress: the window that ends with it is to be emitted. Not while one still is. */
    void endStep();

    /** Whether keys of the last window are still to be emitted. */
    boolean isEmitting();

    /** Emits keys that have not been emitted yet, as many as there is room for. @return how many */
    int emit(Outlet out, int step, long endNanos);
}
