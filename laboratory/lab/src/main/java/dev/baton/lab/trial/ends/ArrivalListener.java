package dev.baton.lab.trial.ends;

/** Receives every message that arrives for the first time, after it was recorded. Called by the thread that receives. */
@FunctionalInterface
public interface ArrivalListener {
    /** A listener that does nothing. */
    ArrivalListener NONE = (slotNanos, sendDelayNanos, responseNanos) -> {};

    /**
     * A message has arrived; allocates nothing and returns at once.
     *
     * @param slotNanos when it was due, on {@link System#nanoTime}'s clock; of the warm-up as well
     * @param sendDelayNanos how long after that it was sent
     * @param responseNanos how long after that it arrived
     */
    void onArrival(long slotNanos, long sendDelayNanos, long responseNanos);
}
