package dev.baton.lab.study.window;

import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.TickingService;
import dev.baton.measuring.Counter;

/**
 * Aggregates events by key, and emits the window that ends with each watermark, from ticks and as fast as there is room.
 *
 * <p>A watermark that comes while the window before is still being emitted has to wait, and everything behind it. A service
 * refuses an input by throwing: it is not consumed then and comes again in the next sweep, so the topic before it fills up
 * and its source has to wait, who charges that to the slots. The exception is one object without a stack: a refusal
 * allocates nothing.
 *
 * <p>Confined to its loop, but for {@link #events}, and for who has seen the loop end.
 */
final class WindowService implements TickingService {
    /** Not now. */
    static final class StillEmitting extends Exception {
        private static final long serialVersionUID = 1L;

        private StillEmitting() {
            super("the window before is still being emitted", null, false, false);
        }
    }

    private static final StillEmitting STILL_EMITTING = new StillEmitting();

    final WindowState state;
    final Counter events = new Counter(); // counted so far
    private int step;
    private long endNanos;

    WindowService(WindowState state) {
        this.state = state;
    }

    @Override
    public void onMessage(Message in, Outlet out) throws StillEmitting {
        if (in.type() != Wire.EVENT && state.isEmitting()) {
            throw STILL_EMITTING;
        }
        try {
            take(in);
        } catch (RuntimeException bug) {
            throw new AssertionError("message " + in.sequence() + " cannot be counted", bug); // not to be retried
        }
    }

    private void take(Message in) {
        if (in.type() == Wire.EVENT) {
            state.add(Wire.eventKey(in), Wire.eventValue(in), in.originNanos());
            events.increment();
            return;
        }
        step = in.type();
        endNanos = in.originNanos();
        state.endStep();
    }

    /** All outputs come from ticks. */
    @Override
    public int maxOutputs() {
        return 0;
    }

    @Override
    public int onTick(Outlet out) {
        return state.isEmitting() ? state.emit(out, step, endNanos) : 0;
    }

    /** Returns the present time while there is something to emit, as new room does not wake a loop. */
    @Override
    public long deadlineNanos() {
        return state.isEmitting() ? System.nanoTime() : Long.MAX_VALUE;
    }
}
