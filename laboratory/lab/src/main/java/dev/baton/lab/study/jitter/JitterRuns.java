package dev.baton.lab.study.jitter;

import dev.baton.lab.reporting.Remarks;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.terminal.Units;
import java.time.Duration;
import java.util.List;

/** The names, questions and results of the runs of {@code baton jitter}. Stateless, thread-safe. */
final class JitterRuns {
    private JitterRuns() {}

    static JitterStudy study(TrialResult run) {
        return (JitterStudy) run.plan().study();
    }

    /** Returns the findings of a run; null when it ended before it had any. */
    static JitterFindings findings(TrialResult run) {
        return run.findings() instanceof JitterFindings found ? found : null;
    }

    /** {@return the interval as given on the command line, with its value if that is not obvious: {@code default (1s)}} */
    static String name(TrialResult run) {
        String words = study(run).safepoints();
        Long millis = millis(run);
        boolean isPlain = millis == null || words.equals("off") || Character.isDigit(words.charAt(0));
        return isPlain ? words : words + " (" + (millis == 0 ? "off" : Units.typed(Duration.ofMillis(millis))) + ")";
    }

    /** The interval in effect; null when it is unknown. */
    static Long millis(TrialResult run) {
        JitterFindings found = findings(run);
        if (found != null && found.intervalMillis() != null) {
            return found.intervalMillis();
        }
        return study(run).safepoints().equals("default") ? study(run).jvmDefaultMillis() : null;
    }

    /** Returns the runs with findings. */
    static List<TrialResult> complete(List<TrialResult> runs) {
        return runs.stream().filter(run -> findings(run) != null).toList();
    }

    /** {@return the transport of the messages, and the JVM} */
    static String engine(TrialResult run) {
        return Remarks.onEngine(run).replaceFirst("^engine \\S+, \\S+, ", "a producer and an accumulator, ")
                + (study(run).isPinned() ? ", pinned" : ", not pinned");
    }
}
