package dev.baton.simulation.time;

import dev.baton.run.Environment;
import dev.baton.simulation.plan.Choices;
import dev.baton.simulation.plan.Rule;
import dev.baton.simulation.plan.Trace;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs actors one step at a time, in the order of the choices, with a simulated clock.
 *
 * <p>The carrier that holds the baton chooses the next actor. A loop's turn runs inline on that carrier, above the actor that waits there.
 * An actor that waits within a step keeps its carrier and continues when it is chosen: at once if its own carrier chose it, otherwise after
 * a hand-over. So threads change only where two scripts alternate. A loop that waits within a turn above another actor blocks that actor
 * until the loop continues.
 *
 * <p>While any actor can continue, time advances only by the short duration of each step; otherwise it jumps to the next event or wake-up.
 * Confined to the baton's holder.
 */
public final class Scheduler {
    /** The schedule whose actors run: its events, its end, and its violations. */
    public interface Events {
        /** {@return the time of the next event; {@link Long#MAX_VALUE} for none} */
        long nextEventAt();

        /** Makes what is due before the next step. */
        void beforeStep();

        /** {@return whether nothing follows once all scripts have ended; the process that recovers everything is the last} */
        boolean isOver();

        /** Ends everything. */
        void end();

        void violate(Rule rule, String text, Throwable cause);

        boolean hasViolation();
    }

    public static final long START_NANOS = 1_000_000_000L;
    private static final long SPIN_NANOS = 5_000_000; // long, so that a wait that spins comes to its bound in few steps
    /** More steps than a loop takes that sweeps every half millisecond during the slowest open. */
    private static final int MAX_STEPS = 300_000;

    private final Carrier.Pool pool;
    private final Choices choices;
    private final Events events;
    private final Trace trace;
    private final List<Actor> actors = new ArrayList<>();
    private final Carrier driver = new Carrier();
    private Actor[] candidates = new Actor[16];

    public long now = START_NANOS;
    public int steps;
    public Actor current; // null: between two steps
    private Carrier here;
    private Actor last;
    private int scripts; // alive
    private boolean isEnding;

    public Scheduler(Carrier.Pool pool, Choices choices, Events events, Trace trace) {
        this.pool = pool;
        this.choices = choices;
        this.events = events;
        this.trace = trace;
    }

    /** Runs until every script has ended, then ends everything else. */
    public void run() {
        here = driver;
        if (dispatch(null)) {
            driver.await();
        }
        for (Actor actor : actors) {
            actor.isDone = true;
        }
    }

    public Actor add(String name, SimProcess process, boolean isScript, Environment.Worker worker) {
        Actor actor = new Actor(actors.size(), name, process, isScript, worker);
        actor.wakeAt = now;
        actors.add(actor);
        process.actors.add(actor);
        if (isScript) {
            scripts++;
        }
        return actor;
    }

    public void unpark(Actor actor) {
        actor.hasPermit = true;
    }

    /** Waits as {@link Environment#park} does: it ends a loop's turn; a script, and a second wait within one turn, really wait. */
    public void park(long nanos) {
        Actor actor = checkedCurrent();
        if (actor.hasPermit) {
            actor.hasPermit = false;
            if (!actor.isScript) {
                actor.hasParked = true;
                actor.wakeAt = now;
            }
        } else if (!actor.isScript && !actor.hasParked) {
            actor.hasParked = true;
            actor.wakeAt = later(nanos);
        } else {
            block(nanos);
        }
    }

    /** Lets other actors run first; it ends a loop's turn. */
    void yieldNow() {
        Actor actor = checkedCurrent();
        if (actor.isScript || actor.hasParked) {
            block(SPIN_NANOS);
        } else {
            actor.hasParked = true;
            actor.wakeAt = now;
        }
    }

    /** Waits within a step for this long, unless the actor is unparked. */
    public void block(long nanos) {
        Actor actor = checkedCurrent();
        actor.wakeAt = later(nanos);
        Carrier mine = here;
        Actor below = mine.top;
        Carrier before = actor.carrier;
        actor.carrier = mine;
        mine.top = actor;
        dispatch(actor);
        mine.top = below;
        actor.carrier = before;
        if (actor.process.isDead) {
            throw new ProcessKilled();
        }
    }

    /** Waits within a step for exactly this long. */
    public void sleep(long nanos) {
        Actor actor = checkedCurrent();
        boolean hadPermit = actor.hasPermit;
        actor.hasPermit = false;
        long end = later(nanos);
        while (now < end) {
            block(end - now);
            hadPermit |= now < end;
        }
        actor.hasPermit |= hadPermit;
    }

    private long later(long nanos) {
        return nanos > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + Math.max(0, nanos);
    }

    private Actor checkedCurrent() {
        Actor actor = current;
        if (actor == null || actor.process.isDead) {
            throw new ProcessKilled();
        }
        return actor;
    }

    /**
     * Runs other actors until it is this actor's turn again; without an actor, until the baton is handed over.
     *
     * @return whether the baton was handed over
     */
    private boolean dispatch(Actor self) {
        while (true) {
            Actor next = choose();
            if (next == null) {
                if (here.isDriver()) {
                    return false;
                }
                Carrier mine = here;
                pool.give(mine);
                driver.signal();
                return true;
            }
            current = next;
            last = next;
            if (next == self) {
                next.hasPermit = false;
                return false;
            }
            if (next.carrier == null && !next.needsCarrier()) {
                turn(next);
                continue;
            }
            if (next.carrier == null) {
                next.carrier = pool.take();
                next.carrier.top = next;
                next.carrier.assign(() -> carry(next));
            } else {
                next.hasPermit = false;
            }
            Carrier mine = here;
            here = next.carrier;
            if (self == null && !mine.isDriver()) {
                pool.give(mine);
            }
            next.carrier.signal();
            if (self == null) {
                return true;
            }
            mine.await();
            return false;
        }
    }

    /** Runs a step that may wait before its end, on a separate carrier. */
    private void carry(Actor actor) {
        turn(actor);
        here.top = null;
        actor.carrier = null;
        dispatch(null);
    }

    private void turn(Actor actor) {
        if (actor.hasParked) {
            actor.hasPermit = false; // which ended its park
        }
        actor.hasParked = false;
        actor.wakeAt = now;
        actor.turns++;
        boolean goesOn = false;
        try {
            goesOn = actor.worker.turn();
        } catch (ProcessKilled killed) {
            // its end
        } catch (RuntimeException | Error thrown) {
            events.violate(Rule.THREAD_ENDED, actor + " ended with " + thrown, thrown);
        }
        if (!goesOn || actor.process.isDead) {
            end(actor);
        }
        current = null;
    }

    private void end(Actor actor) {
        actor.isDone = true;
        if (actor.isScript) {
            scripts--;
        }
        if (actor.joiner != null) {
            unpark(actor.joiner);
        }
    }

    /** Ends the actors of a process: those within a step are unwound before any other actor continues. */
    public void kill(SimProcess process) {
        process.isDead = true;
        for (Actor actor : process.actors) {
            if (!actor.isDone && actor.carrier == null) {
                end(actor);
            }
        }
    }

    private Actor choose() {
        while (true) {
            Actor unwound = unwound();
            if (unwound != null) {
                return unwound;
            }
            if (!isEnding && (scripts == 0 && events.isOver() || events.hasViolation())) {
                isEnding = true;
                events.end();
                continue;
            }
            if (isEnding) {
                return null;
            }
            steps++;
            if (steps > MAX_STEPS) {
                events.violate(Rule.STUCK, "no end after " + MAX_STEPS + " steps", null);
                continue;
            }
            events.beforeStep();
            int count = candidates();
            if (count > 0) {
                int chosen = count == 1 ? 0 : choices.next(Choices.Kind.ORDER, count);
                now += 1_000 + 500L * choices.next(Choices.Kind.ORDER, 8);
                trace.fact(candidates[chosen].number);
                trace.fact(now);
                return candidates[chosen];
            }
            if (unwound() == null && !advance() && scripts > 0) {
                events.violate(Rule.STUCK, "no actor can ever continue", null);
            }
        }
    }

    private Actor unwound() {
        for (Actor actor : actors) {
            if (!actor.isDone && actor.process.isDead && actor.carrier != null && actor.carrier.top == actor) {
                return actor;
            }
        }
        return null;
    }

    /** Collects the actors that can continue, the actor of the last step first. */
    private int candidates() {
        int count = 0;
        int size = actors.size();
        int first = last == null ? 0 : last.number;
        if (candidates.length < size) {
            candidates = new Actor[size * 2];
        }
        for (int i = 0; i < size; i++) {
            int index = first + i < size ? first + i : first + i - size;
            Actor actor = actors.get(index);
            if (actor.isRunnable(now)) {
                candidates[count++] = actor;
            }
        }
        return count;
    }

    private boolean advance() {
        long next = events.nextEventAt();
        for (Actor actor : actors) {
            if (!actor.isDone && (actor.carrier == null || actor.carrier.top == actor)) {
                long at =
                        actor.hasPermit ? actor.process.pausedUntil : Math.max(actor.wakeAt, actor.process.pausedUntil);
                next = Math.min(next, at);
            }
        }
        if (next == Long.MAX_VALUE) {
            return false;
        }
        now = Math.max(now, next);
        return true;
    }
}
