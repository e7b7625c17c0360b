package dev.baton.simulation;

/** What is promised, and what a violation of it is reported as. */
enum Rule {
    LOST("a message that was confirmed does not come out"),
    REPEATED("an output is stored more often than promised"),
    ORDER("outputs are stored or delivered in another order, or with a gap"),
    DIVERGED("a service with state sends what a run without an interruption would not"),
    INVENTED("a topic holds what nobody sent, or what was taken back"),
    ACKNOWLEDGED_EARLY("an input is acknowledged whose outputs are not stored"),
    REPLACED_SILENTLY("an input topic was replaced, and its messages are dropped without a word"),
    SECOND_OWNER("two live processes write a topic, or read for a consumer"),
    LEFT_BEHIND("after a close or a failed start something is still open"),
    FAILED_RUNS("a chain that failed takes another turn"),
    CONFINED("a connection is used by another thread, out of turn, or after its close"),
    OVERDUE("a wait lasts longer than its stated bound"),
    UNEXPECTED("something fails without a cause"),
    THREAD_ENDED("a thread ends with an exception"),
    STUCK("the schedule comes to no end");

    final String meaning;

    Rule(String meaning) {
        this.meaning = meaning;
    }
}
