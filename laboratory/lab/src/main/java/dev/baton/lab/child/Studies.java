package dev.baton.lab.child;

import dev.baton.lab.jitter.JitterWorkload;
import dev.baton.lab.load.LoadWorkload;
import dev.baton.lab.plan.JitterStudy;
import dev.baton.lab.plan.LoadStudy;
import dev.baton.lab.plan.SelftestStudy;
import dev.baton.lab.plan.SoakStudy;
import dev.baton.lab.plan.Study;
import dev.baton.lab.plan.TransitStudy;
import dev.baton.lab.plan.WindowStudy;
import dev.baton.lab.selftest.SelftestWorkload;
import dev.baton.lab.soak.SoakWorkload;
import dev.baton.lab.transit.TransitWorkload;
import dev.baton.lab.trial.ChainWorkload;
import dev.baton.lab.trial.Instruments;
import dev.baton.lab.trial.Workload;
import dev.baton.lab.window.WindowWorkload;
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
