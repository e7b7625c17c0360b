package dev.baton.lab.trial;

import dev.baton.lab.trial.ends.Window;

/** Windows for tests of what looks at them. */
public final class StartedWindow {
    private StartedWindow() {}

    public static Window at(long startNanos, long warmupNanos, long measuredNanos, long drainNanos) {
        Window window = new Window(Window.LEAST_GRACE_NANOS);
        window.start(startNanos, warmupNanos, measuredNanos, drainNanos);
        return window;
    }

    /** As an interruption does. */
    public static void cut(Window window, long nowNanos, long drainNanos) {
        window.cut(nowNanos, drainNanos);
    }
}
