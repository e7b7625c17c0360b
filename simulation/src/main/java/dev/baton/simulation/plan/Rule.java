package dev.baton.simulation.plan;

/** The guarantees, with the texts of their violations. */
public enum Rule {
    LOST("a message that was confirmed does not come out"),
    REPEATED("an output is stored more often than promised"),
    ORDER("outputs are stored or delivered in another order, or with a gap"),
    DIVERGED("a service with state has outputs that a run without an interruption would not have"),
    INVENTED("a topic contains messages that were never sent, or that were rolled back"),
    ACKNOWLEDGED_EARLY("an input is acknowledged before its outputs are stored"),
    REPLACED_SILENTLY("an input topic was replaced, and its messages are dropped silently"),
    SECOND_OWNER("two live processes write a topic, or read for a consumer"),
    LEFT_BEHIND("after a close or a failed start something is still open"),
    FAILED_RUNS("a chain that failed takes another turn"),
    CONFINED("a connection is used by another thread, out of turn, or after its close"),
    OVERDUE("a wait lasts longer than its stated bound"),
    UNEXPECTED("something fails without a cause"),
    THREAD_ENDED("a thread ends with an exception"),
    REPLIED_WRONGLY("a request gets another reply than the one that it led to, or fails without a reason"),
    STUCK("the schedule does not end");

    final String meaning;

    Rule(String meaning) {
        this.meaning = meaning;
    }
}
