package dev.baton.lab.study.window;

import dev.baton.lab.results.Findings;
import dev.baton.measuring.data.Latency;

/**
 * The additional findings of a sliding window. Its response is the time from the window's end until its emission has begun: one value for
 * each measured step, in all figures here. Immutable, thread-safe.
 *
 * @param completion from the window's end until its last key was emitted
 * @param steps measured
 * @param foreignStalls over 10 ms each, with a cause outside of the trial
 * @param responseWithout the response without the steps that overlap one of them
 * @param completionWithout the completion without those steps
 * @param stateBytes expected size of the totals
 */
public record WindowFindings(
        Latency completion,
        long steps,
        int foreignStalls,
        Latency responseWithout,
        Latency completionWithout,
        long stateBytes)
        implements Findings {}
