package dev.baton.engine.cycle;

import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicWriter;

/**
 * Passes to the writers of a part the topic and the writer of the inputs that its outputs answer.
 *
 * <p>After a restart inputs that were answered before are skipped. The outputs of a tick in this time answer all of them,
 * so they name the last one and its writer, which is known from the stored outputs; earlier inputs may have an older
 * writer. Confined to its loop.
 */
public final class SentAnswers {
    private final TopicWriter writer;
    private final DeadLetterTopic letters; // null if the policy writes no dead letters
    private InputRef passed; // the last input that is skipped

    /** Creates an instance for open writers. */
    SentAnswers(TopicWriter writer, DeadLetterTopic letters, InputRef passed) {
        this.writer = writer;
        this.letters = letters;
        passOver(passed);
    }

    /** Sets the last input to be skipped, as far as it is known. */
    public void passOver(InputRef last) {
        passed = last;
        writer.answers(last);
    }

    /**
     * Sets the topic and the writer of the following inputs.
     *
     * @param author incarnation that wrote them; null if it is not known
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
