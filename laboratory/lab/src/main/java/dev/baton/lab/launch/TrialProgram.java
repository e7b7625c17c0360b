package dev.baton.lab.launch;

import java.util.List;

/**
 * The program that the JVM of a trial runs. Immutable, thread-safe.
 *
 * @param main class whose one argument is the file of a {@link dev.baton.lab.request.PlacedTrial}
 * @param ownFlags of its JVM and of those of the trial's services, behind those of the trial
 */
public record TrialProgram(Class<?> main, List<String> ownFlags) {
    public TrialProgram {
        ownFlags = List.copyOf(ownFlags);
    }

    public TrialProgram(Class<?> main) {
        this(main, List.of());
    }
}
