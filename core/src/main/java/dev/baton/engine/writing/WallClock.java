package dev.baton.engine.writing;

import dev.baton.engine.message.InboundMessage;
import dev.baton.run.Environment;
import dev.baton.spi.Cause;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;

/**
 * The field with the wall-clock origin time: that of the input for an output of an input, and otherwise the frame's own
 * origin time, converted to the wall clock.
 *
 * <p>The conversion adds the difference of the two clocks. A reading of the wall clock between two readings of the monotonic
 * clock gives an interval for that difference. The difference that is in use stays while it is in the interval, and otherwise
 * moves to the nearest end. So a thread that is suspended between two readings shifts nothing, and the times of increasing
 * origins increase, unless the wall clock is set back. Confined to its thread.
 */
final class WallClock implements FrameField {
    static final int BYTES = Extension.bytes(Extension.WALL_CLOCK_BYTES);

    private static final long RESOLUTION_NANOS = 1_000; // of wall clocks, which round down
    private static final int FIRST_READINGS = 10; // one of them is not interrupted

    private final Environment environment;
    private final InboundMessage input; // null if there never is one
    private long difference = Long.MIN_VALUE; // what the wall clock is ahead of the monotonic clock
    private int at; // offset of the value in the open claim

    WallClock(Environment environment, InboundMessage input) {
        this.environment = environment;
        this.input = input;
        for (int i = 0; i < FIRST_READINGS; i++) {
            compareClocks();
        }
    }

    @Override
    public int bytes() {
        return BYTES;
    }

    @Override
    public void add(Frame claim) {
        at = claim.addField(Extension.WALL_CLOCK, Extension.WALL_CLOCK_BYTES);
    }

    @Override
    public void complete(Frame frame) {
        long origin = frame.originNanos();
        boolean isOfInput =
                frame.servicesPassed() > 0 && !Cause.isOfTick(frame.cause()) && origin == input.originNanos();
        if (!isOfInput) {
            compareClocks();
        }
        frame.putFieldLong(at, isOfInput ? input.originWallNanos() : origin + difference);
    }

    private void compareClocks() {
        long before = environment.nanoTime();
        long wall = environment.wallNanos();
        long least = wall - environment.nanoTime();
        difference = Math.max(least, Math.min(difference, wall - before + RESOLUTION_NANOS));
    }
}
