package dev.baton.benchmark.command;

import dev.baton.benchmark.density.Contender;
import dev.baton.benchmark.density.Finding;

/** What a search's end means to a shell. Stateless, thread-safe. */
final class DensityExit {
    private DensityExit() {}

    static int of(Contender contender) {
        if (contender.refusal() != null) {
            return ExitCode.of(contender.refusal());
        }
        Finding.End end = contender.finding().end();
        if (contender.stop() != null || end == null || end == Finding.End.INCONCLUSIVE) {
            return ExitCode.UNSETTLED;
        }
        return end == Finding.End.NONE ? ExitCode.FAILED : ExitCode.OK;
    }
}
