package dev.baton.lab.results;

import java.util.List;

/**
 * What an experiment asked and what came of it: the content of a {@code headline.json}, which is left where the trials'
 * results alone do not tell. Immutable, thread-safe.
 *
 * @param schema {@value #SCHEMA} for files written by this version; readers refuse a newer one
 * @param asked one line for a person
 * @param answers one sentence or a few
 */
public record Headline(int schema, String asked, List<String> answers) {
    public static final int SCHEMA = 1;

    /** Beside the experiment's other files. */
    public static final String FILE = "headline.json";

    public Headline {
        answers = answers == null ? List.of() : List.copyOf(answers);
    }

    /** By this version. */
    public Headline(String asked, List<String> answers) {
        this(SCHEMA, asked, answers);
    }
}
