package dev.baton.lab.launch;

import dev.baton.lab.protocol.Event;
import dev.baton.lab.request.TrialPlan;

/** A listener to the progress of {@link Trials}. Called by the thread that runs them, one call at a time. */
public interface TrialListener {
    /**
     * Called before a trial starts.
     *
     * @param number from 1
     */
    void onStart(TrialPlan plan, int number, int of);

    /** A broker is being started for the trial. */
    void onBroker(TrialPlan plan);

    /** Called when its JVM was started; with several processes once for each, by its own thread. */
    default void onChild(TrialPlan plan, long pid) {}

    /** Twice a second or so. */
    void onProgress(TrialPlan plan, Event.Progress progress);

    /** Called when the trial has ended, with all of its processes. */
    void onEnd(FinishedTrial trial);
}
