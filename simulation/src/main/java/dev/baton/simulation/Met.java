package dev.baton.simulation;

/** What schedules come to that says how much of the core they reach. */
enum Met {
    STATE_RESTORED("a state is restored from a snapshot"),
    SNAPSHOT_TORN("a snapshot is begun and not ended"),
    MERGE_REOPENED("a merge goes on behind a frame");

    final String meaning;

    Met(String meaning) {
        this.meaning = meaning;
    }
}
