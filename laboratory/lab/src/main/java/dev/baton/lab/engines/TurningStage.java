package dev.baton.lab.engines;

/** A loop: looks for messages, and rests when there are none. */
abstract class TurningStage implements Stage {
    private final Pause pause;
    private volatile boolean isAtEnd;

    /** @param pause null when looking for messages waits for them */
    TurningStage(Pause pause) {
        this.pause = pause;
    }

    @Override
    public final void run(StopSignal stop) {
        for (int state = stop.state(); state != StopSignal.SET; state = stop.state()) {
            if (turn()) {
                continue;
            }
            if (state == StopSignal.DRAINING && !isAtEnd) {
                isAtEnd = hasTakenAll();
            }
            if (pause != null) {
                pause.rest();
            }
        }
    }

    @Override
    public final boolean isAtEnd() {
        return isAtEnd;
    }

    /** Whether a turn that found nothing means that there is nothing. */
    boolean hasTakenAll() {
        return true;
    }

    /** Takes what is there. @return false when nothing was */
    abstract boolean turn();
}
