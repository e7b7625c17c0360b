package dev.baton.simulation;

import java.util.ArrayList;
import java.util.List;

/** One start of the chain in a process, in the account. Single-threaded. */
final class Run {
    final SimProcess process;
    final List<Long> sent = new ArrayList<>(); // payloads that the chain has taken over
    boolean hasFailed;
    boolean mayFail; // a service threw more often than is retried
    int throwsInRow; // of the callback that threw last, on one message
    boolean isClosed;
    long lastDelivered; // sequence that the outlet's handler got last, 0: none yet

    Run(SimProcess process) {
        this.process = process;
    }
}
