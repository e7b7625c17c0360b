package dev.baton.lab.study.chaos;

import java.time.Duration;

/**
 * A second process does what one of the chain does, and then takes its place. Where rivals are kept out it stands by
 * until the first has ended; elsewhere it is let in, and the first stands by and opens nothing again. Confined to one
 * thread.
 */
final class Handover {
    private static final Duration SETTLE_LIMIT = Duration.ofSeconds(60);

    private final Scene scene;
    private final String name;
    private long endedNanos;

    Handover(Scene scene, String name) {
        this.scene = scene;
        this.name = name;
    }

    /** The first is killed. @return when it was gone */
    long byKill() {
        begin();
        endedNanos = System.nanoTime();
        scene.processes().killAndReplace(name);
        return System.nanoTime();
    }

    /** The first is asked to end. @return when it had */
    long inOrder() {
        begin();
        endedNanos = System.nanoTime();
        String wrong = scene.processes().endAndReplace(name);
        if (wrong != null) {
            scene.failures().add(wrong);
        }
        return System.nanoTime();
    }

    /** When the end of the first began. */
    long endedNanos() {
        return endedNanos;
    }

    private void begin() {
        scene.processes().startRival(name);
        long deadline = System.nanoTime() + SETTLE_LIMIT.toNanos();
        while (!isSettled() && !scene.isStopRequested().getAsBoolean()) {
            if (deadline - System.nanoTime() < 0) {
                scene.failures().add(unsettled());
                return;
            }
            ChainScenario.sleep(10);
        }
    }

    private boolean isSettled() {
        return scene.setUp().isExclusive()
                ? scene.processes().doesRivalStandBy(name)
                : scene.processes().isRivalReady(name) && scene.processes().doesStandBy(name);
    }

    private String unsettled() {
        return scene.setUp().isExclusive()
                ? "a second " + name + " did not stand by within " + SETTLE_LIMIT.toSeconds() + " s"
                : name + " did not make way for a newer one within " + SETTLE_LIMIT.toSeconds() + " s";
    }
}
