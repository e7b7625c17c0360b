package dev.baton.lab.study.selftest;

import dev.baton.lab.request.SelftestCase;
import java.util.List;

/**
 * What became of a case. Immutable, thread-safe.
 *
 * @param name of the case
 * @param injected in a few words
 * @param state what the figures say
 * @param checks the most telling one first; empty when a trial that it needs came to no result
 * @param round in which it was decided, or tried last; from 1
 * @param disturbedNanos that the machine took from the chain which suffered most
 */
public record Answer(
        SelftestCase name, String injected, State state, List<Check> checks, int round, long disturbedNanos) {
    /** What the figures say. */
    public enum State {
        /** Every figure is what it has to be. */
        PASS,
        /** One is not, and the machine is no excuse. */
        FAIL,
        /** One is not, and the machine took so much time that this says nothing. */
        INCONCLUSIVE,
        /** There are no figures. */
        MISSING
    }

    public Answer {
        checks = List.copyOf(checks);
    }

    /** The first figure that is not what it has to be, or else the most telling one; null without any. */
    public Check shown() {
        return checks.stream()
                .filter(check -> !check.holds())
                .findFirst()
                .orElse(checks.isEmpty() ? null : checks.get(0));
    }
}
