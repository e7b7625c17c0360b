package dev.baton.engine.writing;

import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicEnd;

/**
 * The view of the merged topic's writer for one input: its causes are sequences of that input, and its room is the input's
 * share. For the next writer the field of the merge is the beginning of the payload. It rolls back one frame at most, which
 * is the maximum for one input. Confined to its loop.
 */
public final class MergeWriter extends WriterInFront {
    private final MergedTopic merged;
    private final MergedProgress progress;
    private final int index;
    private final int fieldBytes;
    private final TopicEnd found;

    private InputRef input; // of the following commits
    private InputRef committed; // of the last commit
    private long sequenceBefore; // sequence of this input before the last commit
    private InputRef inputBefore;
    private Frame claimed;
    private int at; // offset of the field
    private int added; // bytes of the field in the payload
    private int sharers = 1; // inputs without a turn so far in this round, including this one

    MergeWriter(MergedTopic merged, MergedProgress progress, int index) {
        super(merged.writer());
        this.merged = merged;
        this.progress = progress;
        this.index = index;
        this.fieldBytes = MergedProgress.bytes(merged.inputs().size());
        this.found = writer.found().of(progress.sequence(index), progress.input(index));
        this.input = found.input();
        this.committed = input;
        this.sequenceBefore = found.cause();
        this.inputBefore = input;
    }

    /** Sets the number of inputs, including this one, that share the remaining room in this turn. */
    public void shareWith(int inputs) {
        sharers = inputs;
    }

    @Override
    public int remainingCapacity() {
        int room = writer.remainingCapacity();
        return room / sharers + (room % sharers == 0 ? 0 : 1);
    }

    @Override
    public int remainingCapacity(int maxLength) {
        return writer.remainingCapacity(Math.addExact(maxLength, Extension.bytes(fieldBytes)));
    }

    @Override
    public Frame claim(int maxLength) {
        Frame frame = writer.claim(Math.addExact(maxLength, Extension.bytes(fieldBytes)));
        if (frame != null) {
            int before = frame.extensionBytes();
            at = frame.addField(Extension.MERGED, fieldBytes);
            added = frame.extensionBytes() - before;
            claimed = frame;
        }
        return frame;
    }

    @Override
    public long commit(int length) {
        sequenceBefore = progress.sequence(index);
        inputBefore = committed;
        committed = input;
        progress.set(index, claimed.cause(), input);
        progress.write(claimed, at);
        return writer.commit(length + added);
    }

    @Override
    public void rewind(long sequence) {
        if (sequence < writer.sequence()) {
            committed = inputBefore;
            progress.set(index, sequenceBefore, inputBefore);
        }
        writer.rewind(sequence);
    }

    @Override
    public TopicEnd found() {
        return found;
    }

    @Override
    public void answers(InputRef answered) {
        input = answered;
    }

    @Override
    public void close() {
        merged.close();
    }
}
