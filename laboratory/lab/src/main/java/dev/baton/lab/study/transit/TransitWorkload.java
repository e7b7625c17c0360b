package dev.baton.lab.study.transit;

import dev.baton.lab.results.Findings;
import dev.baton.lab.trial.Transports;
import dev.baton.lab.trial.ends.Instruments;
import dev.baton.measuring.machine.Cores;
import dev.baton.measuring.rig.ChainRig;
import java.util.function.BooleanSupplier;

/** A chain of one topic and no service, its two threads bound to CPUs where that was asked for, and the floor after it. */
public final class TransitWorkload extends PinnedChains {
    private final Instruments instruments;
    private final TransitStudy study;
    private final Floor floor;

    private TransitWorkload(Instruments instruments, TransitStudy study, ChainRig rig) {
        super(instruments, rig, study.cpus());
        this.instruments = instruments;
        this.study = study;
        floor = new Floor(instruments.trial(), study);
    }

    /** Over the engine that the plan names. */
    static TransitWorkload open(Instruments instruments, TransitStudy study) {
        return over(Transports.rig(instruments), rig -> new TransitWorkload(instruments, study, rig));
    }

    /** The floor, of a trial that was not cut short. */
    @Override
    public void measureBeside(BooleanSupplier isOver) {
        boolean isWhole = instruments.window().measuredNanos()
                == instruments.plan().phases().measureNanos();
        if (study.floorNanos() > 0 && isWhole && !isOver.getAsBoolean()) {
            floor.measure(isOver);
        }
    }

    @Override
    public Findings findings() {
        return new TransitFindings(floor.latency, floor.doubts, study.cpus(), Cores.isolated());
    }
}
