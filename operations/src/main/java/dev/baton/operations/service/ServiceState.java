package dev.baton.operations.service;

/** What a service process is about; each change is one line of its log. */
public enum ServiceState {
    /** Opens its transport and its topics. */
    STARTING,
    /** Carries messages. */
    RUNNING,
    /**
     * Another process runs the same services. It takes over when that one has ended, or, where the newest wins and it is
     * not the newest, stays as it is until it is asked to end.
     */
    STANDBY,
    /** Its transport failed: opens it again after a pause. */
    WAITING,
    /** Was asked to end: passes on what is in hand. */
    STOPPING,
    /** Has let go of everything. */
    STOPPED,
    /** Has given up. */
    FAILED
}
