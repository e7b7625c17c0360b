package dev.baton.engine;

import dev.baton.engine.chain.ChainState;
import dev.baton.engine.chain.Wait;
import dev.baton.run.Environment;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The release of a section by its loop, for which another thread waits. It waits as long as the loop is releasing resources
 * of transports, and for at most {@value #CALL_NANOS} ns while the loop is in a callback. Confined to the closing thread.
 */
final class SectionRemoval {
    /** The time that a close waits for a callback that is in progress when the limit of the close has passed. */
    static final long CALL_NANOS = 500_000_000;

    private static final int FEWEST_LOOKS = 50; // if this thread had no core, the loop may have had none either
    private static final long CHECK_NANOS = 200_000;

    private final Section section;
    private final Environment environment;
    private final CompletableFuture<Void> removed;
    private CompletableFuture<Boolean> answer; // completed by the loop in its next sweep
    private long calledSince; // time since which the loop has not responded and has released nothing
    private int looks; // number of checks since then
    private boolean isLeft;

    private SectionRemoval(Section section, Environment environment) {
        this.section = section;
        this.environment = environment;
        removed = section.loop().remove(section);
        ask(environment.nanoTime());
    }

    /** Makes the section's loop begin to release it. */
    static SectionRemoval begin(Section section, Environment environment) {
        return new SectionRemoval(section, environment);
    }

    /** Waits until each section is released or left to its loop, or until the deadline. */
    static void await(List<SectionRemoval> all, long deadlineNanos, Environment environment) {
        try (Wait wait = new Wait(environment)) {
            while (!haveAllEnded(all) && environment.nanoTime() - deadlineNanos < 0) {
                wait.park(CHECK_NANOS);
            }
        }
    }

    private static boolean haveAllEnded(List<SectionRemoval> all) {
        boolean haveEnded = true;
        for (SectionRemoval each : all) {
            haveEnded &= each.hasEnded();
        }
        return haveEnded;
    }

    private boolean hasEnded() {
        if (isLeft || removed.isDone() || section.isInCallersTurn()) {
            return true;
        }
        long now = environment.nanoTime();
        if (section.loop().isReleasing()) {
            called(now);
        } else if (answer.isDone()) {
            ask(now);
        } else {
            isLeft = ++looks >= FEWEST_LOOKS && now - calledSince >= CALL_NANOS;
            if (isLeft) {
                section.loop().leave(answer);
            }
        }
        return isLeft;
    }

    private void ask(long now) {
        called(now);
        answer = section.loop().ask(() -> true);
    }

    private void called(long now) {
        calledSince = now;
        looks = 0;
    }

    Section section() {
        return section;
    }

    /** Returns whether the loop is blocked in a callback; it releases the section when the callback returns. */
    boolean isLeft() {
        return isLeft;
    }

    /** Throws the exception of the release, or an exception if the release has not ended. */
    void check() {
        SectionOpening.await(environment, removed, 0, ChainState.RELEASE_NANOS, "close");
    }
}
