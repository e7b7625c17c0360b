package dev.baton.lab.launch;

import dev.baton.lab.protocol.Event;
import dev.baton.lab.request.TrialPlan;

/** Hears how {@link Trials} get on. Called by the thread that runs them, one call at a time. */
public interface TrialListener {
    /** @param number from 1 */
    void onStart(TrialPlan plan, int number, int of);

    /** A broker is being started for the trial. */
    void onBroker(TrialPlan plan);

    /** Its JVM was started; with several processes once for each, by a thread of its own. */
    default void onChild(TrialPlan plan, long pid) {}

    /** Twice a second or so. */
    void onProgress(TrialPlan plan, Event.Progress progress);

    /** The trial is over, its processes are gone. */
    void onEnd(FinishedTrial trial);
}
