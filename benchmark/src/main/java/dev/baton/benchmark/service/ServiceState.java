package dev.baton.benchmark.service;

/** What a service process is about; each change is one line of its log. */
public enum ServiceState {
    /** Opens its transport and its topics. */
    STARTING,
    /** Carries messages. */
    RUNNING,
    /** Its transport failed: opens it again after a pause. */
    WAITING,
    /** Was asked to end: passes on what is in hand. */
    STOPPING,
    /** Has let go of everything. */
    STOPPED,
    /** Has given up. */
    FAILED
}
