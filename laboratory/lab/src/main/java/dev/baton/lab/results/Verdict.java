package dev.baton.lab.results;

/** The verdict on a trial's figures. */
public enum Verdict {
    /** Complete, at the asked rate, within every limit. */
    PASS,
    /** Messages lost, duplicated, reordered or corrupted; the rate not reached; or a limit broken. */
    FAIL,
    /** The host's own stalls explain what would otherwise have failed: repeat it, count it as neither. */
    INCONCLUSIVE,
    /** Ended early; the figures cover what was measured until then. */
    INTERRUPTED
}
