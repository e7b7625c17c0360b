package dev.baton.lab.results;

import java.nio.file.Path;
import java.util.List;

/**
 * The content of a results folder. Immutable, thread-safe.
 *
 * @param folder that was read
 * @param experiment null when its file is missing or cannot be read
 * @param trials complete ones, in the order in which they ran; one whose interval log is missing or altered is without it ({@code hlog}
 * null)
 * @param complaints one sentence for each file that is missing, cannot be read or was altered; empty for none
 */
public record ReadExperiment(Path folder, Experiment experiment, List<TrialResult> trials, List<String> complaints) {
    public ReadExperiment {
        trials = List.copyOf(trials);
        complaints = List.copyOf(complaints);
    }
}
