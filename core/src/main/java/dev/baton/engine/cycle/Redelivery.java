package dev.baton.engine.cycle;

import dev.baton.engine.writing.TickWriter;
import dev.baton.spi.Cause;
import dev.baton.spi.Incarnation;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;

/**
 * Up to which input a service that holds inputs has stored its outputs, and whether the newest of those was sent by a
 * tick. Immutable.
 *
 * @param last sequence of the last input whose outputs are stored
 * @param endsWithTick whether a tick behind that input sent the newest output
 * @param endsWithClosing whether {@code onClosing} sent it
 * @param tickTime when, in nanoseconds since 1970-01-01T00:00Z
 * @param ofRound outputs of that tick and those before it that found too little room; 0 where that is not known
 * @param wholeTime up to which all was sent that was due before those, 0 for none
 */
public record Redelivery(
        long last, boolean endsWithTick, boolean endsWithClosing, long tickTime, int ofRound, long wholeTime) {
    /**
     * What comes again at a start; null when nothing does.
     *
     * @param answered sequence of the last input whose outputs are stored
     * @param acknowledged sequence of the last one acknowledged, perhaps {@link TopicReader#UNKNOWN}
     */
    static Redelivery of(long answered, long acknowledged, TopicWriter writer) {
        if (answered <= Math.max(0, acknowledged)) {
            return null;
        }
        return upTo(answered, writer);
    }

    /** What comes again up to an input, the last one whose outputs are stored. */
    public static Redelivery upTo(long answered, TopicWriter writer) {
        Incarnation author = writer.predecessor();
        boolean isTick = author != null && Cause.isOfTick(writer.causeAtOpen());
        byte[] tick = isTick ? writer.tickAtOpen() : null;
        return new Redelivery(
                answered,
                isTick,
                isTick && Cause.isOfClosing(writer.causeAtOpen()),
                isTick ? writer.originAtOpen() + author.wallOffsetNanos() : 0,
                tick == null ? 0 : TickWriter.count(tick),
                tick == null ? 0 : TickWriter.whole(tick));
    }

    /** The same up to an earlier input, behind which the topic is another one; null when nothing is left. */
    public Redelivery upTo(long earlier) {
        return earlier <= 0 ? null : new Redelivery(earlier, false, false, 0, 0, 0);
    }
}
