package dev.baton.kafka;

import java.time.Duration;

/**
 * The options of reading. Immutable, thread-safe.
 *
 * @param fetchWait time that a broker holds a fetch without records, 1 ms to 10 s; 100 ms. It costs no latency on a
 *     topic that is being fetched; a topic opened or resumed meanwhile waits for the fetch in progress to end
 * @param fetchSize bytes fetched of one topic at a time, 4 KB to 64 MB; 256 KB. A larger frame comes nevertheless,
 *     alone
 * @param readAhead bytes of heap that frames received and not yet polled may take for each reader, 16 KB to 1 GB; 1 MB.
 *     Its topic is paused beyond, with at most two more fetches in flight
 * @param commitInterval interval at which acknowledged positions are stored, 10 ms to 1 h; 1 s. After a crash what was
 *     acknowledged since comes again
 * @param groupPrefix prefix of a consumer's name that makes the id of the consumer group that keeps its positions;
 *     {@code baton.}
 */
public record ReadOptions(
        Duration fetchWait, int fetchSize, int readAhead, Duration commitInterval, String groupPrefix) {
    static final Duration LEAST_FETCH_WAIT = Duration.ofMillis(1);
    static final Duration MOST_FETCH_WAIT = Duration.ofSeconds(10);
    static final int LEAST_FETCH = 4 << 10;
    static final int MOST_FETCH = 64 << 20;
    static final int LEAST_AHEAD = 16 << 10;
    static final int MOST_AHEAD = 1 << 30;
    static final Duration LEAST_COMMIT = Duration.ofMillis(10);
    static final Duration MOST_COMMIT = Duration.ofHours(1);

    /**
     * Checks every range.
     *
     * @param fetchWait time that a broker holds a fetch without records, 1 ms to 10 s
     * @param fetchSize bytes fetched of one topic at a time, 4 KB to 64 MB
     * @param readAhead bytes of heap that frames received and not yet polled may take for each reader, 16 KB to 1 GB
     * @param commitInterval interval at which acknowledged positions are stored, 10 ms to 1 h
     * @param groupPrefix prefix of a consumer's name that makes the id of the consumer group that keeps its positions
     */
    public ReadOptions {
        Ranges.check("fetch-wait", fetchWait, LEAST_FETCH_WAIT, MOST_FETCH_WAIT);
        Ranges.checkBytes("fetch-size", fetchSize, LEAST_FETCH, MOST_FETCH);
        Ranges.checkBytes("read-ahead", readAhead, LEAST_AHEAD, MOST_AHEAD);
        Ranges.check("commit-interval", commitInterval, LEAST_COMMIT, MOST_COMMIT);
        if (groupPrefix.length() > 100) {
            throw new IllegalArgumentException(
                    "group-prefix='" + groupPrefix + "' is not allowed; up to 100 characters");
        }
    }

    /** {@return the defaults, which stand behind each option above} */
    public static ReadOptions defaults() {
        return new ReadOptions(Duration.ofMillis(100), 256 << 10, 1 << 20, Duration.ofSeconds(1), "baton.");
    }

    /**
     * {@return a copy with another {@link #fetchWait}}
     *
     * @param value 1 ms to 10 s
     */
    public ReadOptions withFetchWait(Duration value) {
        return new ReadOptions(value, fetchSize, readAhead, commitInterval, groupPrefix);
    }

    /**
     * {@return a copy with another {@link #fetchSize}}
     *
     * @param value bytes, 4 KB to 64 MB
     */
    public ReadOptions withFetchSize(int value) {
        return new ReadOptions(fetchWait, value, readAhead, commitInterval, groupPrefix);
    }

    /**
     * {@return a copy with another {@link #readAhead}}
     *
     * @param value bytes, 16 KB to 1 GB
     */
    public ReadOptions withReadAhead(int value) {
        return new ReadOptions(fetchWait, fetchSize, value, commitInterval, groupPrefix);
    }

    /**
     * {@return a copy with another {@link #commitInterval}}
     *
     * @param value 10 ms to 1 h
     */
    public ReadOptions withCommitInterval(Duration value) {
        return new ReadOptions(fetchWait, fetchSize, readAhead, value, groupPrefix);
    }

    /**
     * {@return a copy with another {@link #groupPrefix}}
     *
     * @param value up to 100 characters
     */
    public ReadOptions withGroupPrefix(String value) {
        return new ReadOptions(fetchWait, fetchSize, readAhead, commitInterval, value);
    }
}
