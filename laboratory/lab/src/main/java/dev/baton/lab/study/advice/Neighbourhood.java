package dev.baton.lab.study.advice;

import dev.baton.lab.launch.jvm.JvmChoice;
import dev.baton.lab.request.Limit;
import dev.baton.lab.request.Shape;
import dev.baton.lab.study.density.DefaultLatencyBudget;
import dev.baton.operations.options.ChosenTransport;
import dev.baton.operations.options.LoopOptions;
import dev.baton.operations.settings.LoopPlan;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The settings that a search may measure: the first one of a transport, and those that are one step from a setting, most promising step
 * first. Immutable, thread-safe.
 *
 * @param transports those that may be recommended, with the options of the command line
 * @param ratePerSecond into each chain
 * @param jvms the JVMs, collectors and flags to choose from, the first one to begin with
 * @param heaps to choose from; null: the heap that the command considers enough
 * @param cores that loops may share
 */
record Neighbourhood(
        List<ChosenTransport> transports,
        List<Limit> limits,
        double ratePerSecond,
        Shape shape,
        List<JvmChoice> jvms,
        List<String> heaps,
        int cores) {
    private static final int[] BATCHES = {0, 16, 1024};
    private static final String[] IDLE = {LoopPlan.DEFAULT_IDLE, "park:50us", "backoff"};

    /** Idle strategies that use a core each for as long as they run. */
    private static final String[] BUSY_IDLE = {"spin", "yielding"};

    /** Returns the first setting: a loop with the latency budget of {@code density}, and defaults. */
    Candidate start(ChosenTransport transport) {
        LoopPlan loops = new LoopPlan(LoopPlan.COOPERATIVE + 1, null, budgetNanos(transport));
        return new Candidate(transport, loops, jvms.get(0).withHeap(heaps.get(0)));
    }

    private long budgetNanos(ChosenTransport transport) {
        return round(DefaultLatencyBudget.nanos(transport.provider(), limits, ratePerSecond));
    }

    /** Rounds down to a usual number; 0 below the shortest. */
    private static long round(long nanos) {
        return nanos / DefaultLatencyBudget.SHORTEST_NANOS * DefaultLatencyBudget.SHORTEST_NANOS;
    }

    /** Returns all settings that differ from this one in one value. */
    List<Candidate> of(Candidate base) {
        LoopPlan loops = base.loops();
        Set<Candidate> all = new LinkedHashSet<>();
        budgets(base).forEach(budget -> all.add(looped(base, loops.threading(), loops.idle(), budget)));
        threadings(base).forEach(threading -> {
            String idle = threads(threading) <= cores ? loops.idle() : LoopPlan.DEFAULT_IDLE;
            boolean isPaced = threading.startsWith(LoopPlan.COOPERATIVE);
            all.add(looped(base, threading, idle, isPaced ? loops.latencyBudgetNanos() : 0));
        });
        idles(base).forEach(idle -> all.add(looped(base, loops.threading(), idle, loops.latencyBudgetNanos())));
        all.add(base.with(forManyTopics(base.transport())));
        all.add(base.with(asTyped(base.transport())));
        for (int batch : BATCHES) {
            all.add(base.with(new LoopPlan(loops.threading(), loops.idle(), loops.latencyBudgetNanos(), batch)));
        }
        jvms.forEach(jvm -> all.add(base.with(jvm.withHeap(base.jvm().heap()))));
        heaps.forEach(heap -> all.add(base.with(base.jvm().withHeap(heap))));
        all.remove(base);
        return new ArrayList<>(all);
    }

    /**
     * Returns this setting with as many threads as its chains can use: a loop for each core, or, as one chain stays on one loop, a thread
     * per service.
     */
    Candidate widest(Candidate base) {
        String threading = shape.instances() > 1 ? LoopPlan.COOPERATIVE + cores : LoopPlan.PER_SERVICE;
        boolean isPaced = threading.startsWith(LoopPlan.COOPERATIVE);
        return looped(
                base, threading, LoopPlan.DEFAULT_IDLE, isPaced ? base.loops().latencyBudgetNanos() : 0);
    }

    private static Candidate looped(Candidate base, String threading, String idle, long budgetNanos) {
        return base.with(new LoopPlan(threading, idle, budgetNanos, base.loops().batch()));
    }

    /** Returns the latency budgets: none, all that the limit allows, and a third of that; only loops that share services have one. */
    private List<Long> budgets(Candidate base) {
        long most = base.loops().isCooperative() ? budgetNanos(base.transport()) : 0;
        return List.of(0L, most, round(most / 3));
    }

    private List<String> threadings(Candidate base) {
        List<String> all = new ArrayList<>();
        for (int loops = 1; loops <= cores; loops *= 2) {
            all.add(LoopPlan.COOPERATIVE + loops);
        }
        all.add(LoopPlan.PER_SERVICE);
        if (base.jvm().jvm().feature() >= LoopOptions.VIRTUAL_SINCE) {
            all.add("virtual");
        }
        return all;
    }

    /** Returns the idle strategies: a loop that never rests is an option if each has a core and no budget makes it wait. */
    private List<String> idles(Candidate base) {
        List<String> all = new ArrayList<>(List.of(IDLE));
        if (base.loops().latencyBudgetNanos() == 0 && threads(base.loops().threading()) <= cores) {
            all.addAll(List.of(BUSY_IDLE));
        }
        return all;
    }

    int threads(String threading) {
        return threading.startsWith(LoopPlan.COOPERATIVE)
                ? Integer.parseInt(threading.substring(LoopPlan.COOPERATIVE.length()))
                : (shape.services() + 2) * shape.instances();
    }

    private Map<String, String> forManyTopics(ChosenTransport transport) {
        return transport
                .withDefaults(transport.provider().manyTopicsOptions(shape.payloadBytes(), ratePerSecond))
                .options();
    }

    private Map<String, String> asTyped(ChosenTransport transport) {
        return transports.stream()
                .filter(each -> each.provider().equals(transport.provider()))
                .findFirst()
                .orElse(transport)
                .options();
    }
}
