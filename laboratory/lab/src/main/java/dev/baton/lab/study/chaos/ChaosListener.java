package dev.baton.lab.study.chaos;

/** Hears how a run gets on, as it does. Called by one thread at a time, but for {@link #said}. */
public interface ChaosListener {
    /** A set-up begins. */
    void began(ChaosPlan plan);

    /** A fault is over. */
    void injected(SetUp setUp, FaultOutcome outcome);

    /** One life of a chain has been audited. */
    void audited(SetUp setUp, Account account);

    /** A process said something. Called by any thread. */
    void said(SetUp setUp, String process, String line);
}
