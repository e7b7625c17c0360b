package dev.baton.simulation.time;

import dev.baton.simulation.plan.Setting;
import java.util.ArrayList;
import java.util.List;

/** One life of a simulated process: its actors and its faults. */
public final class SimProcess {
    public final String name;
    public final int slot;
    public final boolean isRecovery;
    public final List<Actor> actors = new ArrayList<>();
    public boolean hasSlowOpens;
    boolean suspendsScripts; // a reading of the clock may suspend a script
    public boolean isDead;
    public boolean metFault; // so that it may fail
    public boolean failsNextSync;
    public boolean metRival; // whose lock refused it
    public boolean isReplaced; // a newer process has taken a topic or a consumer from it
    public boolean wasPaused;
    public boolean metSlowOpen;
    public int opensUntilFailure = -1; // -1: none fails
    public int opensUntilSlow = -1;
    public long slowOpenNanos;
    public int throwsNext; // callbacks of services
    public boolean throwsInSource; // once
    public long pausedUntil;
    int loops;
    private final Setting setting;

    public SimProcess(Setting setting, String name, int slot, boolean isRecovery) {
        this.setting = setting;
        this.name = name;
        this.slot = slot;
        this.isRecovery = isRecovery;
        this.hasSlowOpens = setting.hasSlowOpens && !isRecovery;
    }

    /** {@return whether no other process runs a part of the chain at any time} */
    public boolean isOneOfOne() {
        return setting.spread == Setting.Spread.ONE_PROCESS;
    }

    @Override
    public String toString() {
        return name;
    }
}
