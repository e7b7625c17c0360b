package dev.baton.lab.study.selftest;

import dev.baton.lab.request.SelftestCase;

/** What can be wrong with a laboratory, and the case that has to notice it. */
enum Flaw {
    /** The next send time is computed from the previous send. */
    MOVED_SEND_TIMES(SelftestCase.OMISSION),
    /** Values that look like mistakes are omitted. */
    OUTLIERS_REMOVED_OF_GENERATOR(SelftestCase.GENERATOR_STALL),
    OUTLIERS_REMOVED_OF_SERVICE(SelftestCase.SERVICE_STALL),
    OUTLIERS_REMOVED_OF_RECEIVER(SelftestCase.RECEIVER_STALL),
    /** Half of the messages that a stall held up are counted. */
    EVERY_OTHER_SAMPLE(SelftestCase.STALL_ARITHMETIC),
    /** Times are taken when a message is handed out, not when it was due. */
    SENT_LATE_TIMED_LATE(SelftestCase.DELAYS),
    /** A millisecond clock, and values of 0 dropped. */
    MILLISECONDS(SelftestCase.MILLISECOND_CLOCK),
    /** Percentiles are never grey. */
    QUOTED_EARLY(SelftestCase.TOO_FEW_SAMPLES),
    /** A limiter that sleeps for 10 ms and catches up. */
    BURSTS(SelftestCase.BURSTS),
    /** What was asked to arrive in bursts is sent at even intervals. */
    SMOOTHED(SelftestCase.ARRIVALS),
    /** Every instance is judged from the actual send. */
    JUDGED_FROM_SEND(SelftestCase.READINGS),
    /** Service times begin at the slot, so that no sender is ever late. */
    SERVICE_FROM_SLOT(SelftestCase.LATE_GENERATOR),
    /** A core that waits costs nothing. */
    IDLE_IS_FREE(SelftestCase.COST),
    /** Keys are drawn. */
    KEYS_DRAWN(SelftestCase.KEY_ORDER),
    /** A search averages the percentiles of its trials. */
    TRIALS_AVERAGED(SelftestCase.POOLING),
    /** The last interval never reaches the log. */
    INTERVAL_LOST(SelftestCase.MERGE),
    /** The percentile of all is the average of the instances'. */
    AVERAGED(SelftestCase.AVERAGES),
    /** All instances are judged as one. */
    POOLED_VERDICT(SelftestCase.WORST_INSTANCE),
    /** What was lost is not looked for. */
    LOSS_UNSEEN(SelftestCase.LOSSES),
    /** A copy counts as an arrival. */
    COPIES_COUNTED(SelftestCase.DUPLICATES),
    ORDER_UNSEEN(SelftestCase.REORDERINGS),
    PAYLOAD_UNSEEN(SelftestCase.CORRUPTION),
    UNSENT_FORGOTTEN(SelftestCase.UNSENT),
    /** What did not arrive enters no histogram. */
    UNDELIVERED_OMITTED(SelftestCase.UNDELIVERED),
    /** What is on its way when a trial is cut counts as lost. */
    IN_FLIGHT_LOST(SelftestCase.UNDRAINED),
    /** Nothing is recorded as more than a second. */
    CLAMPED(SelftestCase.CLAMP),
    /** A clock that stands still with the process. */
    PROCESS_CLOCK(SelftestCase.STOPPED_PROCESS),
    /** The host's stalls are not watched. */
    HOST_UNSEEN(SelftestCase.HOST_STALL),
    /** A process that was stopped is taken for a host that had something else to run. */
    STOP_CALLED_HOST(SelftestCase.HOST_STALL),
    /** The time that the host gave to others is not asked for. */
    THEFT_UNSEEN(SelftestCase.THEFT),
    /** A pause is what has a decimal point; other lines are omitted. */
    POINTS_ONLY(SelftestCase.DECIMAL_COMMA),
    /** The CPU time that other processes took is not asked for. */
    NEIGHBOURS_UNSEEN(SelftestCase.NEIGHBOURS),
    /** The first result is shown for every build. */
    STALE(SelftestCase.COMPARISON),
    /** An eighth of the interval is handed to the consumer's poll. */
    TRUNCATED(SelftestCase.TRUNCATED_POLL),
    ONE_JVM(SelftestCase.FRESH_JVM);

    private final SelftestCase noticedBy;

    Flaw(SelftestCase noticedBy) {
        this.noticedBy = noticedBy;
    }

    SelftestCase noticedBy() {
        return noticedBy;
    }
}
