package dev.baton.lab.study.chaos;

/** What the service of the chain that keeps something of its inputs is, and how that survives. */
public enum StateKind {
    /** It sums, and holds its inputs. */
    NONE,
    /** It sums, and saves the sum in hand in snapshots. */
    SUMS,
    /** It is a sliding window, and saves its counts in snapshots. */
    WINDOW
}
