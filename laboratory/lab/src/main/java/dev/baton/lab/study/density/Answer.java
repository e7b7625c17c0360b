package dev.baton.lab.study.density;

/** What one trial says about the number of instances that it ran. */
public enum Answer {
    PASS,
    FAIL,
    /** Neither: the host disturbed it. It is repeated, and never counted. */
    INCONCLUSIVE
}
