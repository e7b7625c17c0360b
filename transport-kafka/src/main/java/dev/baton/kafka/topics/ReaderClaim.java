package dev.baton.kafka.topics;

import dev.baton.spi.Incarnation;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The claim of one of a consumer's readers to be the consumer: each that is opened stores a claim that counts one more
 * than the one that it finds, and the newest counts. Immutable, thread-safe.
 *
 * @param id as {@link Incarnation#id} makes them: it counts readers, and its low bits are random, so that two with the
 *     same count can be distinguished; 0 for none
 * @param by the connection that it was opened by, for errors
 */
public record ReaderClaim(long id, String by) {
    public static final ReaderClaim NONE = new ReaderClaim(0, "");

    /** The claim of a reader that is opened after this one. */
    public ReaderClaim next(String nextBy) {
        return new ReaderClaim(
                Incarnation.id(
                        Incarnation.count(id) + 1, ThreadLocalRandom.current().nextLong()),
                nextBy);
    }

    /** Returns whether a stored claim is that of a reader opened after this one, or at the same time. */
    public boolean isReplacedBy(ReaderClaim stored) {
        return stored.id != id && Incarnation.count(stored.id) >= Incarnation.count(id);
    }
}
