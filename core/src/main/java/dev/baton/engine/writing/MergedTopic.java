package dev.baton.engine.writing;

import dev.baton.spi.Extension;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import java.util.List;
import java.util.function.Supplier;

/**
 * The output that the inputs of one merge share: one writer, and for each input the sequence of its newest message in the
 * topic. Each frame contains these sequences for all inputs ({@link Extension#MERGED}), so that a restart needs only the
 * newest frame, even if an input has had no message for a long time. Confined to its loop.
 */
public final class MergedTopic {
    private final String topic;
    private final MergedProgress progress;
    private TopicWriter writer; // null until the first input opens it
    private int sharers = 1; // inputs without a turn so far in this round, including the current one

    public MergedTopic(String topic, List<String> inputs) {
        this.topic = topic;
        this.progress = new MergedProgress(inputs.size());
    }

    /** Returns the handle that opens the writer for an input. */
    public Input input(int index) {
        return new Input(this, index);
    }

    /** Returns the writer of all inputs; null before it is open. */
    public TopicWriter writer() {
        return writer;
    }

    /** Sets the number of inputs, including the one whose turn begins, that share the remaining room. */
    public void shareWith(int inputsLeft) {
        sharers = inputsLeft;
    }

    int sharers() {
        return sharers;
    }

    private void recover() {
        byte[] newest = writer.found().field(Extension.MERGED);
        if (newest != null) {
            progress.recover(topic, newest);
        } else if (writer.found().cause() != 0) {
            throw new TransportException("the newest frame of topic '" + topic
                    + "' does not name the merged inputs: no merge wrote it, or this transport does not keep"
                    + " the extension in TopicWriter.found");
        }
    }

    /**
     * One of the inputs, as used by its {@link WriterFactory}.
     *
     * @param index index of the input, from 0
     */
    public record Input(MergedTopic merged, int index) {
        boolean isFirst() {
            return index == 0;
        }

        /** Returns the writer that all inputs share. The first call for any input opens it. */
        TopicWriter open(Supplier<TopicWriter> open) {
            if (merged.writer == null) {
                merged.writer = open.get();
                merged.recover();
            }
            return merged.writer;
        }

        /** Returns the share of this input in the open topic. */
        MergeShare share() {
            return new MergeShare(merged, merged.progress, index);
        }

        /** Returns the bytes of the field, which reduce the longest payload. */
        int bytes() {
            return Extension.bytes(merged.progress.length());
        }
    }
}
