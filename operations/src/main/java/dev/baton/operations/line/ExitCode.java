package dev.baton.operations.line;

/** Exit codes of all commands. Stateless, thread-safe. */
public final class ExitCode {
    /** It was measured, and nothing was wrong with it. */
    public static final int OK = 0;

    /** It was measured and failed: something lost, duplicated, out of order or altered. */
    public static final int FAILED = 1;

    /** The command line is wrong. */
    public static final int USAGE = 2;

    /** The machine, a disk or a broker does not allow it. */
    public static final int ENVIRONMENT = 3;

    /** Inconclusive: the budget ran out, or the machine disturbed the measurement. */
    public static final int INCONCLUSIVE = 4;

    /** Ctrl-C. */
    public static final int INTERRUPTED = Interruption.EXIT_STATUS;

    private ExitCode() {}

    /** Returns the more severe of two codes: a fault found is more severe than an inconclusive end. */
    public static int graver(int one, int other) {
        return rank(one) >= rank(other) ? one : other;
    }

    private static int rank(int code) {
        return switch (code) {
            case OK -> 0;
            case INCONCLUSIVE -> 1;
            default -> 1 + code;
        };
    }

    public static int of(CommandException failure) {
        return switch (failure.kind()) {
            case USAGE -> USAGE;
            case ENVIRONMENT -> ENVIRONMENT;
            case FAILURE -> FAILED;
        };
    }
}
