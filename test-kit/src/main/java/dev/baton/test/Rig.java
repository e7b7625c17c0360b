package dev.baton.test;

import dev.baton.Chain;
import dev.baton.Deployment;
import dev.baton.RunningChain;
import dev.baton.run.Loops;
import dev.baton.status.PartStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Runs a chain in memory on the calling thread: one life of it after the other over the same topics, each with services of its
 * own. Confined to one thread.
 */
final class Rig {
    /** How a chain is deployed. */
    record Plan(Chain chain, UnaryOperator<Deployment> deployment, int maxPayload, long tickNanos) {}

    private static final int MAX_TURNS = 100_000; // at one time
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    final Plan plan;
    final MemoryStorage storage = new MemoryStorage();
    final VirtualClock clock = new VirtualClock();
    private final Fate fate;
    private final Watch watch;
    private final List<GuardedService> services = new ArrayList<>(); // of this life
    private MemoryTransport transport; // of this life; null between two
    private Loops loops;
    private RunningChain running;

    Rig(Plan plan, Fate fate, Watch watch) {
        this.plan = plan;
        this.fate = fate;
        this.watch = watch;
        storage.create(topics(plan.chain()));
    }

    static List<String> topics(Chain chain) {
        List<String> topics = new ArrayList<>();
        for (int i = 0; i < chain.hops(); i++) {
            topics.add(chain.topic(0, i));
        }
        return topics;
    }

    /** The topic that a service writes, by its place; 0 is the inlet's. */
    MemoryTopic topic(int index) {
        return storage.topic(plan.chain().topic(0, index));
    }

    boolean isRunning() {
        return running != null;
    }

    RunningChain running() {
        return running;
    }

    MemoryTransport transport() {
        return transport;
    }

    /** What stopped the chain of this life; null while nothing has. */
    Throwable failure() {
        return running == null ? null : running.failure().orElse(null);
    }

    /** Begins a life. On failure nothing of it is left. */
    void start() {
        services.clear();
        transport = new MemoryTransport(storage, clock, fate, plan.maxPayload());
        loops = Loops.manual().in(clock);
        Chain guarded = plan.chain().decorated((name, service) -> {
            GuardedService guard = GuardedService.of(name, service, watch);
            services.add(guard);
            return guard;
        });
        try {
            Deployment deployment =
                    plan.deployment().apply(guarded.on(transport)).with(loops);
            running = deployment.onFailure(failure -> {}).start();
            requireFirstInstance();
        } catch (RuntimeException | Error failure) {
            endLife();
            throw failure;
        }
    }

    private void requireFirstInstance() {
        List<PartStatus> parts = running.status().parts();
        String first = plan.chain().topic(0, 0);
        if (!plan.chain().services().isEmpty()
                && parts.stream().noneMatch(part -> first.equals(part.input()) || first.equals(part.output()))) {
            throw new IllegalArgumentException("chain " + plan.chain().name() + " is deployed without topic " + first
                    + "; a tester runs all services of instance 0");
        }
    }

    /** One sweep; answers with the work done. */
    int turn() {
        return loops.turn();
    }

    /** Sweeps until there is nothing more to do at this time, or the chain has failed. */
    void rest() {
        int turns = 0;
        for (int quiet = 0; quiet < 2 && failure() == null; ) {
            quiet = turn() == 0 ? quiet + 1 : 0;
            if (++turns > MAX_TURNS) {
                throw restless(plan.chain());
            }
        }
    }

    static AssertionError restless(Chain chain) {
        return new AssertionError("chain " + chain.name() + " finds work in " + MAX_TURNS
                + " sweeps at one time of the virtual clock: an onTick that always returns more than 0?");
    }

    /** How far the time may pass until something is due: at most so far. */
    long untilDue(long nanos) {
        long due = loops.nanosToDeadline();
        long step = due <= 0 ? Math.min(nanos, plan.tickNanos()) : Math.min(nanos, due);
        return services.stream().anyMatch(GuardedService::ticksAtAnyTime) ? Math.min(step, plan.tickNanos()) : step;
    }

    /** Ends the life as {@code kill -9} would. */
    void kill() {
        if (transport != null) {
            transport.kill();
        }
        if (loops != null) {
            loops.turn(); // finds its connection dead
        }
        endLife();
    }

    /** Closes the chain in order; answers whether it has passed on and stored everything. */
    boolean close() {
        try {
            clock.impatient(true);
            return running == null || running.close(CLOSE_LIMIT);
        } finally {
            clock.impatient(false);
            endLife();
        }
    }

    private void endLife() {
        try {
            if (running != null) {
                running.close(Duration.ZERO);
            }
            if (loops != null) {
                loops.close();
            }
        } finally {
            running = null;
            loops = null;
            if (transport != null) {
                transport.close();
            }
            transport = null;
        }
    }
}
