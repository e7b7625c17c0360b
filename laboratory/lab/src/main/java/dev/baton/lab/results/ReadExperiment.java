package dev.baton.lab.results;

import java.nio.file.Path;
import java.util.List;

/**
 * What a results folder was found to hold. Immutable, thread-safe.
 *
 * @param folder that was read
 * @param experiment null when its file is missing or cannot be read
 * @param trials those that are whole, in the order in which they ran; one whose interval log is missing or altered comes
 *     without it ({@code hlog} null)
 * @param complaints one sentence for each file that is missing, cannot be read or was altered; empty when all is well
 */
public record ReadExperiment(Path folder, Experiment experiment, List<TrialResult> trials, List<String> complaints) {
    public ReadExperiment {
        trials = List.copyOf(trials);
        complaints = List.copyOf(complaints);
    }
}
