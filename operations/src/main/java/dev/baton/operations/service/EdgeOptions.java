package dev.baton.operations.service;

import dev.baton.Deployment.ReplacedInput;
import dev.baton.Deployment.UnreadableFrames;
import dev.baton.operations.line.Checks;
import dev.baton.state.SnapshotPolicy;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Option;

/** Behaviour of services at the start and at the end of a run: options of {@code baton service}. */
final class EdgeOptions {
    private static final Duration SHORTEST = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofHours(24);

    @Option(
            names = "--replaced-input",
            paramLabel = "refuse|handle-all",
            hideParamSyntax = true,
            defaultValue = "refuse",
            description =
                    "if the topic that a service reads was deleted and created again, restored or cut off: refuse: end with exit"
                            + " code 2; handle-all: handle every unacknowledged message (default: ${DEFAULT-VALUE})")
    private String replacedInput;

    @Option(
            names = "--on-unreadable",
            paramLabel = "stop|skip|dead-letter",
            hideParamSyntax = true,
            defaultValue = "stop",
            description =
                    "stop|skip|dead-letter: when a topic contains a damaged record, or one that is no frame of Baton:"
                            + " stop; skip, count and log it; or write it to the dead-letter topic and skip it"
                            + " (default: ${DEFAULT-VALUE})")
    private String unreadable;

    @Option(
            names = "--snapshots",
            paramLabel = "TIME",
            description = "interval at which services with state save it, 10ms to 24h (default: 10s)")
    private Duration snapshots;

    @Option(
            names = "--start-empty",
            description =
                    "a service with state whose snapshots are missing, or that had no state in its last build, begins"
                            + " with an empty state instead of ending with 2")
    private boolean startsEmpty;

    ServicePlan.Edges choices() {
        return new ServicePlan.Edges(
                Checks.known("--replaced-input", replacedInput, List.of(ReplacedInput.values())),
                Checks.known("--on-unreadable", unreadable, List.of(UnreadableFrames.values())));
    }

    /** {@return the policy of snapshots for services that have a state} */
    SnapshotPolicy snapshots() {
        SnapshotPolicy policy = SnapshotPolicy.standard();
        if (snapshots != null) {
            Checks.time("--snapshots", snapshots, SHORTEST, LONGEST);
            policy = SnapshotPolicy.every(snapshots);
        }
        return startsEmpty ? policy.startEmpty() : policy;
    }
}
