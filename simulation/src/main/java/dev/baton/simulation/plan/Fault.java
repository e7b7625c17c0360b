package dev.baton.simulation.plan;

/** Faults of simulated processes and their storage. */
public enum Fault {
    KILL("a process is killed between two steps"),
    PAUSE("a process is suspended for a while"),
    OPEN_FAILS("an open fails"),
    OPEN_IS_SLOW("an open takes seconds, or longer than a start waits"),
    BACKGROUND_FAILURE("a connection fails in the background"),
    SERVICE_THROWS("a callback of a service throws"),
    SOURCE_THROWS("a source throws after it has sent"),
    MACHINE_CRASH("all processes end, and frames that were not yet stored are lost"),
    TOPIC_REPLACED("between two runs an input topic is deleted and created again"),
    TOPIC_RESTORED("between two runs an input topic goes back to an earlier copy"),
    SNAPSHOT_DAMAGED("between two runs the newest snapshot of a service is altered"),
    SYNC_FAILS("a sync fails"),
    POSITION_FLIPPED("between two runs a bit of a consumer's stored position flips"),
    FRAME_DAMAGED("between two runs a stored frame becomes unreadable"),
    TOPIC_SHORTENED("between two runs the stored end of a topic, or all of it, goes missing");

    public final String meaning;

    Fault(String meaning) {
        this.meaning = meaning;
    }

    public boolean isOfStorage() {
        return compareTo(SYNC_FAILS) >= 0;
    }
}
