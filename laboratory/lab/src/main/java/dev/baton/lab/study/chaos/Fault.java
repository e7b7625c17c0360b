package dev.baton.lab.study.chaos;

import java.util.List;

/**
 * One fault as the schedule has drawn it. Immutable, thread-safe.
 *
 * @param number counted from 1 in its set-up
 * @param kind what is done
 * @param targets the processes that it is done to, such as {@code s3}, {@code sender} or {@code broker-1}, or the topic
 *     that is deleted; for a disk that fills up none
 * @param restMillis quiet time before it, for the chain to run undisturbed
 * @param lastMillis how long it lasts; 0 for what happens at once
 * @param variant a drawn number that decides details, such as what an unfinished excerpt holds
 */
public record Fault(int number, FaultKind kind, List<String> targets, long restMillis, long lastMillis, long variant) {
    public Fault {
        targets = List.copyOf(targets);
    }

    /** As people read it: {@code kill-pair s2+s3}, {@code pause s1 for 812 ms}. */
    @Override
    public String toString() {
        return kind.typed()
                + (targets.isEmpty() ? "" : " " + String.join("+", targets))
                + (lastMillis == 0 ? "" : " for " + lastMillis + " ms");
    }
}
