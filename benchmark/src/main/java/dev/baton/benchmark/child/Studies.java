package dev.baton.benchmark.child;

import dev.baton.benchmark.jitter.JitterWorkload;
import dev.baton.benchmark.load.LoadWorkload;
import dev.baton.benchmark.plan.JitterStudy;
import dev.baton.benchmark.plan.LoadStudy;
import dev.baton.benchmark.plan.SelftestStudy;
import dev.baton.benchmark.plan.SoakStudy;
import dev.baton.benchmark.plan.Study;
import dev.baton.benchmark.plan.TransitStudy;
import dev.baton.benchmark.plan.WindowStudy;
import dev.baton.benchmark.selftest.SelftestWorkload;
import dev.baton.benchmark.soak.SoakWorkload;
import dev.baton.benchmark.transit.TransitWorkload;
import dev.baton.benchmark.trial.ChainWorkload;
import dev.baton.benchmark.trial.Instruments;
import dev.baton.benchmark.trial.Workload;
import dev.baton.benchmark.window.WindowWorkload;
import java.util.Map;
import java.util.Set;

/** Which workload answers which study. Stateless, thread-safe. */
final class Studies {
    private static final Map<Class<? extends Study>, Workload.Source> WORKLOADS = Map.of(
            JitterStudy.class, JitterWorkload::open,
            LoadStudy.class, LoadWorkload::open,
            SelftestStudy.class, SelftestWorkload::open,
            SoakStudy.class, SoakWorkload::open,
            TransitStudy.class, TransitWorkload::open,
            WindowStudy.class, WindowWorkload::open);

    private Studies() {}

    /** All studies that have one. */
    static Set<Class<? extends Study>> known() {
        return WORKLOADS.keySet();
    }

    /** Opens the workload that a plan asks for; chains when its plan names no study. */
    static Workload open(Instruments instruments) {
        Study study = instruments.plan().study();
        Workload.Source source = study == null ? ChainWorkload::open : WORKLOADS.get(study.getClass());
        if (source == null) {
            throw new IllegalStateException("no workload answers " + study);
        }
        return source.open(instruments);
    }
}
