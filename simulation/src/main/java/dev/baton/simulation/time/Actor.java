package dev.baton.simulation.time;

import dev.baton.run.Environment;

/**
 * One simulated thread: a loop, whose turns run inline on the thread that runs the scheduler, or a script, which has a carrier thread for
 * itself so that it can wait within a step. Changed by the carrier that runs.
 */
public final class Actor {
    /** The thread that core sees: never started, an identity only. */
    static final class Identity extends Thread {
        final Actor actor;

        Identity(Actor actor, String name) {
            super(null, null, name, 0, false);
            this.actor = actor;
        }
    }

    final int number;
    public final String name;
    public final SimProcess process;
    final Environment.Worker worker;
    public final boolean isScript;
    public final Identity thread;

    long wakeAt; // may go on from here on
    boolean hasPermit; // unparked
    boolean hasParked; // in the turn in progress, at its end
    public boolean isDone;
    Carrier carrier; // whose stack holds it in the middle of a step; null: between two turns
    Actor joiner; // waits for its end
    int turns;

    Actor(int number, String name, SimProcess process, boolean isScript, Environment.Worker worker) {
        this.number = number;
        this.name = name;
        this.process = process;
        this.isScript = isScript;
        this.worker = worker;
        this.thread = new Identity(this, name);
    }

    boolean isRunnable(long now) {
        return !isDone
                && (hasPermit || wakeAt <= now)
                && process.pausedUntil <= now
                && (carrier == null || carrier.top == this);
    }

    /** {@return whether its next step may wait before its end, and so needs a carrier} */
    boolean needsCarrier() {
        return isScript || process.hasSlowOpens && (turns == 0 || hasPermit);
    }

    @Override
    public String toString() {
        return name;
    }
}
