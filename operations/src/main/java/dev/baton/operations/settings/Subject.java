package dev.baton.operations.settings;

import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The system that a service runs or a trial measures.
 *
 * @param engine {@value #BATON}, or reference loops: {@value #REFERENCE}, {@value #REFERENCE_COOPERATIVE}, {@value
 *     #REFERENCE_ARTICLE}; or {@value #PRIMITIVE} or {@value #SYSTEM}
 * @param transport the name of its provider; for a primitive queue or a system its own name
 * @param options of the transport, as given on the command line; they include a directory or a list of brokers
 */
public record Subject(String engine, String transport, SortedMap<String, String> options) {
    /** The engine that runs chains as applications do. */
    public static final String BATON = "baton";

    /** Reference loops without Baton, written against a transport's library as its documentation shows. */
    public static final String REFERENCE = "reference";

    /**
     * Reference loops with the mistake of a published comparison: they ask Kafka's consumer to poll for an eighth of the interval between
     * two messages, which it truncates to no wait at all.
     */
    public static final String REFERENCE_ARTICLE = "reference-article";

    /**
     * Reference loops that run the stages of a chain in turn, as Baton's loops do: hand-written code against a transport's library, with
     * the same threads, batches, idling and pacing, and without Baton's guarantees.
     */
    public static final String REFERENCE_COOPERATIVE = "reference-cooperative";

    /** Bare queues between threads of one process, which are no transports. */
    public static final String PRIMITIVE = "primitive";

    /** A system of a jar in BATON_CLASSPATH, which has the threads and the topics that it makes. */
    public static final String SYSTEM = "system";

    /** Option of transports that keep files: where. */
    public static final String DIRECTORY = "dir";

    /** Option of transports that need brokers: which. */
    public static final String BROKERS = "bootstrap-servers";

    public Subject {
        Objects.requireNonNull(engine, "engine");
        Objects.requireNonNull(transport, "transport");
        options = options == null ? new TreeMap<>() : new TreeMap<>(options);
    }

    public Subject(String engine, String transport, Map<String, String> options) {
        this(engine, transport, (SortedMap<String, String>) new TreeMap<>(options));
    }

    /** Returns a copy, so that no caller can change a plan. */
    @Override
    public SortedMap<String, String> options() {
        return new TreeMap<>(options);
    }

    /** Returns a copy with {@code ***} in place of every value whose key sounds like a secret. */
    public Subject redacted() {
        return new Subject(engine, transport, Secrets.redacted(options));
    }
}
