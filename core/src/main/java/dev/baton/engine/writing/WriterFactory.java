package dev.baton.engine.writing;

import dev.baton.engine.message.InboundMessage;
import dev.baton.run.Environment;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Opens the writers of one deployment, and determines which fields their frames carry in addition to their payloads.
 * Immutable, thread-safe.
 *
 * @param isChecked whether frames have checksums
 * @param isDated whether frames carry their origin by the wall clock
 * @param isTraced whether frames carry the trace context of their input
 * @param longestPayload longest payload that the transport carries
 * @param topology topology of the chain: its services in order, preceded by the topic of another chain at which it begins
 * @param merged input of a merge that these writers serve; null for a chain
 */
public record WriterFactory(
        boolean isChecked,
        boolean isDated,
        boolean isTraced,
        int longestPayload,
        String topology,
        MergedTopic.Input merged) {
    /** Creates the writers of a chain. */
    public WriterFactory(boolean isChecked, boolean isDated, boolean isTraced, int longestPayload, String topology) {
        this(isChecked, isDated, isTraced, longestPayload, topology, null);
    }

    public void begin(PendingOpens openings, String topic) {
        if (merged == null || merged.isFirst()) {
            openings.beginWriter(topic, topology);
        }
    }

    /** Opens a writer that was begun and prepared. */
    public TopicWriter open(PendingOpens openings, String topic) {
        return merged == null ? openings.writer(topic) : merged.open(() -> openings.writer(topic));
    }

    /**
     * Returns the frames of a service's output.
     *
     * @param input message that is being handled
     * @param holdsInputs whether the service holds inputs, so that the frames of its ticks are counted
     */
    public FrameWriter ofService(
            TopicWriter writer, Environment environment, InboundMessage input, int maxOutputs, boolean holdsInputs) {
        MergeShare share = merged == null ? null : merged.share();
        TickRound round = holdsInputs ? new TickRound(writer.found().field(Extension.TICK), maxOutputs) : null;
        FrameField[] fields = Stream.of(share, round, isDated ? new WallClock(environment, input) : null)
                .filter(Objects::nonNull)
                .toArray(FrameField[]::new);
        return new FrameWriter(writer, longestPayload, isChecked, isTraced ? input : null, share, round, fields);
    }

    /** Returns the frames of a source or an inlet. */
    public FrameWriter ofSource(TopicWriter writer, Environment environment) {
        FrameField[] fields = isDated ? new FrameField[] {new WallClock(environment, null)} : new FrameField[0];
        return new FrameWriter(writer, longestPayload, isChecked, null, null, null, fields);
    }

    /** Returns the frames of a topic that Baton itself writes: dead letters or snapshots. */
    public FrameWriter ofRecords(TopicWriter writer) {
        return new FrameWriter(writer, longestPayload, isChecked, null, null, null);
    }

    /** Returns the frames of a dead-letter topic, which carry this field. */
    public FrameWriter ofLetters(TopicWriter writer, FrameField field) {
        return new FrameWriter(writer, longestPayload, isChecked, null, null, null, field);
    }

    /** Returns the most bytes of fields and payload in a frame of a topic that Baton itself writes. */
    public int maxRecord() {
        return longestPayload - (isChecked ? Frame.CHECKSUM_BYTES : 0);
    }

    /** Returns the longest payload that a service or a sender may claim. */
    public int maxPayload() {
        return longestPayload
                - (isChecked ? Frame.CHECKSUM_BYTES : 0)
                - (isDated ? WallClock.BYTES : 0)
                - (isTraced ? FrameWriter.TRACE_BYTES : 0)
                - (merged == null ? 0 : merged.bytes());
    }
}
