package dev.baton.aeron.archive;

import dev.baton.aeron.log.FragmentChecksum;
import dev.baton.aeron.log.FragmentLayout;
import dev.baton.aeron.recording.ArchiveSession;
import dev.baton.aeron.recording.RecordingDescriptor;
import dev.baton.aeron.recording.RecordingReplay;
import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicEnd;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The end of a topic: its newest frame and newest writer, read from the beginning of the last term. Confined to the thread that
 * reads it.
 */
final class LogEnd implements RecordingReplay.Fragments {
    private final String topic;
    private final long recording;
    private final FragmentChecksum checksum = new FragmentChecksum();
    private long sequence;
    private boolean isComplete;
    private byte[] frame = {}; // header and extension of the newest one
    private InputRef input = InputRef.UNKNOWN; // that the frames to come answer
    private InputRef newestInput = InputRef.UNKNOWN;
    private Incarnation writer; // the newest one
    private Incarnation predecessor; // of the newest frame

    LogEnd(RecordingDescriptor recording) {
        topic = recording.topic();
        this.recording = recording.id();
    }

    /**
     * Reads the end of a topic up to a position. Waits for the replay of up to a term, or of one more when a writer that was
     * killed in its first claim of a term has left nothing but padding there.
     *
     * @param end position behind the newest fragment
     */
    static LogEnd of(ArchiveSession session, RecordingDescriptor recording, long end) {
        LogEnd found = new LogEnd(recording);
        for (long to = end; found.writer == null && to > recording.start(); to = recording.termOf(to - 1)) {
            RecordingReplay.scan(session, recording, recording.termOf(to - 1), to, found);
        }
        return found;
    }

    @Override
    public boolean onFragment(ByteBuffer memory, int begin, int length, long end) {
        if (Checkpoint.isAt(memory, begin)) {
            apply(Checkpoint.decode(topic, memory, begin, length));
            return true;
        }
        checksum.require(topic, recording, memory, begin, length, end);
        int last = begin;
        long due = FragmentLayout.firstSequence(memory, begin);
        for (int at = 0; at < length; due++) {
            last = begin + at;
            at = FragmentLayout.next(topic, memory, begin, at, length, due);
        }
        int payload = memory.getInt(last);
        sequence = due - 1;
        isComplete = FragmentLayout.isLastOfFlush(memory, begin);
        int kept = Checkpoint.keptBytes(memory, last + FragmentLayout.FRAME_OFFSET, payload);
        if (frame.length != kept) {
            frame = new byte[kept];
        }
        memory.get(last + FragmentLayout.FRAME_OFFSET, frame);
        newestInput = input;
        predecessor = writer;
        return true;
    }

    private void apply(Checkpoint checkpoint) {
        if (writer == null) { // the first fragment: earlier frames are in terms that are not read
            sequence = checkpoint.sequence();
            isComplete = checkpoint.isComplete();
            frame = checkpoint.newestFrame();
            newestInput = checkpoint.newestInput();
            predecessor = checkpoint.predecessor();
        }
        writer = checkpoint.writer();
        input = checkpoint.input();
    }

    /** Returns the sequence of the newest frame, 0 for none. */
    long sequence() {
        return sequence;
    }

    /** Returns whether the newest frame was the last one of its flush. */
    boolean isComplete() {
        return sequence > 0 && isComplete;
    }

    /** Returns header and extension of the newest frame; empty for none. */
    byte[] frameBytes() {
        return frame.clone();
    }

    /** Returns the end of the topic, for a writer that continues here. */
    TopicEnd end() {
        Frame newest = frame.length == 0
                ? null
                : new Frame()
                        .wrap(
                                ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN),
                                0,
                                frame.length - Frame.HEADER_BYTES);
        return TopicEnd.at(newest, isComplete(), predecessor, newestInput);
    }

    /** Returns the input that the newest frame answers. */
    InputRef input() {
        return newestInput;
    }

    /** Returns the newest writer, with or without frames; null for none. */
    Incarnation writer() {
        return writer;
    }

    /** Returns the writer of the newest frame; null for none. */
    Incarnation predecessor() {
        return predecessor;
    }
}
