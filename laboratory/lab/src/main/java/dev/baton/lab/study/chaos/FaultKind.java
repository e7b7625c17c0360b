package dev.baton.lab.study.chaos;

import java.util.Locale;

/** What can be done to a chain of processes. */
public enum FaultKind {
    /** SIGKILL of a service, which is started again at once. */
    KILL_SERVICE,
    /** SIGKILL of two neighbours at once. */
    KILL_PAIR,
    /** SIGKILL of the process that feeds the chain. */
    KILL_SENDER,
    /** SIGKILL of the process that takes what comes out. */
    KILL_RECEIVER,
    /** SIGSTOP of any process, a broker among them, and SIGCONT after a drawn time. */
    PAUSE,
    /** SIGKILL of a broker: started again over its data, the only one at once, one of several after recovery. */
    KILL_BROKER,
    /** SIGKILL of a service, and its newest queue file ends like one whose writer died inside an excerpt. */
    TORN_FRAME,
    /** The file system of the queues has no byte left for a while. */
    FULL_DISK,
    /** SIGKILL of the service that holds inputs: those come again, and no group is sent twice. */
    KILL_HOLDING,
    /** SIGTERM of the service that holds inputs, which sends on what it holds; started again at once. */
    RESTART_HOLDING,
    /** A second receiver is started while the first lives, and the first is killed when it is clear which one receives. */
    RIVAL_RECEIVER,
    /** A new process of a service is started before the old one is ended. */
    ROLLING_UPDATE,
    /** The chain is stopped under load, one topic deleted, and the chain started. */
    DELETE_TOPIC;

    /** As people type it. */
    public String typed() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether it can happen there. */
    public boolean isPossible(SetUp setUp) {
        return switch (this) {
            case KILL_BROKER -> setUp.brokers() > 0;
            case TORN_FRAME, FULL_DISK -> setUp == SetUp.CHRONICLE;
            default -> true;
        };
    }
}
