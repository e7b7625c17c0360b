package dev.baton.engine.recovery;

import dev.baton.Deployment.ReplacedInput;
import dev.baton.engine.chain.ChainState;
import dev.baton.engine.plan.PartPlan;
import dev.baton.engine.writing.FrameWriter;
import dev.baton.spi.Cause;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicEnd;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicReader.TopicStart;
import dev.baton.spi.errors.TopicMismatchException;

/**
 * The inputs that are answered by outputs stored before this start, and the check that the input topic is still the one
 * that those outputs answer.
 *
 * <p>Three values reveal another topic: its identity (it was deleted and created again), its end (it was truncated behind
 * the answered inputs), and the incarnation that wrote a frame (it was truncated and then written again: a frame of a newer
 * writer has a sequence that was answered for an older writer). An input that was never handled is never dropped as
 * answered. Confined to its loop.
 */
public final class ProcessedInputs {
    private final PartPlan plan;
    private final ChainState state;
    private final InputRef input;
    private final long last; // sequence of the last input that has outputs; not all of them may be stored
    private long upTo;
    private boolean isReplaced;

    private ProcessedInputs(PartPlan plan, ChainState state, InputRef input, long last, boolean isComplete) {
        this.plan = plan;
        this.state = state;
        this.input = input;
        this.last = last;
        this.upTo = isComplete ? last : last - 1;
    }

    /**
     * Finds the inputs that the output answers, and compares their topic with the actual input topic.
     *
     * @param aside end of the topic of inputs that are set aside, whose causes count as answered; null without such a topic
     * @throws TopicMismatchException if the output answers another input topic, and the deployment does not accept that
     */
    public static ProcessedInputs find(
            PartPlan plan, TopicReader reader, FrameWriter output, TopicEnd aside, ChainState state) {
        TopicEnd end = output.found();
        TopicStart start = reader.found();
        long cause = Cause.isLate(end.cause()) ? 0 : Cause.input(end.cause());
        boolean isComplete = plan.service().maxOutputs() <= 1 || end.isWhole();
        if (aside != null && isNewer(aside, end, cause, start.identity())) {
            end = aside;
            cause = Cause.input(aside.cause());
            isComplete = true;
        }
        ProcessedInputs found = new ProcessedInputs(plan, state, end.input(), cause, isComplete);
        long newest = start.newest();
        if (cause > 0 && isOther(start.identity(), found.input.topic())) {
            found.replaced("but that topic was deleted and created again");
        } else if (newest != TopicReader.UNKNOWN && cause > newest) {
            found.replaced("but that topic ends at " + newest + ": frames behind it were deleted or lost");
        }
        return found;
    }

    /** Returns whether inputs that were set aside are not older than the newest one that an output answers. */
    private static boolean isNewer(TopicEnd aside, TopicEnd output, long cause, long identity) {
        if (aside.cause() == 0 || cause == 0) {
            return aside.cause() != 0;
        }
        boolean isOutputOther = isOther(identity, output.input().topic());
        if (isOther(identity, aside.input().topic()) != isOutputOther) {
            return isOutputOther;
        }
        long later = Incarnation.count(aside.input().incarnation())
                - Incarnation.count(output.input().incarnation());
        return later > 0 || later == 0 && Cause.input(aside.cause()) >= cause;
    }

    /** Returns whether two identities are known and differ. */
    public static boolean isOther(long identity, long known) {
        return identity != 0 && known != 0 && identity != known;
    }

    /** Returns the sequence up to which inputs are answered. */
    public long upTo() {
        return upTo;
    }

    /** Returns the topic and the writer of the answered inputs; {@link InputRef#UNKNOWN} if they are not known. */
    public InputRef input() {
        return isReplaced ? InputRef.UNKNOWN : input;
    }

    /** Returns whether the input is another topic than the one that was answered. */
    public boolean isReplaced() {
        return isReplaced;
    }

    /** Checks that a frame, if it has outputs, was written by the expected incarnation. */
    public void check(long sequence, Incarnation author) {
        long known = input.incarnation();
        if (sequence <= last
                && !isReplaced
                && author != null
                && known != 0
                && author.id() != known
                && Incarnation.count(author.id()) >= Incarnation.count(known)) {
            replaced("but its frame " + sequence + " was written by a later writer (" + author.process()
                    + "): the topic was restored or cut off, and written further");
        }
    }

    private void replaced(String how) {
        String what = "topic '" + plan.output() + "' answers inputs up to " + last + " of topic '" + plan.input()
                + "', " + how;
        if (plan.edges().replacedInput() == ReplacedInput.REFUSE) {
            throw new TopicMismatchException(
                    what + ". Nothing was dropped or handled. Restore the topic, or delete the other"
                            + " topics of the chain as well; or handle every input that the topic holds now",
                    TopicMismatchException.Remedy.HANDLE_ALL);
        }
        upTo = 0;
        isReplaced = true;
        state.warn(what + "; every input that it holds now is handled, as ReplacedInput.HANDLE_ALL specifies");
    }
}
