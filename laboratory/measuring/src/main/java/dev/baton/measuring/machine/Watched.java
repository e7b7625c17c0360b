package dev.baton.measuring.machine;

import java.util.List;

/**
 * Processes of this machine that a trial watches beside its own. Immutable.
 *
 * @param brokers whose use is the transport's
 * @param siblings that share the trial and watch themselves
 * @param team whose use counts as this process's: they run a part of its chains
 */
record Watched(List<Long> brokers, List<Long> siblings, List<Long> team) {
    Watched {
        brokers = List.copyOf(brokers);
        siblings = List.copyOf(siblings);
        team = List.copyOf(team);
    }

    Watched siblings(List<Long> others) {
        return new Watched(brokers, others, team);
    }

    Watched team(List<Long> others) {
        return new Watched(brokers, siblings, others);
    }
}
