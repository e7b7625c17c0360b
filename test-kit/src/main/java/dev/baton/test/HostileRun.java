package dev.baton.test;

import dev.baton.Message;
import dev.baton.ServiceFailure;
import dev.baton.spi.support.Causes;
import dev.baton.test.guard.CallbackHooks;
import dev.baton.test.guard.Halt;
import dev.baton.test.guard.InjectedFailure;
import dev.baton.test.guard.Sent;
import dev.baton.test.memory.MemoryTopic;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One repetition of the steps of a test, under other conditions. Single-threaded. */
final class HostileRun {
    private static final int MAX_TURNS = 200_000; // at one time
    private static final int MAX_LIVES = 1_000;
    private static final int OUTAGE_ONE_IN = 4; // steps of time
    private static final int MAX_RETRIES = 10_000;
    private static final long RETRY_NANOS = TimeUnit.HOURS.toNanos(1);

    private final Rig.Plan plan;
    private final Scenario scenario;
    private final Conditions conditions;
    private final Oracle oracle;
    private final Comparison comparison = new Comparison();
    private final Rig rig;
    private int lives;

    /** Ends a run whose result is known. */
    private static final class Found extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient Mismatch difference;

        Found(Mismatch difference) {
            super(difference.text(), null, false, false);
            this.difference = difference;
        }
    }

    /** The hooks of the services: they inject failures, and compare each delivery with that of the undisturbed run. */
    private final class Comparison implements CallbackHooks {
        private Mismatch first; // null for none

        private void differs(Mismatch found) {
            if (found != null && first == null) {
                first = found;
            }
        }

        @Override
        public void before(String service) {
            if (conditions.failsNow()) {
                throw new Halt("a failure before a callback of " + service);
            }
        }

        @Override
        public void claims(String service, boolean mayRetry) {
            if (conditions.failsNow() || mayRetry && conditions.isRetriedNow()) {
                throw new InjectedFailure();
            }
        }

        @Override
        public boolean retries() {
            return conditions.has(Hardship.RETRIES);
        }

        @Override
        public void after(String service) {
            if (conditions.failsNow()) {
                throw new Halt("a failure after a callback of " + service);
            }
        }

        @Override
        public void handled(String service, Message in, List<Sent> sent) {
            differs(oracle.compare(service, in, sent));
        }

        /** Postpones ticks until no input waits, unless the run tests early ticks. */
        @Override
        public boolean delaysTick(String service) {
            return !conditions.hardships.contains(Hardship.LATE_TICKS)
                    && input(service).hasWaiting(service);
        }

        @Override
        public void misused(String service, RuntimeException misuse) {
            differs(new Mismatch(service, 0, misuse.getMessage(), misuse));
        }

        @Override
        public long clockShift() {
            return conditions.clockShift();
        }

        @Override
        public byte poison() {
            return conditions.poison();
        }
    }

    HostileRun(Rig.Plan plan, Scenario scenario, Conditions conditions, Oracle oracle) {
        this.plan = plan;
        this.scenario = scenario;
        this.conditions = conditions;
        this.oracle = oracle;
        this.rig = new Rig(plan, conditions, comparison);
    }

    /** Runs to the end, and returns the first difference from the undisturbed run; null for none. */
    Mismatch run() {
        try {
            for (Scenario.Step step : scenario.steps()) {
                deliver(step);
                pass(step.nanos());
            }
            rest();
            awaitRetries();
            conditions.peace();
            closeInOrder();
            return oracle.compare(rig);
        } catch (Found found) {
            return found.difference;
        } finally {
            rig.kill();
        }
    }

    private MemoryTopic input(String service) {
        return rig.topic(plan.chain().services().indexOf(service));
    }

    private void deliver(Scenario.Step step) {
        for (int i = 0; i < step.inputs().size(); i++) {
            Scenario.Input input = step.inputs().get(i);
            rig.topic(0).append(input.frame(), input.author());
            if (conditions.has(Hardship.BATCHES)) {
                for (int turns = conditions.next(3); turns > 0; turns--) {
                    turn();
                }
            } else if (i == step.inputs().size() - 1) {
                rest();
            }
        }
    }

    private void pass(long nanos) {
        if (nanos > 0) {
            rest();
        }
        for (long left = nanos; left > 0; ) {
            long step = rig.untilDue(left);
            if (conditions.has(Hardship.LATE_TICKS) && conditions.next(OUTAGE_ONE_IN) == 0) {
                rig.kill(); // time passes while the process is down
            }
            rig.clock.advance(step);
            left -= step;
            rest();
        }
    }

    /** Lets time pass until every message that waits for a retry is handled. */
    private void awaitRetries() {
        for (int i = 0; i < MAX_RETRIES && rig.hasUnhandled(); i++) {
            pass(rig.untilDue(RETRY_NANOS));
        }
    }

    private void closeInOrder() {
        rest();
        conditions.calm(true);
        rig.close();
        checkDifference();
    }

    /** Takes turns until there is nothing to do, also when nothing is held back. */
    private void rest() {
        int turns = 0;
        boolean isAtRest = false;
        while (!isAtRest) {
            while (turn() > 0) {
                if (++turns > MAX_TURNS) {
                    throw Rig.restless(plan.chain());
                }
            }
            conditions.calm(true);
            isAtRest = turn() == 0 && turn() == 0 && rig.isRunning();
            conditions.calm(false);
        }
    }

    /** Takes one turn of a life, and returns the work done, more than 0 when the life has ended. */
    private int turn() {
        rig.clock.deferCalls(conditions.has(Hardship.CALLS));
        int work = rig.isRunning() ? rig.turn() + makeCall() : begin();
        checkDifference();
        if (rig.isRunning() && rig.isDead()) {
            rig.kill();
            return 1;
        }
        Throwable failure = rig.failure();
        if (failure == null) {
            return work;
        }
        if (!isHalt(failure)) {
            throw failed(failure);
        }
        rig.close();
        return 1;
    }

    /** Makes one of the concurrent calls that wait, or none; returns the number of calls made. */
    private int makeCall() {
        boolean isMade = conditions.has(Hardship.CALLS) && conditions.next(2) == 0;
        return isMade ? rig.clock.makeCall(conditions::next) : 0;
    }

    private int begin() {
        if (++lives > MAX_LIVES) {
            throw new AssertionError(
                    "chain " + plan.chain().name() + " has not finished within " + MAX_LIVES + " lives");
        }
        conditions.beginLife();
        try {
            rig.start();
            if (rig.topic(0).hasWriter()) {
                throw new IllegalArgumentException(
                        "chain " + plan.chain().name() + " has a source; what it sends cannot be"
                                + " repeated. Leave it out, and send through the tester");
            }
        } catch (IllegalArgumentException wrongDeployment) {
            throw wrongDeployment;
        } catch (RuntimeException | Error failure) {
            if (!isHalt(failure)) {
                throw failed(failure);
            }
        }
        return 1;
    }

    private void checkDifference() {
        if (comparison.first != null) {
            throw new Found(comparison.first);
        }
    }

    private static boolean isHalt(Throwable failure) {
        return Causes.first(failure, Halt.class) != null;
    }

    private Found failed(Throwable failure) {
        String service = failure instanceof ServiceFailure known
                ? known.service()
                : plan.chain().services().get(0);
        return new Found(Mismatch.ofFailure(
                service,
                conditions.hardships.isEmpty() ? "fails without any disturbance" : "fails where it did not undisturbed",
                failure));
    }
}
