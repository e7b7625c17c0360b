package dev.baton.lab.engines;

/** A loop: looks for messages, and rests when there are none. */
abstract class TurningStage implements Stage {
    private final Pause pause;

    /** @param pause null when looking for messages waits for them */
    TurningStage(Pause pause) {
        this.pause = pause;
    }

    @Override
    public final void run(StopSignal stop) {
        while (!stop.isSet()) {
            if (!turn() && pause != null) {
                pause.rest();
            }
        }
    }

    /** Takes what is there. @return false when nothing was */
    abstract boolean turn();
}
