package dev.baton.test;

/** A disturbance of a chain in a hostile run. */
public enum Hardship {
    /** Polls return fewer frames, and inputs of one time arrive one by one or together. */
    BATCHES(
            "it depends on how many messages a turn delivers",
            "A service sees one message at a time; how many of them a turn carries is chance. Usual causes: counting ticks,"
                    + " sending from onTick what should be sent by the message, or Outlet.sequence() in a result."),
    /** Topics have less room, or none for a while. */
    BACK_PRESSURE(
            "it depends on the room in its output topic",
            "Usual causes: an onTick that drops what finds no room (Outlet.remainingCapacity() or a claim that is null) in place of"
                    + " keeping it for the next tick."),
    /** Messages are stored later than they are sent, and a kill loses those that are not stored. */
    LATE_STORAGE(
            "it depends on when its outputs are stored",
            "Usual causes: ServiceContext.storedSequence() in a result, or inputs released before their outputs are sent."),
    /** The clock of ServiceContext.nanoTime() has another origin in each life. */
    CLOCK(
            "it depends on ServiceContext.nanoTime()",
            "That clock is for waiting and differs after a restart. Results take ServiceContext.time()."),
    /** Callbacks and claims fail, which stops the chain; it is started again. */
    FAILURES(
            "it does not survive a failure and a restart",
            "Usual causes: state of earlier messages in plain fields (keep it in a KeyedService, or override Service.holdsInputs and"
                    + " name the oldest input still needed with ServiceContext.holdFrom), inputs released too early, or a tick"
                    + " that sends what does not follow from inputs and ServiceContext.time() alone."),
    /** The process is killed between any two steps; positions that were acknowledged last may be forgotten. */
    KILLS(
            "it does not survive a kill and a restart",
            "Usual causes: state of earlier messages in plain fields (keep it in a KeyedService, or override Service.holdsInputs and"
                    + " name the oldest input still needed with ServiceContext.holdFrom), inputs released too early, or a tick"
                    + " that sends what does not follow from inputs and ServiceContext.time() alone."),
    /**
     * A claim fails, and the message is delivered to the same instance again, as by {@link dev.baton.ErrorPolicy#retry}. Only of
     * services that return true from {@link dev.baton.Service#isFailureAtomic}: the others cannot have such a policy.
     */
    RETRIES(
            "it does not survive a retry on the same instance",
            "Usual causes: fields that are changed before what may throw. Change them last, or undo the change in a catch;"
                    + " or return false from Service.isFailureAtomic, so that a failure stops the chain."),
    /** Concurrent calls of a service ({@link dev.baton.Concurrency}) are made in another order than that of their messages. */
    CALLS(
            "it depends on the order of its concurrent calls",
            "Usual causes: fields of the service that a call changes, although the next message may meet another service object,"
                    + " or an object that the factory shares between them."),
    /**
     * The process is down while time passes, and then ticks come while inputs wait to be handled. Not part of {@link Hostility#all}: services whose ticks close
     * windows then send a window in several parts, unless they close it by the time of a later input.
     */
    LATE_TICKS(
            "it depends on ticks that come before its inputs",
            "Usual causes: an onTick that closes a window by the time of the tick, though inputs of that window still wait. Close it"
                    + " by the time of a later input.");

    final String finding;
    final String hint;

    Hardship(String finding, String hint) {
        this.finding = finding;
        this.hint = hint;
    }
}
