package dev.baton.benchmark.command;

import dev.baton.benchmark.launch.Interruption;
import dev.baton.benchmark.launch.Refusal;

/** What the shell learns about the end of a command. Stateless, thread-safe. */
public final class ExitCode {
    /** It was measured, and nothing was wrong with it. */
    public static final int OK = 0;

    /** It was measured and failed: something lost, duplicated, out of order or altered. */
    public static final int FAILED = 1;

    /** What was typed cannot be done. */
    public static final int USAGE = 2;

    /** The machine, a disk or a broker does not allow it. */
    public static final int ENVIRONMENT = 3;

    /** What was asked could not be settled: the budget ran out, or the machine spoilt every trial. */
    public static final int UNSETTLED = 4;

    /** Ctrl-C. */
    public static final int INTERRUPTED = Interruption.EXIT_STATUS;

    private ExitCode() {}

    static int of(Refusal refusal) {
        return switch (refusal.kind()) {
            case USAGE -> USAGE;
            case ENVIRONMENT -> ENVIRONMENT;
            case FAILURE -> FAILED;
        };
    }
}
