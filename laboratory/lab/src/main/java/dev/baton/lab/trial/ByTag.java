package dev.baton.lab.trial;

/**
 * Knows messages at saturation, where no schedule tells when they were sent: the tag is the lower half of the number,
 * exact as long as no two billion messages are in flight, and origins are send times, which rise.
 */
final class ByTag implements Recognition {
    private final Window window;
    private long newestOriginNanos;
    private long newest = -1;

    ByTag(Window window) {
        this.window = window;
    }

    @Override
    public long numberOf(long originNanos, int tag, long expected, long nowNanos) {
        long number = expected + (tag - (int) expected);
        boolean isNewer = number > newest;
        boolean isPossible = originNanos - nowNanos <= 0 && originNanos - window.startNanos() >= 0;
        boolean isInOrder = newest < 0 || (originNanos - newestOriginNanos > 0) == isNewer;
        if (number < 0 || !isPossible || !isInOrder) {
            return -1;
        }
        if (isNewer) {
            newest = number;
            newestOriginNanos = originNanos;
        }
        return number;
    }

    /** None: the origin is the send. */
    @Override
    public long sendDelayNanos(int tag) {
        return 0;
    }

    @Override
    public long originNanos(long number) {
        return window.measureNanos();
    }
}
