package dev.baton.disruptor;

import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.TopicWriter;

/** Writes frames whose content follows from their sequence, and checks that each is met once, in order, unaltered. */
final class SeededReader implements FrameHandler {
    private long first;
    private long newest;
    private long position = -1;

    /** Commits the next frame, within the room that there is. */
    static void write(TopicWriter writer) {
        long sequence = writer.sequence() + 1;
        Frame frame = writer.claim(Long.BYTES);
        frame.putLong(0, content(sequence));
        frame.stamp((int) (sequence & 0xFFFF), (int) sequence, sequence, ~sequence, content(sequence));
        writer.commit(lengthOf(sequence));
    }

    @Override
    public Verdict onFrame(Frame frame, long at) {
        long sequence = frame.sequence();
        boolean first = newest == 0;
        boolean follows = first || sequence == newest + 1;
        boolean intact = frame.cause() == sequence
                && frame.type() == (int) sequence
                && frame.originNanos() == ~sequence
                && frame.sentNanos() == content(sequence)
                && frame.length() == lengthOf(sequence)
                && (frame.length() == 0 || frame.getLong(0) == content(sequence));
        if (!follows || !intact || at != sequence - 1) {
            throw new AssertionError("after " + newest + " at " + position + " came " + sequence + " at " + at
                    + (intact ? "" : ", altered"));
        }
        if (first) {
            this.first = sequence;
        }
        newest = sequence;
        position = at;
        return Verdict.DONE;
    }

    /** Sequence of the first frame met. */
    long first() {
        return first;
    }

    /** Sequence of the newest frame met. */
    long newest() {
        return newest;
    }

    /** Frames met. */
    long count() {
        return newest == 0 ? 0 : newest - first + 1;
    }

    /** Position of the newest frame met. */
    long position() {
        return position;
    }

    private static int lengthOf(long sequence) {
        return sequence % 3 == 0 ? 0 : Long.BYTES;
    }

    private static long content(long sequence) {
        return sequence * 0x9E3779B97F4A7C15L;
    }
}
