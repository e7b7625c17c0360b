package dev.baton.lab.study.soak;

import dev.baton.lab.request.Study;
import dev.baton.operations.settings.Range;

/**
 * The question of a soak: whether chains that run for long use more and more of a resource, or become slower. Immutable, thread-safe.
 *
 * @param points of the measurement, evenly spaced, at which resources are counted; each begins with a full garbage collection
 */
public record SoakStudy(int points) implements Study {
    /** Fewer would let a slope pass that a person sees. */
    public static final int LEAST_POINTS = 20;

    public static final int MOST_POINTS = 1_000;

    public SoakStudy {
        Range.check("points", points, LEAST_POINTS, MOST_POINTS);
    }

    /** Returns true: a soak is judged by the trends of the resources that processes hold. */
    @Override
    public boolean isJudged() {
        return true;
    }

    /** A leak is a defect, whatever it is compared with. */
    @Override
    public boolean isEachFailureADefect() {
        return true;
    }
}
