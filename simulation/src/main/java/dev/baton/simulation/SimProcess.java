package dev.baton.simulation;

import java.util.ArrayList;
import java.util.List;

/** One life of a simulated process: its actors and its faults. */
final class SimProcess {
    final String name;
    final int slot;
    final boolean isRecovery;
    final List<Actor> actors = new ArrayList<>();
    boolean hasSlowOpens;
    boolean isDead;
    boolean metFault; // so that it may fail
    boolean failsNextSync;
    boolean metRival; // whose lock refused it
    boolean isReplaced; // a newer process has taken a topic or a consumer from it
    boolean wasPaused;
    boolean metSlowOpen;
    int opensUntilFailure = -1; // -1: none fails
    int opensUntilSlow = -1;
    long slowOpenNanos;
    int throwsNext; // callbacks of services
    boolean throwsInSource; // once
    long pausedUntil;
    int loops;
    private final Setting setting;

    SimProcess(Setting setting, String name, int slot, boolean isRecovery) {
        this.setting = setting;
        this.name = name;
        this.slot = slot;
        this.isRecovery = isRecovery;
        this.hasSlowOpens = setting.hasSlowOpens && !isRecovery;
    }

    /** {@return whether no other process runs a part of the chain at any time} */
    boolean isOneOfOne() {
        return setting.spread == Setting.Spread.ONE_PROCESS;
    }

    @Override
    public String toString() {
        return name;
    }
}
