package dev.baton.test;

import dev.baton.Message;
import java.util.List;
import java.util.function.Function;

/** What befalls the services in a hostile run, and what they are compared with. Single-threaded. */
final class HostileWatch extends Watch {
    private final Conditions conditions;
    private final Oracle oracle;
    private final Function<String, MemoryTopic> topicOf;
    private Difference difference; // the first; null for none

    /** Watches a chain; the function returns the input topic of a service. */
    HostileWatch(Conditions conditions, Oracle oracle, Function<String, MemoryTopic> topicOf) {
        this.topicOf = topicOf;
        this.conditions = conditions;
        this.oracle = oracle;
    }

    Difference difference() {
        return difference;
    }

    private void differs(Difference found) {
        if (found != null && difference == null) {
            difference = found;
        }
    }

    @Override
    void before(String service) {
        if (conditions.failsNow()) {
            throw new Halt("a failure before a callback of " + service);
        }
    }

    @Override
    void claims(String service, boolean mayRetry) {
        if (conditions.failsNow() || mayRetry && conditions.isRetriedNow()) {
            throw new InjectedFailure();
        }
    }

    @Override
    boolean retries() {
        return conditions.has(Hardship.RETRIES);
    }

    @Override
    void after(String service) {
        if (conditions.failsNow()) {
            throw new Halt("a failure behind a callback of " + service);
        }
    }

    @Override
    void handled(String service, Message in, List<Sent> sent) {
        differs(oracle.compare(service, in, sent));
    }

    /** A tick comes when no input waits, unless the run is about that. */
    @Override
    boolean delaysTick(String service) {
        return !conditions.hardships.contains(Hardship.LATE_TICKS)
                && topicOf.apply(service).hasWaiting(service);
    }

    @Override
    void misused(String service, RuntimeException misuse) {
        differs(new Difference(service, 0, misuse.getMessage(), misuse));
    }

    @Override
    long clockShift() {
        return conditions.clockShift();
    }

    @Override
    byte poison() {
        return conditions.poison();
    }
}
