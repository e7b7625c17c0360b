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
 * @param unsettled what kept it from going on and is the machine's, such as a broker that did not start in time
 */
public record RunOutcome(
        SetUp setUp,
        List<FaultOutcome> faults,
        List<Account> accounts,
        List<String> failures,
        boolean wasInterrupted,
        List<String> unsettled) {
    public RunOutcome {
        faults = List.copyOf(faults);
        accounts = List.copyOf(accounts);
        failures = List.copyOf(failures);
        unsettled = unsettled == null ? List.of() : List.copyOf(unsettled);
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

    /** Whether nothing is wrong; it may still not be settled. */
    public boolean hasPassed() {
        return findings().isEmpty();
    }

    /** Why it is not settled, in words; empty when it is. */
    public List<String> whyNotSettled() {
        if (!unsettled.isEmpty()) {
            return unsettled;
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
    public boolean isSettled() {
        return whyNotSettled().isEmpty();
    }
}
