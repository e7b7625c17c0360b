package dev.baton.test;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * The failure of a hostile run in which a service was not repeatable. Its message names the service, the input, the outputs without and
 * with the disturbance, the usual causes, and how to repeat the run. Immutable.
 */
public final class NotRepeatableError extends AssertionError {
    private static final long serialVersionUID = 1L;

    private final transient String service;
    private final transient long input;
    private final transient String seed;
    private final transient EnumSet<Hardship> hardships;

    NotRepeatableError(Mismatch difference, String seed, Set<Hardship> hardships, String hint) {
        super(
                difference.text() + System.lineSeparator() + hint + System.lineSeparator() + "Repeat this run with -D"
                        + TestSeed.PROPERTY + "=" + seed,
                difference.cause());
        this.service = difference.service();
        this.input = difference.input();
        this.seed = seed;
        this.hardships = EnumSet.noneOf(Hardship.class);
        this.hardships.addAll(hardships);
    }

    /** {@return the name of the service that does not repeat its outputs} */
    public String service() {
        return service;
    }

    /**
     * {@return the sequence of the input at which it shows, in the topic that the service reads; 0 where no input shows
     * it}
     */
    public long input() {
        return input;
    }

    /** {@return what the property {@code baton.test.seed} has to be to repeat this run} */
    public String seed() {
        return seed;
    }

    /** {@return the hardships under which it shows, as few as were found; empty when it shows without any} */
    public Set<Hardship> hardships() {
        return Collections.unmodifiableSet(hardships);
    }
}
