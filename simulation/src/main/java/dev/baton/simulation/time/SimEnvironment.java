package dev.baton.simulation.time;

import dev.baton.run.Environment;
import dev.baton.simulation.plan.Choices;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

/** The clocks and threads of one simulated process. Used by its actors. */
public final class SimEnvironment implements Environment {
    private static final long WALL_OFFSET = 1_700_000_000_000_000_000L;

    private final Choices choices;
    private final Scheduler scheduler;
    private final SimProcess process;

    public SimEnvironment(Scheduler scheduler, Choices choices, SimProcess process) {
        this.choices = choices;
        this.scheduler = scheduler;
        this.process = process;
        process.suspendsScripts = choices.oneIn(Choices.Kind.SUSPENSION, 16);
    }

    @Override
    public long nanoTime() {
        Actor reading = scheduler.current;
        if (process.suspendsScripts
                && reading != null
                && reading.isScript
                && choices.oneIn(Choices.Kind.SUSPENSION, 4)) {
            scheduler.block(0); // other actors continue between two looks at the same thing
            reading.hasPermit = true; // it may have been unparked meanwhile, and any park may end early
        }
        return scheduler.now;
    }

    @Override
    public long wallNanos() {
        return scheduler.now + WALL_OFFSET;
    }

    public static long wallOffset() {
        return WALL_OFFSET;
    }

    @Override
    public Thread thread() {
        return scheduler.current.thread;
    }

    @Override
    public void park(long nanos) {
        scheduler.park(nanos);
    }

    @Override
    public void unpark(Thread thread) {
        if (thread != null) { // else it has not begun, as for LockSupport
            scheduler.unpark(((Actor.Identity) thread).actor);
        }
    }

    @Override
    public void yield() {
        scheduler.yieldNow();
    }

    @Override
    public void spin() {
        scheduler.yieldNow();
    }

    @Override
    public Thread start(String name, ThreadFactory threads, Worker worker) {
        int loop = process.loops++;
        return scheduler.add(process.name + " loop-" + (loop + 1), process, false, worker).thread;
    }

    @Override
    public boolean isWorker() {
        return !scheduler.current.isScript;
    }

    @Override
    public Executor workers(String name) {
        return new SimWorkers(scheduler, choices, process, name);
    }

    @Override
    public CompletableFuture<Void> after(Duration delay) {
        CompletableFuture<Void> timer = new CompletableFuture<>();
        Actor actor = scheduler.add(process.name + " timer", process, false, () -> {
            timer.complete(null);
            return false;
        });
        actor.wakeAt += delay.toNanos();
        timer.whenComplete((nothing, cancelled) -> actor.isDone = true);
        return timer;
    }

    @Override
    public boolean join(Thread thread, long nanos) {
        Actor joined = ((Actor.Identity) thread).actor;
        long end = scheduler.now + nanos;
        joined.joiner = scheduler.current;
        while (!joined.isDone && scheduler.now < end) {
            scheduler.block(end - scheduler.now);
        }
        return joined.isDone;
    }
}
