package dev.baton.lab.study.window;

import dev.baton.lab.results.Findings;
import dev.baton.measuring.data.Latency;

/**
 * What a sliding window was found to do beyond its response, which is the time from the window's end until its emission
 * has begun: one value for each measured step, in all figures here. Immutable, thread-safe.
 *
 * @param completion from the window's end until its last key was emitted
 * @param steps measured
 * @param foreignStalls over 10 ms each, that the trial had no part in
 * @param responseWithout the response without the steps that overlap one of them
 * @param completionWithout the completion without those steps
 * @param stateBytes that the totals were expected to take
 */
public record WindowFindings(
        Latency completion,
        long steps,
        int foreignStalls,
        Latency responseWithout,
        Latency completionWithout,
        long stateBytes)
        implements Findings {}
