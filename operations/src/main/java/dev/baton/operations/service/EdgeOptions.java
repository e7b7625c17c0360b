package dev.baton.operations.service;

import dev.baton.ReplacedInput;
import dev.baton.SnapshotPolicy;
import dev.baton.UnreadableFrames;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.TimeConverter;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** What services do where a run begins or ends: options of {@code baton service}. */
final class EdgeOptions {
    private static final Duration SHORTEST = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofHours(24);

    @Option(
            names = "--replaced-input",
            paramLabel = "refuse|handle-all",
            hideParamSyntax = true,
            defaultValue = "refuse",
            description =
                    "refuse|handle-all: when the topic that a service reads was deleted and created again, restored"
                            + " or cut off: end with 2, or handle every message that it holds now (default: ${DEFAULT-VALUE})")
    private String replacedInput;

    @Option(
            names = "--on-unreadable",
            paramLabel = "stop|skip|dead-letter",
            hideParamSyntax = true,
            defaultValue = "stop",
            description =
                    "stop|skip|dead-letter: when a topic holds a record that is no frame of Baton's, or a damaged one:"
                            + " stop; step over it, count it and log it; or write it to the dead-letter topic before that"
                            + " (default: ${DEFAULT-VALUE})")
    private String unreadable;

    @Option(
            names = "--snapshots",
            paramLabel = "TIME",
            converter = TimeConverter.class,
            description = "services with state save it every so often, 10ms to 24h (default: 10s)")
    private Duration snapshots;

    @Option(
            names = "--start-empty",
            description =
                    "a service with state whose snapshots are gone, or that had none in its last build, begins with"
                            + " an empty one instead of ending with 2")
    private boolean startsEmpty;

    @Option(names = "--summing-state", hidden = true, description = "service N of --summing saves its state instead")
    private boolean isSumSaved;

    @Option(
            names = "--summing",
            paramLabel = "N",
            hidden = true,
            description = "service N adds up " + SumOfNumbers.INPUTS + " messages at a time and holds them meanwhile")
    private BigDecimal summing;

    @Option(names = "--failing", paramLabel = "N", hidden = true, description = "service N gives up on some messages")
    private BigDecimal failing;

    ServicePlan.Edges choices() {
        return new ServicePlan.Edges(
                one("--replaced-input", replacedInput, ReplacedInput.values()),
                one("--on-unreadable", unreadable, UnreadableFrames.values()));
    }

    /** How services keep what they have of their inputs. */
    ServicePlan.State state() {
        SnapshotPolicy policy = SnapshotPolicy.standard();
        if (snapshots != null) {
            Checks.time("--snapshots", snapshots, SHORTEST, LONGEST);
            policy = SnapshotPolicy.every(snapshots);
        }
        return new ServicePlan.State(startsEmpty ? policy.startEmpty() : policy, isSumSaved);
    }

    /** The service that adds its inputs up; 0: none does. */
    int summing(int services) {
        return summing == null ? 0 : Checks.integer("--summing", summing, 1, services);
    }

    /** The service that gives up on some messages; 0: none does. */
    int failing(int services) {
        return failing == null ? 0 : Checks.integer("--failing", failing, 1, services);
    }

    private static <E extends Enum<E>> E one(String option, String typed, E[] known) {
        return Arrays.stream(known)
                .filter(each -> typed(each).equals(typed))
                .findFirst()
                .orElseThrow(() -> CommandException.usage(option + " " + typed + "; known: "
                        + Arrays.stream(known).map(EdgeOptions::typed).collect(Collectors.joining(", "))));
    }

    private static String typed(Enum<?> each) {
        return each.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
