package dev.baton.engine.writing;

import dev.baton.engine.message.InboundMessage;
import dev.baton.run.Environment;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;

/**
 * The fields that the frames of one deployment carry in addition to their payloads, and the opening of their writers.
 * Immutable, thread-safe.
 *
 * @param isChecked whether frames have checksums
 * @param isDated whether frames carry their origin by the wall clock
 * @param isTraced whether frames carry the trace context of their input
 * @param longestPayload longest payload that the transport carries
 * @param topology topology of the chain: its services in order, preceded by the topic of another chain at which it begins
 * @param merged input of a merge that these writers serve; null for a chain
 */
public record Writers(
        boolean isChecked,
        boolean isDated,
        boolean isTraced,
        int longestPayload,
        String topology,
        MergedTopic.Input merged) {
    /** Creates the writers of a chain. */
    public Writers(boolean isChecked, boolean isDated, boolean isTraced, int longestPayload, String topology) {
        this(isChecked, isDated, isTraced, longestPayload, topology, null);
    }

    public void begin(PendingOpens openings, String topic) {
        if (merged == null || merged.isFirst()) {
            openings.beginWriter(topic, topology);
        }
    }

    /** Opens a writer that was begun and prepared. */
    public TopicWriter open(PendingOpens openings, String topic) {
        return merged == null ? openOne(openings, topic) : merged.open(() -> openOne(openings, topic));
    }

    private TopicWriter openOne(PendingOpens openings, String topic) {
        TopicWriter writer = openings.writer(topic);
        return isChecked ? new CheckedWriter(writer, longestPayload - Frame.CHECKSUM_BYTES) : writer;
    }

    /**
     * Returns the writer, or a decorator of it that adds the wall-clock origin time to frames.
     *
     * @param input message that is being handled; null if there never is one
     */
    public TopicWriter dated(TopicWriter writer, Environment environment, InboundMessage input) {
        return isDated ? new DatedWriter(writer, environment, input) : writer;
    }

    /**
     * Returns {@link #dated} for a service, with a decorator that copies the trace context of the input if frames are
     * traced.
     */
    public TopicWriter ofService(TopicWriter writer, Environment environment, InboundMessage input) {
        TopicWriter dated = dated(writer, environment, input);
        return isTraced ? new TracingWriter(dated, input) : dated;
    }

    /** Returns the longest payload that a service or a sender may claim. */
    public int maxPayload() {
        return longestPayload
                - (isChecked ? Frame.CHECKSUM_BYTES : 0)
                - (isDated ? DatedWriter.BYTES : 0)
                - (isTraced ? TracingWriter.BYTES : 0)
                - (merged == null ? 0 : merged.bytes());
    }
}
