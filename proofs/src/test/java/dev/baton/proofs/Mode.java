package dev.baton.proofs;

import java.util.List;

/** The duration of a run. Immutable, thread-safe. */
enum Mode {
    /** For every change: a fork for each proof and JVM configuration, both actors compiled as the JVM decides. */
    QUICK("-m", "quick", "-sc", "false", "-f", "1", "-iters", "2", "-time", "100"),
    /** For a night: each actor interpreted, compiled by C1 and by C2, in all combinations. */
    FULL("-m", "default", "-sc", "true", "-f", "1", "-iters", "5", "-time", "1000"),
    /** For a mutant: long enough to see a store and a load be reordered. */
    MUTANT("-m", "quick", "-sc", "false", "-f", "1", "-iters", "4", "-time", "400");

    private final List<String> options;

    Mode(String... options) {
        this.options = List.of(options);
    }

    /** {@return the options of jcstress} */
    List<String> options() {
        return options;
    }
}
