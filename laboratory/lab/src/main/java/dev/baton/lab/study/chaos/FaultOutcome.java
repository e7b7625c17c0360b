package dev.baton.lab.study.chaos;

/**
 * What one fault did. Immutable, thread-safe.
 *
 * @param fault as it was drawn
 * @param atMillis since the set-up began
 * @param recoveryNanos from the fault to the first message out that was sent after it; 0: none came in time
 * @param stallNanos the longest time without a message at the outlet, from the fault to the end of its repair
 * @param remark something out of the ordinary; null when there was nothing
 */
public record FaultOutcome(Fault fault, long atMillis, long recoveryNanos, long stallNanos, String remark) {
    /** Whether messages came out again. */
    public boolean isSurvived() {
        return recoveryNanos > 0;
    }
}
