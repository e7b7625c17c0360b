package dev.baton.engine.writing;

import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicEnd;

/**
 * The share that one input has in the topic of a merge: its causes are sequences of that input, and its room is a part of
 * the topic's. Its field is the progress of the merge. It rolls back one frame at most, which is the maximum for one input.
 * Confined to its loop.
 */
final class MergeShare implements FrameField {
    private final MergedTopic merged;
    private final MergedProgress progress;
    private final int index;
    private final int bytes;
    private final TopicEnd found;

    private InputRef input; // of the following commits
    private int at; // offset of the value in the open claim

    MergeShare(MergedTopic merged, MergedProgress progress, int index) {
        this.merged = merged;
        this.progress = progress;
        this.index = index;
        this.bytes = Extension.bytes(progress.length());
        found = merged.writer().found().of(progress.sequence(index), progress.input(index));
        input = found.input();
    }

    /** Returns the end of the topic, with the newest cause of this input. */
    TopicEnd found() {
        return found;
    }

    /** Sets the topic and the writer of the input of the following frames. */
    void answers(InputRef answered) {
        input = answered;
    }

    /** Returns the share in this room, rounded up. */
    int of(int room) {
        int sharers = merged.sharers();
        return room / sharers + (room % sharers == 0 ? 0 : 1);
    }

    @Override
    public int bytes() {
        return bytes;
    }

    @Override
    public void add(Frame claim) {
        at = claim.addField(Extension.MERGED, progress.length());
    }

    @Override
    public void complete(Frame frame) {
        progress.set(index, frame.cause(), input);
        progress.write(frame, at);
    }

    /** Restores the progress before the last commit, which is withdrawn. */
    void rollBack() {
        progress.undo();
    }
}
