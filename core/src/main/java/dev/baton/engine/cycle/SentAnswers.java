package dev.baton.engine.cycle;

import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicWriter;

/**
 * Says to a part's writers in which topic and by which writer the inputs are that its outputs answer.
 *
 * <p>After a restart inputs that were answered before are passed over. What a tick sends meanwhile answers all of them, so it
 * names the last one, with that one's writer, which is known from what was stored; inputs before it may have an older one.
 * Confined to its loop.
 */
public final class SentAnswers {
    private final TopicWriter writer;
    private final DeadLetterTopic letters; // null: none are written
    private InputRef passed; // the last input that is passed over

    /** Over writers that are open. */
    SentAnswers(TopicWriter writer, DeadLetterTopic letters, InputRef passed) {
        this.writer = writer;
        this.letters = letters;
        passOver(passed);
    }

    /** The last input that is to be passed over is this one, as far as it is known. */
    public void passOver(InputRef last) {
        passed = last;
        writer.answers(last);
    }

    /**
     * Inputs from here on are of this topic and writer.
     *
     * @param author null where it is not known
     */
    void inputsOf(long identity, Incarnation author, boolean arePassedOver) {
        InputRef input = new InputRef(identity, author == null ? 0 : author.id());
        if (!arePassedOver || passed.incarnation() == 0) {
            writer.answers(input);
        }
        if (letters != null) {
            letters.answers(input);
        }
    }
}
