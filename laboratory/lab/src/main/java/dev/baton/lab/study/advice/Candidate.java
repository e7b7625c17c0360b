package dev.baton.lab.study.advice;

import dev.baton.lab.command.PlannedTrials;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.launch.jvm.InstalledJvm;
import dev.baton.lab.launch.jvm.JvmChoice;
import dev.baton.lab.request.Limit;
import dev.baton.lab.request.Study;
import dev.baton.operations.line.Checks;
import dev.baton.operations.options.ChosenTransport;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Secrets;
import dev.baton.operations.settings.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One way to run the chains of the question, which is measured and may be recommended. Immutable, thread-safe. */
record Candidate(ChosenTransport transport, LoopPlan loops, JvmChoice jvm) {
    Candidate with(LoopPlan others) {
        return new Candidate(transport, others, jvm);
    }

    Candidate with(JvmChoice other) {
        return new Candidate(transport, loops, other);
    }

    Candidate with(Map<String, String> options) {
        return new Candidate(transport.with(options), loops, jvm);
    }

    String transportName() {
        return transport.provider().name();
    }

    /** The transport's options without values that must not be shown. */
    Map<String, String> shownOptions() {
        return Secrets.redacted(transport.options());
    }

    /** Returns the transport, the loops, and all values that are not defaults. */
    String name() {
        List<String> parts = new ArrayList<>(List.of(transportName(), loops.threading()));
        if (loops.latencyBudgetNanos() > 0) {
            parts.add("latency budget " + Limit.time(loops.latencyBudgetNanos()));
        }
        if (!loops.idle().equals(LoopPlan.DEFAULT_IDLE)) {
            parts.add("idle " + loops.idle());
        }
        if (loops.batch() > 0) {
            parts.add("batch " + loops.batch());
        }
        shownOptions().forEach((key, value) -> parts.add(key + "=" + value));
        if (jvm.collector() != null) {
            parts.add(Checks.typed(jvm.collector()));
        }
        if (jvm.heap() != null) {
            parts.add("heap " + jvm.heap());
        }
        if (!jvm.jvm().executable().equals(InstalledJvm.current().executable())) {
            parts.add(jvm.jvm().executable().toString());
        }
        if (!jvm.jvm().libraries().jars().isEmpty()) {
            parts.add(jvm.jvm().libraries().label());
        }
        parts.addAll(jvm.further());
        return String.join(", ", parts);
    }

    /** {@return the number of values that are not defaults: of two equal settings the one with fewer is simpler} */
    int deviations() {
        int loopValues = (loops.latencyBudgetNanos() == 0 ? 0 : 1)
                + (loops.idle().equals(LoopPlan.DEFAULT_IDLE) ? 0 : 1)
                + (loops.batch() == 0 ? 0 : 1);
        return loopValues
                + transport.options().size()
                + (jvm.collector() == null ? 0 : 1)
                + (jvm.heap() == null ? 0 : 1);
    }

    /** Returns its trial. @param common part of the trials of all settings; its loops and JVM are not used */
    PlannedTrial trial(String id, PlannedTrials common, List<Limit> limits) {
        PlannedTrial any = new PlannedTrials(
                        common.shape(), common.load(), loops, common.phases(), common.observers(), jvm, common.heap())
                .of(transport, Subject.BATON);
        return any.with(any.plan().asking(Study.CHAINS, limits).named(id));
    }
}
