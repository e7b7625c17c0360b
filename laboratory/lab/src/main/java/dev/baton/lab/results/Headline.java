package dev.baton.lab.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The question of an experiment and its answer: the content of a {@code headline.json}, written where the trials' results alone are not
 * enough. Immutable, thread-safe.
 *
 * @param schema {@value #SCHEMA} for files written by this version; readers refuse a newer one
 * @param asked one line for a person
 * @param answers one sentence or a few
 * @param costs of chains, measured and published ones; empty where they were not computed
 */
public record Headline(int schema, String asked, List<String> answers, List<Cost> costs) {
    public static final int SCHEMA = 1;

    /** The name of the file in the experiment's folder. */
    public static final String FILE = "headline.json";

    public Headline {
        answers = answers == null ? List.of() : List.copyOf(answers);
        costs = costs == null ? List.of() : List.copyOf(costs);
    }

    /** Creates a headline of this version, without costs. */
    public Headline(String asked, List<String> answers) {
        this(SCHEMA, asked, answers, List.of());
    }

    /** Returns the headline in an experiment's folder; empty for none, or for one that this version cannot read. */
    public static Optional<Headline> in(Path folder) {
        Path file = folder.resolve(FILE);
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Json.read(file, Headline.class))
                    .filter(read -> read.asked() != null && read.schema() <= SCHEMA);
        } catch (IOException unreadable) {
            return Optional.empty(); // what the trials tell is as good
        }
    }

    /**
     * The cost of chains on a machine that is paid for as a whole.
     *
     * @param name of the contender
     * @param chains that the machine carries
     * @param cores of the machine
     * @param isBound whether it may carry more
     * @param isSure whether the number was confirmed
     * @param isPublished whether it is a published figure of another machine
     * @param thousandAnHour price of a thousand chains for an hour; null without a price
     * @param currency of the price, empty if none was given; null without a price
     */
    public record Cost(
            String name,
            int chains,
            int cores,
            boolean isBound,
            boolean isSure,
            boolean isPublished,
            Double thousandAnHour,
            String currency) {}
}
