package dev.baton.simulation;

/** Situations that few schedules reach. A run counts them, so that one which never does is not taken for a proof. */
enum Reached {
    STATE_RESTORED("a state is restored from a snapshot"),
    SNAPSHOT_TORN("a snapshot is begun and not ended"),
    MERGE_REOPENED("a merge goes on behind a frame");

    final String meaning;

    Reached(String meaning) {
        this.meaning = meaning;
    }
}
