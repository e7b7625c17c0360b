package dev.baton.lab.trial;

import dev.baton.lab.request.Study;
import dev.baton.lab.study.jitter.JitterStudy;
import dev.baton.lab.study.jitter.JitterWorkload;
import dev.baton.lab.study.load.LoadStudy;
import dev.baton.lab.study.load.LoadWorkload;
import dev.baton.lab.study.selftest.SelftestStudy;
import dev.baton.lab.study.selftest.SelftestWorkload;
import dev.baton.lab.study.soak.SoakStudy;
import dev.baton.lab.study.soak.SoakWorkload;
import dev.baton.lab.study.transit.TransitStudy;
import dev.baton.lab.study.transit.TransitWorkload;
import dev.baton.lab.study.window.WindowStudy;
import dev.baton.lab.study.window.WindowWorkload;
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
