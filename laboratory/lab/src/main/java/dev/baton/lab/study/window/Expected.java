package dev.baton.lab.study.window;

/**
 * What a part's windows have to add up to, found without the service that counts: how many events a window holds follows
 * from the schedule, and what their keys add up to the source has noted at each step's end, before it sent the watermark.
 * So a count that is wrong shows, and a count that stands with another key, too. Written by the source's thread, read by
 * the sink's for steps whose results it has.
 */
final class Expected {
    private final EventSchedule schedule;
    private final int frames;
    private final long[] weights; // of all events up to each step's end

    /** @param frames steps that the window covers */
    Expected(EventSchedule schedule, int frames, int steps) {
        this.schedule = schedule;
        this.frames = frames;
        weights = new long[steps + 1];
    }

    /** What a key counts for. */
    static long weightOf(int key) {
        return key + 1L;
    }

    /** Notes what the keys of all events up to a step's end weigh. */
    void weighed(int step, long weight) {
        weights[step] = weight;
    }

    /** Events of the window that ends with a step. */
    long events(int step) {
        return schedule.eventsIn(step, frames);
    }

    /** What their keys weigh. */
    long weight(int step) {
        return weights[step] - weights[Math.max(0, step - frames)];
    }
}
