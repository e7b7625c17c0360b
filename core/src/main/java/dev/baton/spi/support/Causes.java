package dev.baton.spi.support;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** The causes of a failure, which may form a cycle. Stateless, thread-safe. */
public final class Causes {
    private Causes() {}

    /**
     * {@return a failure and its causes, each once, the failure first}
     *
     * @param failure any failure; null for an empty list
     */
    public static List<Throwable> of(Throwable failure) {
        List<Throwable> all = new ArrayList<>();
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Throwable each = failure; each != null && seen.add(each); each = each.getCause()) {
            all.add(each);
        }
        return all;
    }

    /**
     * {@return the first exception of a class among a failure and its causes; null for none}
     *
     * @param <T> class of the exception
     * @param failure any failure, or null
     * @param kind class, of which subclasses are found as well
     */
    public static <T extends Throwable> T first(Throwable failure, Class<T> kind) {
        return of(failure).stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .findFirst()
                .orElse(null);
    }
}
