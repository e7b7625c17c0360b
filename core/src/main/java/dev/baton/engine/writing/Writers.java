package dev.baton.engine.writing;

import dev.baton.engine.message.InboundMessage;
import dev.baton.run.Environment;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;

/**
 * What the frames of one deployment carry beside their payloads, and how their writers are opened. Immutable,
 * thread-safe.
 *
 * @param isChecked whether frames have checksums
 * @param isDated whether frames carry their origin by the wall clock
 * @param isTraced whether frames carry the trace context of their input on
 * @param longestPayload that the transport carries
 * @param topology of the chain: its services in order, and before them the topic of another chain that it begins at
 * @param merged the input of a merge that these writers serve, null for those of a chain
 */
public record Writers(
        boolean isChecked,
        boolean isDated,
        boolean isTraced,
        int longestPayload,
        String topology,
        MergedTopic.Input merged) {
    /** Of a chain. */
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
     * The writer itself, or one in front of it that gives frames a date.
     *
     * @param input that is being handled, null where there never is one
     */
    public TopicWriter dated(TopicWriter writer, Environment environment, InboundMessage input) {
        return isDated ? new DatedWriter(writer, environment, input) : writer;
    }

    /** The same for a service: in front of it, one that passes the trace context of its input on, where that is wanted. */
    public TopicWriter ofService(TopicWriter writer, Environment environment, InboundMessage input) {
        TopicWriter dated = dated(writer, environment, input);
        return isTraced ? new TracingWriter(dated, input) : dated;
    }

    /** The longest payload that a service or a sender may claim. */
    public int maxPayload() {
        return longestPayload
                - (isChecked ? Frame.CHECKSUM_BYTES : 0)
                - (isDated ? DatedWriter.BYTES : 0)
                - (isTraced ? TracingWriter.BYTES : 0)
                - (merged == null ? 0 : merged.bytes());
    }
}
