package dev.baton.engine.recovery;

import dev.baton.engine.writing.TickRound;
import dev.baton.spi.Cause;
import dev.baton.spi.Extension;
import dev.baton.spi.Incarnation;
import dev.baton.spi.TopicEnd;
import dev.baton.spi.TopicReader;

/**
 * The last input for which a service that holds inputs has stored its outputs, and the tick that sent the newest output, if
 * a tick did. Immutable.
 *
 * @param last sequence of the last input whose outputs are stored
 * @param endsWithTick whether a tick after that input sent the newest output
 * @param endsWithClosing whether {@code onClosing} sent it
 * @param tickTime time of that tick, in nanoseconds since 1970-01-01T00:00Z
 * @param ofRound number of outputs of that tick and of the preceding ticks that had too little room; 0 if it is not known
 * @param wholeTime time of the last tick before those, all of whose outputs were sent; 0 for none
 */
public record Redelivery(
        long last, boolean endsWithTick, boolean endsWithClosing, long tickTime, int ofRound, long wholeTime) {
    /**
     * Returns the inputs that are redelivered at a start; null if there are none.
     *
     * @param answered sequence of the last input whose outputs are stored
     * @param acknowledged sequence of the last input acknowledged, or {@link TopicReader#UNKNOWN}
     */
    public static Redelivery of(long answered, long acknowledged, TopicEnd end) {
        if (answered <= Math.max(0, acknowledged)) {
            return null;
        }
        return upTo(answered, end);
    }

    /** Returns the redelivery up to an input, the last one whose outputs are stored. */
    public static Redelivery upTo(long answered, TopicEnd end) {
        Incarnation author = end.writer();
        boolean isTick = author != null && Cause.isOfTick(end.cause());
        byte[] tick = isTick ? end.field(Extension.TICK) : null;
        return new Redelivery(
                answered,
                isTick,
                isTick && Cause.isOfClosing(end.cause()),
                isTick ? end.originNanos() + author.wallOffsetNanos() : 0,
                tick == null ? 0 : TickRound.count(tick),
                tick == null ? 0 : TickRound.whole(tick));
    }

    /** Returns this redelivery up to an earlier input, after which the topic is another one; null if no input is left. */
    public Redelivery upTo(long earlier) {
        return earlier <= 0 ? null : new Redelivery(earlier, false, false, 0, 0, 0);
    }
}
