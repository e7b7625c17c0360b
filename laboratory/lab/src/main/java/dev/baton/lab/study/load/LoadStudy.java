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
 * @param method of requests over HTTP; null: POST
 * @param isApart whether the clients of a gateway have a process of their own, so that all that is measured and limited is
 *     the server's; null: no
 */
public record LoadStudy(Way way, String url, MemoryBudget memory, Method method, Boolean isApart) implements Study {
    /** What a client talks to. */
    public enum Way {
        /** The chain itself: source and outlet are the client. */
        CHAIN,
        /** An HTTP gateway before the chain, in the JVM of the trial. */
        GATEWAY,
        /** An HTTP server that runs elsewhere; nothing is known of a chain behind it. */
        URL
    }

    /** How a request carries its number. */
    public enum Method {
        /** Behind the question mark of its address; to a server that runs already not at all. */
        GET,
        /** As its body. */
        POST
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
        return url == null ? this : new LoadStudy(way, Secrets.redacted(url), memory, method, isApart);
    }

    @Override
    public Class<?> companion() {
        return Boolean.TRUE.equals(isApart) ? HttpClientMain.class : null;
    }
}
