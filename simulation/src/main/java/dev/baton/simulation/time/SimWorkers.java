package dev.baton.simulation.time;

import dev.baton.simulation.plan.Choices;
import dev.baton.simulation.plan.Choices.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The threads of a service's concurrent calls: each call is an actor, which makes it after a time that is drawn. A shutdown ends all calls
 * at once, as if each of them was interrupted. Used by the actors of one process.
 */
public final class SimWorkers extends AbstractExecutorService {
    private static final long STEP_NANOS = 100_000;
    private static final int MAX_STEPS = 16;

    private final Scheduler scheduler;
    private final Choices choices;
    private final SimProcess process;
    private final String name;
    private final List<Actor> atWork = new ArrayList<>();
    private boolean isShutdown;

    SimWorkers(Scheduler scheduler, Choices choices, SimProcess process, String name) {
        this.scheduler = scheduler;
        this.choices = choices;
        this.process = process;
        this.name = name;
    }

    @Override
    public void execute(Runnable call) {
        Actor[] actor = {null};
        actor[0] = scheduler.add(process.name + " " + name, process, false, () -> {
            atWork.remove(actor[0]);
            call.run();
            return false;
        });
        actor[0].wakeAt += choices.next(Kind.WORLD, MAX_STEPS) * STEP_NANOS;
        atWork.add(actor[0]);
    }

    @Override
    public List<Runnable> shutdownNow() {
        isShutdown = true;
        for (Actor actor : List.copyOf(atWork)) {
            actor.worker.turn();
            actor.isDone = true;
        }
        return List.of();
    }

    @Override
    public void shutdown() {
        isShutdown = true;
    }

    @Override
    public boolean isShutdown() {
        return isShutdown;
    }

    @Override
    public boolean isTerminated() {
        return isShutdown && atWork.isEmpty();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return isTerminated();
    }
}
