package dev.baton.lab.request;

import java.util.List;
import java.util.Objects;

/**
 * A chain whose services already run in processes that somebody else has started, on this host or on others. Immutable,
 * thread-safe.
 *
 * @param chain its name, with which its topics' names begin
 * @param addresses where the processes answer how they are, as they were typed
 */
public record Elsewhere(String chain, List<String> addresses) {
    public Elsewhere {
        Objects.requireNonNull(chain, "chain");
        addresses = List.copyOf(addresses);
    }
}
