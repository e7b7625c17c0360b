package dev.baton.lab.study.load;

import dev.baton.lab.request.MemoryBudget;
import dev.baton.lab.request.Study;
import dev.baton.operations.settings.Secrets;
import java.util.List;
import java.util.Objects;

/**
 * How much a chain answers when a fixed number of requests is always on its way. The number is the load's concurrency.
 * Immutable, thread-safe.
 *
 * @param way in which requests reach the chain
 * @param url of a server that runs already; null except for {@link Way#URL}
 * @param memory that the JVM may take in all; null: what its flags let it
 */
public record LoadStudy(Way way, String url, MemoryBudget memory) implements Study {
    /** What a client talks to. */
    public enum Way {
        /** The chain itself: source and outlet are the client. */
        CHAIN,
        /** An HTTP gateway before the chain, in the same JVM as its clients. */
        GATEWAY,
        /** An HTTP server that runs elsewhere; nothing is known of a chain behind it. */
        URL
    }

    public LoadStudy {
        Objects.requireNonNull(way, "way");
        if ((way == Way.URL) != (url != null)) {
            throw new IllegalArgumentException("way " + way + " with url " + url + "; a url belongs to way URL alone");
        }
    }

    @Override
    public List<String> confidential() {
        return url == null ? List.of() : List.of(url);
    }

    @Override
    public LoadStudy redacted() {
        return url == null ? this : new LoadStudy(way, Secrets.redacted(url), memory);
    }
}
