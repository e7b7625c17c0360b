package dev.baton.measuring;

/** The methods that planted defects of recorders call. */
public final class RecorderDefects {
    private RecorderDefects() {}

    /** Adds with a plain load and a release store. */
    static long addReleased(Passage.OfOne passage, long number) {
        long before = passage.getPlain();
        passage.setRelease(before + number);
        return before;
    }
}
