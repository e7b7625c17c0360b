package dev.baton.lab.study.density;

import dev.baton.operations.line.ExitCode;

/** What a search's end means to a shell. Stateless, thread-safe. */
final class DensityExit {
    private DensityExit() {}

    /** @param isQuick whether exploratory trials were asked for, so that an answer may be provisional */
    static int of(Contender contender, boolean isQuick) {
        if (contender.refusal() != null) {
            return ExitCode.of(contender.refusal());
        }
        Finding.End end = contender.finding().end();
        if (contender.stop() != null || end == null || end == Finding.End.INCONCLUSIVE) {
            return ExitCode.INCONCLUSIVE;
        }
        if (end == Finding.End.NONE) {
            return ExitCode.FAILED;
        }
        return isQuick || contender.provisional().isEmpty() ? ExitCode.OK : ExitCode.INCONCLUSIVE;
    }
}
