package dev.baton.lab.request;

import dev.baton.operations.settings.Range;
import java.util.Objects;

/**
 * Where the processes that share a trial wait for each other, so that all of them measure at the same time.
 *
 * @param directory exists, and is this trial's alone; each process leaves a file named by its id in it
 * @param processes that are expected
 */
public record Meeting(String directory, int processes) {
    /** A bound that a typing mistake meets before the machine does. */
    public static final int MOST_PROCESSES = 64;

    public Meeting {
        Objects.requireNonNull(directory, "directory");
        Range.check("processes", processes, 1, MOST_PROCESSES);
    }
}
