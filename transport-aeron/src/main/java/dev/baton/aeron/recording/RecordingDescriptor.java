package dev.baton.aeron.recording;

import io.aeron.ChannelUri;
import io.aeron.CommonContext;
import io.aeron.archive.client.AeronArchive;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.LogBufferDescriptor;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.agrona.BitUtil;

/**
 * The entry of one recording in the Archive's catalog: a topic, the record of its end, or the positions of its consumer. Its
 * name is the alias in the channel that was recorded first. Immutable, thread-safe.
 *
 * @param alias kind and name of the recording
 * @param id in the Archive
 * @param startTimestamp time of its creation, milliseconds since 1970
 * @param start position of the oldest fragment left
 * @param stop position behind the newest one; {@link AeronArchive#NULL_POSITION} while it is written
 * @param initialTermId of its log
 * @param segmentLength bytes of a file
 * @param termLength bytes of a term
 * @param mtu the longest fragment
 * @param sessionId of the publication that was recorded last
 * @param streamId of its log
 */
public record RecordingDescriptor(
        String alias,
        long id,
        long startTimestamp,
        long start,
        long stop,
        int initialTermId,
        int segmentLength,
        int termLength,
        int mtu,
        int sessionId,
        int streamId) {
    /** The stream id of all topics. */
    public static final int TOPICS = 0x4261_7401;
    /** The stream id of all positions of consumers. */
    public static final int CONSUMERS = 0x4261_7402;
    /** The stream id of all records of topics' ends. */
    public static final int ENDS = 0x4261_7404;

    /** The stream id of the recordings that tell the role of an Archive. */
    public static final int ROLES = 0x4261_7406;

    private static final String END = ";"; // in no topic's name
    private static final String TOPIC = "baton-topic" + END;
    private static final String CONSUMER = "baton-consumer" + END;
    private static final String TOPIC_END = "baton-end" + END;
    private static final int IDENTITY_BITS = 20;

    /** Returns the alias of a topic. */
    public static String topicAlias(String topic) {
        return TOPIC + topic + END;
    }

    /** Returns the alias of the record of a topic's end. */
    public static String endAlias(String topic) {
        return TOPIC_END + topic + END;
    }

    /** Returns the alias of a consumer's positions. */
    public static String consumerAlias(String topic, String consumer) {
        return CONSUMER + topic + END + URLEncoder.encode(consumer, StandardCharsets.UTF_8) + END;
    }

    /** Returns the prefix of the aliases of a topic's consumers. */
    public static String consumersOf(String topic) {
        return CONSUMER + topic + END;
    }

    /** Returns the prefix of the aliases of topics. */
    public static String topics() {
        return TOPIC;
    }

    /** Returns the alias of a recorded channel; empty for none. */
    static String aliasOf(String channel) {
        String alias = ChannelUri.parse(channel).get(CommonContext.ALIAS_PARAM_NAME);
        return alias == null ? "" : alias;
    }

    /** Returns the topic whose frames or whose consumer's positions are recorded. */
    public String topic() {
        return alias.split(END)[1];
    }

    /** Returns the name of what is recorded, for messages. */
    public String what() {
        String of = "topic '" + topic() + "'";
        return switch (streamId) {
            case CONSUMERS -> "consumer '" + consumer() + "' of " + of;
            case ENDS -> "the end of " + of;
            default -> of;
        };
    }

    /** Returns the consumer whose positions are recorded. */
    public String consumer() {
        return URLDecoder.decode(alias.split(END)[2], StandardCharsets.UTF_8);
    }

    /**
     * Returns the identity of the topic, which changes when it is deleted and created again; never 0. The driver draws the initial
     * term at random. A copy in another Archive has another id, and the same identity.
     */
    public long identity() {
        return startTimestamp << IDENTITY_BITS | initialTermId & (1L << IDENTITY_BITS) - 1;
    }

    /** Returns whether the recording has a writer, or had one that died a moment ago. */
    public boolean isWritten() {
        return stop == AeronArchive.NULL_POSITION;
    }

    /** Returns whether nothing was recorded, and nothing is being recorded. */
    public boolean isEmpty() {
        return start == stop;
    }

    /**
     * Returns the recording and a value of it that Aeron never writes, as text; null if all values are possible. A flipped bit in the
     * catalog can give such a value, as Aeron checks only a part of each entry.
     */
    String defect() {
        int alignment = FrameDescriptor.FRAME_ALIGNMENT;
        boolean isTerm = BitUtil.isPowerOfTwo(termLength)
                && termLength >= LogBufferDescriptor.TERM_MIN_LENGTH
                && termLength <= LogBufferDescriptor.TERM_MAX_LENGTH;
        String wrong = null;
        if (!isTerm) {
            wrong = "terms of " + termLength;
        } else if (mtu < alignment
                || mtu % alignment != 0
                || mtu > FrameDescriptor.computeMaxMessageLength(termLength)) {
            wrong = "an MTU of " + mtu;
        } else if (!BitUtil.isPowerOfTwo(segmentLength) || segmentLength < termLength) {
            wrong = "segments of " + segmentLength;
        }
        if (wrong == null && (start < 0 || start % alignment != 0 || start / termLength > Integer.MAX_VALUE)) {
            wrong = "a start at " + start;
        } else if (wrong == null
                && !isWritten()
                && (stop < start || stop % alignment != 0 || stop / termLength > Integer.MAX_VALUE)) {
            wrong = "an end at " + stop;
        }
        return wrong == null ? null : "recording " + id + " ('" + alias + "') has " + wrong + " bytes";
    }

    /** Returns the beginning of the term that a position lies in, or of the recording. */
    public long termOf(long position) {
        return Math.max(start, position & -termLength);
    }

    /** Returns the beginning of the segment that a position lies in. */
    public long segmentOf(long position) {
        return AeronArchive.segmentFileBasePosition(start, position, termLength, segmentLength);
    }
}
