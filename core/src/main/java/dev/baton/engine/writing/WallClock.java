package dev.baton.engine.writing;

import dev.baton.engine.message.InboundMessage;
import dev.baton.run.Environment;
import dev.baton.spi.Cause;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;

/**
 * The field with the wall-clock origin time: that of the input for an output of an input, and otherwise the frame's own
 * origin time, converted to the wall clock. Confined to its thread.
 */
final class WallClock implements FrameField {
    static final int BYTES = Extension.bytes(Extension.WALL_CLOCK_BYTES);

    private final Environment environment;
    private final InboundMessage input; // null if there never is one
    private int at; // offset of the value in the open claim

    WallClock(Environment environment, InboundMessage input) {
        this.environment = environment;
        this.input = input;
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
        frame.putFieldLong(
                at, isOfInput ? input.originWallNanos() : origin + environment.wallNanos() - environment.nanoTime());
    }
}
