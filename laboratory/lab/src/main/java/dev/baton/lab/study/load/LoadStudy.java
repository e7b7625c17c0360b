package dev.baton.lab.study.load;

import dev.baton.lab.request.MemoryBudget;
import dev.baton.lab.request.Study;
import dev.baton.operations.settings.Secrets;
import java.util.List;
import java.util.Objects;

/**
 * The question of a chain's throughput with a fixed number of requests always on their way. The number is the load's concurrency.
 * Immutable, thread-safe.
 *
 * @param way in which requests reach the chain
 * @param url of a running server; null except for {@link Way#URL}
 * @param memory limit of the whole JVM; null: only its flags limit it
 * @param method of requests over HTTP; null: POST
 * @param isApart whether the clients of a gateway run in a separate process, so that measurement and limit apply to the server only; null:
 * no
 */
public record LoadStudy(Way way, String url, MemoryBudget memory, Method method, Boolean isApart) implements Study {
    /** The target of a client. */
    public enum Way {
        /** The chain itself: source and sink are the client. */
        CHAIN,
        /** An HTTP gateway before the chain, in the JVM of the trial. */
        GATEWAY,
        /** An HTTP server that runs elsewhere; nothing is known of a chain behind it. */
        URL
    }

    /** The place of a request's number. */
    public enum Method {
        /** Sends the number in the query of its address, except to a foreign server. */
        GET,
        /** Sends the number in its body. */
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
