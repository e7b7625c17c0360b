package dev.baton.engine.cycle;

import dev.baton.ReplacedInput;
import dev.baton.engine.chain.ChainState;
import dev.baton.spi.Cause;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TopicMismatchException;

/**
 * Which inputs have been answered by outputs that were stored before this start, and whether the input topic is still the
 * one that they answer.
 *
 * <p>Three things tell that it is not: its identity (deleted and created again), its end (cut off behind what was
 * answered), and the incarnation that wrote a frame (cut off and written further: a newer writer's frame has a sequence
 * that an older writer's was answered under). No frame is dropped as answered that was never handled. Confined to its
 * loop.
 */
public final class AnsweredInputs {
    private final ServicePlan plan;
    private final ChainState state;
    private final InputRef input;
    private final long last; // input that has outputs
    private long upTo;
    private boolean isReplaced;

    private AnsweredInputs(ServicePlan plan, ChainState state, InputRef input, long upTo) {
        this.plan = plan;
        this.state = state;
        this.input = input;
        this.last = upTo;
        this.upTo = upTo;
    }

    /**
     * Compares what the output answers with what the input is.
     *
     * @throws TopicMismatchException when it answers another input, and the deployment does not accept that
     */
    static AnsweredInputs find(ServicePlan plan, TopicReader reader, TopicWriter writer, ChainState state) {
        long cause = Cause.input(writer.causeAtOpen());
        boolean isComplete = plan.service().maxOutputs() <= 1 || writer.isCauseAtOpenComplete();
        AnsweredInputs found = new AnsweredInputs(plan, state, writer.inputAtOpen(), isComplete ? cause : cause - 1);
        if (Cause.isAhead(writer.causeAtOpen())) {
            found.upTo = 0; // inputs before it waited: all that are not acknowledged come again
        }
        long newest = reader.newestAtOpen();
        if (cause > 0 && isOther(reader.identity(), found.input.topic())) {
            found.replaced("but that topic was deleted and created again");
        } else if (newest != TopicReader.UNKNOWN && cause > newest) {
            found.replaced("but that topic ends at " + newest + ": frames behind it were deleted or lost");
        }
        return found;
    }

    /** Whether two identities are known and differ. */
    public static boolean isOther(long identity, long known) {
        return identity != 0 && known != 0 && identity != known;
    }

    /** Inputs up to this sequence have been answered. */
    public long upTo() {
        return upTo;
    }

    /** The topic and the writer of those; {@link InputRef#UNKNOWN} where that is not known. */
    public InputRef input() {
        return isReplaced ? InputRef.UNKNOWN : input;
    }

    /** Whether the input is another topic than the one that was answered. */
    public boolean isReplaced() {
        return isReplaced;
    }

    /** A frame that counts as answered was written by this incarnation. */
    void check(long sequence, Incarnation author) {
        long known = input.incarnation();
        if (author != null
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
                            + " topics of the chain as well; or go on with Deployment.replacedInput(ReplacedInput.HANDLE_ALL), which"
                            + " handles every input that the topic holds now");
        }
        upTo = 0;
        isReplaced = true;
        state.warn(what + "; every input that it holds now is handled, as ReplacedInput.HANDLE_ALL says");
    }
}
