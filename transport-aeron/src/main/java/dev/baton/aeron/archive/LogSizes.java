package dev.baton.aeron.archive;

import dev.baton.aeron.AeronOptions;
import dev.baton.aeron.log.FragmentLayout;
import dev.baton.spi.TransportException;
import io.aeron.ExclusivePublication;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import org.agrona.BitUtil;

/**
 * How much of a log a writer counts for what it may have to write: a batch crosses the end of one term at most, where it leaves
 * room for less than a frame or a checkpoint and begins with a checkpoint, and it may begin with another one. Immutable,
 * thread-safe.
 *
 * @param checkpoint bytes of the log for the longest checkpoint
 * @param reserve bytes of the log that a batch may take beside its frames
 * @param capacity frames of the longest payload in one batch
 */
record LogSizes(int checkpoint, int reserve, int capacity) {
    private static final int STEPS_PER_WINDOW = 8; // by so much a publication's limit moves

    /**
     * Computes them for a publication.
     *
     * @param maxPayload longest payload of a frame
     * @param checkpointBytes of the longest checkpoint
     * @param topic for the error
     * @throws TransportException when the topic was created with terms or fragments that are too short
     */
    static LogSizes of(ExclusivePublication publication, int maxPayload, int checkpointBytes, String topic) {
        int longest = FragmentLayout.logBytes(maxPayload);
        int checkpoint =
                BitUtil.align(DataHeaderFlyweight.HEADER_LENGTH + checkpointBytes, FrameDescriptor.FRAME_ALIGNMENT);
        int fragment = publication.maxPayloadLength();
        requireRoomFor(longest, fragment, AeronOptions.MAX_PAYLOAD + "=" + maxPayload, topic);
        requireRoomFor(checkpoint, fragment, "the name of its chain", topic);
        int reserve = 2 * checkpoint + Math.max(longest, checkpoint);
        int termLength = publication.termBufferLength();
        int window = (int) Math.min(termLength / 2, publication.availableWindow());
        int capacity = (window - 2 * (window / STEPS_PER_WINDOW) - reserve) / longest;
        if (capacity < 1) {
            throw new TransportException("topic '" + topic + "' was created with " + AeronOptions.TERM_LENGTH + "="
                    + termLength + ", too short for " + AeronOptions.MAX_PAYLOAD + "=" + maxPayload
                    + " and what a chain adds; delete it, or lower " + AeronOptions.MAX_PAYLOAD);
        }
        return new LogSizes(checkpoint, reserve, capacity);
    }

    private static void requireRoomFor(int bytes, int fragment, String what, String topic) {
        if (bytes - DataHeaderFlyweight.HEADER_LENGTH > fragment) {
            throw new TransportException("topic '" + topic + "' was created with fragments of at most " + fragment
                    + " bytes, and " + what + " needs " + bytes + "; a " + AeronOptions.MAX_PAYLOAD + " of up to "
                    + longestPayload(fragment) + " fits, or delete the topic and have it created with a longer "
                    + AeronOptions.TERM_LENGTH + " or " + AeronOptions.MAX_PAYLOAD);
        }
    }

    private static int longestPayload(int fragment) {
        int payload = fragment;
        while (payload > 0 && FragmentLayout.logBytes(payload) - DataHeaderFlyweight.HEADER_LENGTH > fragment) {
            payload--;
        }
        return payload;
    }
}
