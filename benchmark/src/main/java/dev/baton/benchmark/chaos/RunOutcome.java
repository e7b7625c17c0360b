package dev.baton.benchmark.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * All faults of one set-up and what they came to. Immutable, thread-safe.
 *
 * @param setUp over which they happened
 * @param faults in order
 * @param accounts of each life of the chain, in order
 * @param failures what went wrong besides, such as a process that ended by itself
 * @param wasInterrupted whether somebody ended it early
 */
public record RunOutcome(
        SetUp setUp, List<FaultOutcome> faults, List<Account> accounts, List<String> failures, boolean wasInterrupted) {
    public RunOutcome {
        faults = List.copyOf(faults);
        accounts = List.copyOf(accounts);
        failures = List.copyOf(failures);
    }

    /** A figure of the accounts, summed over the lives. */
    public long sum(ToLongFunction<Account> figure) {
        return accounts.stream().mapToLong(figure).sum();
    }

    /** Everything that is wrong, in words. */
    public List<String> findings() {
        List<String> findings = new ArrayList<>(failures);
        faults.stream()
                .filter(each -> !each.isSurvived())
                .forEach(each -> findings.add(
                        "no message came out after fault " + each.fault().number() + ", " + each.fault()));
        accounts.forEach(each -> findings.addAll(each.findings()));
        return findings;
    }

    /** Whether nothing is wrong. */
    public boolean hasPassed() {
        return findings().isEmpty();
    }
}
