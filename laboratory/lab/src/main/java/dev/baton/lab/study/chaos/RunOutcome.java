package dev.baton.lab.study.chaos;

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
 * @param inconclusive what kept it from going on and is the machine's, such as a broker that did not start in time
 */
public record RunOutcome(
        SetUp setUp,
        List<FaultOutcome> faults,
        List<Account> accounts,
        List<String> failures,
        boolean wasInterrupted,
        List<String> inconclusive) {
    public RunOutcome {
        faults = List.copyOf(faults);
        accounts = List.copyOf(accounts);
        failures = List.copyOf(failures);
        inconclusive = inconclusive == null ? List.of() : List.copyOf(inconclusive);
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

    /** Whether nothing is wrong; it may still be inconclusive. */
    public boolean hasPassed() {
        return findings().isEmpty();
    }

    /** Why it is inconclusive, in words; empty when it is conclusive. */
    public List<String> whyInconclusive() {
        if (!inconclusive.isEmpty()) {
            return inconclusive;
        }
        List<String> why = new ArrayList<>();
        if (faults.isEmpty()) {
            why.add("no fault was injected");
        }
        if (sum(Account::sent) == 0) {
            why.add("no message was sent");
        }
        return why;
    }

    /** Whether all that was planned was done, or somebody wanted less, but not nothing at all. */
    public boolean isConclusive() {
        return whyInconclusive().isEmpty();
    }
}
