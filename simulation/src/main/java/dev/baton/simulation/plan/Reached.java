package dev.baton.simulation.plan;

/** Situations that few schedules reach. A run counts them, so that a situation that is never reached is not counted as tested. */
public enum Reached {
    STATE_RESTORED("a state is restored from a snapshot"),
    CHANGES_SAVED("a snapshot has the changes since another one"),
    SNAPSHOT_TORN("a snapshot is begun and not ended"),
    REQUEST_REPLIED("a request gets a reply"),
    RESEND_REPLIED("a request that is sent again gets a reply"),
    MERGE_REOPENED("a merge continues after a frame");

    public final String meaning;

    Reached(String meaning) {
        this.meaning = meaning;
    }
}
