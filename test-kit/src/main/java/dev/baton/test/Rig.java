package dev.baton.test;

import dev.baton.Chain;
import dev.baton.Deployment;
import dev.baton.Requests;
import dev.baton.RunningChain;
import dev.baton.Serde;
import dev.baton.run.Loops;
import dev.baton.status.ChainStatus;
import dev.baton.status.PartStatus;
import dev.baton.test.guard.CallbackHooks;
import dev.baton.test.guard.GuardedService;
import dev.baton.test.memory.MemoryProcess;
import dev.baton.test.memory.MemoryStorage;
import dev.baton.test.memory.MemoryTopic;
import dev.baton.test.memory.TransportFaults;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Runs a chain in memory on the calling thread: one life of it after the other over the same topics, each with services of its
 * own. Confined to one thread.
 */
final class Rig {
    /** The deployment of a chain. */
    record Plan(Chain chain, UnaryOperator<Deployment> deployment, int maxPayload, long tickNanos) {}

    private static final int MAX_TURNS = 100_000; // at one time
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    final Plan plan;
    final MemoryStorage storage = new MemoryStorage();
    final VirtualClock clock = new VirtualClock();
    private final TransportFaults faults;
    private final CallbackHooks hooks;
    private final List<GuardedService> services = new ArrayList<>(); // of this life
    private MemoryProcess process; // of this life; null between two
    private Loops loops;
    private RunningChain running;
    private Throwable closingFailure; // of the last close in order; null for none
    private Requests<?, ?> requests; // null until they are opened

    Rig(Plan plan, TransportFaults faults, CallbackHooks hooks) {
        this.plan = plan;
        this.faults = faults;
        this.hooks = hooks;
        storage.create(topics(plan.chain()));
    }

    static List<String> topics(Chain chain) {
        List<String> topics = new ArrayList<>();
        for (int i = 0; i < chain.hops(); i++) {
            topics.add(chain.topic(0, i));
        }
        return topics;
    }

    /** Returns the topic that a service writes, by its position in the chain; 0 is the topic of the inlet. */
    MemoryTopic topic(int index) {
        return storage.topic(plan.chain().topic(0, index));
    }

    /** Returns whether a service sets inputs aside, with which the order of different keys is not kept. */
    boolean setsAside(String service) {
        return storage.names().contains(plan.chain().retryTopic(0, service));
    }

    boolean isRunning() {
        return running != null;
    }

    RunningChain running() {
        return running;
    }

    /** Opens the requests of this life, which end with it. */
    <Q, R> Requests<Q, R> requests(Serde<Q> requestCodec, Serde<R> replyCodec) {
        Requests<Q, R> opened = running.requests(requestCodec, replyCodec);
        requests = opened;
        return opened;
    }

    /** {@return whether the process of this life was killed} */
    boolean isDead() {
        return process.isDead();
    }

    /** Returns the failure that stopped the chain of this life; null for none. */
    Throwable failure() {
        return running == null ? null : running.failure().orElse(null);
    }

    /** Begins a life. A failed start leaves nothing behind. */
    void start() {
        services.clear();
        process = new MemoryProcess(storage, clock, faults, plan.maxPayload());
        loops = Loops.manual().in(clock);
        Chain guarded = plan.chain().decorated((name, service) -> {
            GuardedService guard = GuardedService.of(name, service, hooks);
            services.add(guard);
            return guard;
        });
        try {
            Deployment deployment = plan.deployment()
                    .apply(guarded.on(new MemoryTransport(process)))
                    .with(loops);
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
        if (!plan.chain().services().isEmpty() && parts.stream().noneMatch(part -> isOf(first, part))) {
            throw new IllegalArgumentException("chain " + plan.chain().name() + " is deployed without topic " + first
                    + "; a tester runs all services of instance 0");
        }
    }

    private static boolean isOf(String topic, PartStatus part) {
        return part.input() != null && topic.equals(part.input().topic())
                || part.output() != null && topic.equals(part.output().topic());
    }

    /** Returns whether inputs wait in a topic, or for a retry while later ones are handled. */
    boolean hasUnhandled() {
        ChainStatus status = running.status();
        return status.backlog() > 0
                || status.parts().stream()
                        .anyMatch(part -> part.input() != null && part.input().waiting() > 0);
    }

    /** Takes one sweep, and returns the work done. */
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

    /** Returns the time until the next deadline, at most the given one. */
    long untilDue(long nanos) {
        long due = loops.nanosToDeadline();
        long step = due <= 0 ? Math.min(nanos, plan.tickNanos()) : Math.min(nanos, due);
        step = Math.min(step, clock.nanosToTimer());
        return services.stream().anyMatch(GuardedService::ticksAtAnyTime) ? Math.min(step, plan.tickNanos()) : step;
    }

    /** Ends the life as {@code kill -9} would. */
    void kill() {
        if (process != null) {
            process.kill();
        }
        if (loops != null) {
            loops.turn(); // detects the dead connection
        }
        endLife();
    }

    /** Closes the chain in order, and returns whether it has drained and stored everything. */
    boolean close() {
        try {
            clock.impatient(true);
            clock.deferCalls(false);
            Throwable before = failure();
            boolean isDrained = running == null || running.close(CLOSE_LIMIT);
            closingFailure = before == null ? failure() : null;
            return isDrained;
        } finally {
            clock.impatient(false);
            endLife();
        }
    }

    /** Returns what failed in the last close in order, and had not failed before; null for nothing. */
    Throwable closingFailure() {
        return closingFailure;
    }

    private void endLife() {
        clock.dropCalls();
        try {
            if (requests != null) {
                requests.close();
            }
            if (running != null) {
                running.close(Duration.ZERO);
            }
            if (loops != null) {
                loops.close();
            }
        } finally {
            requests = null;
            running = null;
            loops = null;
            if (process != null) {
                process.close();
            }
            process = null;
        }
    }
}
