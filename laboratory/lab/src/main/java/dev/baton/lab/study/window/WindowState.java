package dev.baton.lab.study.window;

import dev.baton.Outlet;

/**
 * The totals of one part: of the current step, of the steps that the window covers, and of the window itself. While a window is being
 * emitted the next step continues, but does not end. Confined to the loop of its service.
 */
interface WindowState {
    /** Adds an event to the current step. @param slotNanos when it was due, no earlier than the one before */
    void add(int key, int value, long slotNanos);

    /** Ends the current step: the window that ends with it is to be emitted. Not to be called during an emission. */
    void endStep();

    /** {@return whether keys of the last window are still to be emitted} */
    boolean isEmitting();

    /** Emits keys that have not been emitted yet, as many as there is room for. @return how many */
    int emit(Outlet out, int step, long endNanos);
}
