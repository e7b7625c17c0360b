package dev.baton.kafka;

import java.time.Duration;

/**
 * The options of writing. Immutable, thread-safe.
 *
 * @param acks the acknowledgement that makes a frame stored; all by default
 * @param idempotence the broker drops what a retry repeats; only with acks=all, on by default. Without it nothing is
 *     retried and one request is in flight at a time, since a retry could store a frame twice or out of order
 * @param linger time that a record waits for others to share its batch, 0 to 1 s; 0: latency comes first
 * @param batchSize bytes of a batch, 1 KB to 16 MB; 16 KB
 * @param compression of batches; none
 * @param window frames of one writer that may be committed and not yet stored, 1 to 65536; 1024
 * @param buffer bytes that a connection's producer may hold, 4 MB to 2 GB and at least four of {@code maxMessage}; 64
 *     MB
 * @param maxMessage bytes of the largest record batch with one frame, 1 KB to 64 MB; 1 MB, which is also what brokers
 *     allow by default
 * @param deliveryTimeout time that a frame may stay unconfirmed before its writer fails, 100 ms to 1 h; 30 s
 * @param transactions a flush and the position that it answers are stored together or not at all, and a topic's next
 *     writer fences the one before; only with idempotence, off by default. A frame is read when its transaction is
 *     committed, and each writer has a producer and a thread of its own
 * @param rivalInterval interval at which the ends of the topics of all writers are requested, so that an idle writer
 *     that was replaced fails, 100 ms to 1 h; 1 s. That takes up to two intervals
 */
public record WriteOptions(
        Acks acks,
        boolean idempotence,
        Duration linger,
        int batchSize,
        Compression compression,
        int window,
        int buffer,
        int maxMessage,
        Duration deliveryTimeout,
        boolean transactions,
        Duration rivalInterval) {
    static final int MOST_WINDOW = 65_536;
    static final int LEAST_BATCH = 1024;
    static final int MOST_BATCH = 16 << 20;
    static final int LEAST_BUFFER = 4 << 20;
    static final int MOST_BUFFER = Integer.MAX_VALUE;
    static final int LEAST_MESSAGE = 1024;
    static final int MOST_MESSAGE = 64 << 20;
    static final Duration MOST_LINGER = Duration.ofSeconds(1);
    static final Duration LEAST_RIVAL = Duration.ofMillis(100);
    static final Duration MOST_RIVAL = Duration.ofHours(1);
    static final Duration LEAST_DELIVERY = Duration.ofMillis(100);
    static final Duration MOST_DELIVERY = Duration.ofHours(1);

    /**
     * Checks every range, and the dependencies between options.
     *
     * @param acks the acknowledgement that makes a frame stored
     * @param idempotence the broker drops what a retry repeats
     * @param linger time that a record waits for others to share its batch, 0 to 1 s
     * @param batchSize bytes of a batch, 1 KB to 16 MB
     * @param compression of batches
     * @param window frames of one writer that may be committed and not yet stored, 1 to 65536
     * @param buffer bytes that a connection's producer may hold, 4 MB to 2 GB and at least four of {@code maxMessage}
     * @param maxMessage bytes of the largest record batch with one frame, 1 KB to 64 MB
     * @param deliveryTimeout time that a frame may stay unconfirmed before its writer fails, 100 ms to 1 h
     * @param transactions a flush and the position that it answers are stored together or not at all, and a topic's
     *     next writer fences the one before
     * @param rivalInterval interval at which the ends of the topics of all writers are requested, 100 ms to 1 h
     */
    public WriteOptions {
        Ranges.check("linger", linger, Duration.ZERO, MOST_LINGER);
        Ranges.checkBytes("batch-size", batchSize, LEAST_BATCH, MOST_BATCH);
        Ranges.check("window", window, 1, MOST_WINDOW);
        Ranges.checkBytes("buffer", buffer, LEAST_BUFFER, MOST_BUFFER);
        Ranges.checkBytes("max-message", maxMessage, LEAST_MESSAGE, MOST_MESSAGE);
        Ranges.check("delivery-timeout", deliveryTimeout, LEAST_DELIVERY, MOST_DELIVERY);
        Ranges.check("rival-interval", rivalInterval, LEAST_RIVAL, MOST_RIVAL);
        if (idempotence && acks != Acks.ALL) {
            throw new IllegalArgumentException("idempotence=true is not allowed with acks=" + acks.text());
        }
        if (transactions && !idempotence) {
            throw new IllegalArgumentException(
                    "transactions=true is not allowed without acks=all and idempotence=true");
        }
        if (buffer / 4 < Math.max(maxMessage, batchSize)) {
            throw new IllegalArgumentException("buffer=" + buffer + " is not allowed with max-message=" + maxMessage
                    + " and batch-size=" + batchSize + "; four of either have to fit");
        }
    }

    /** {@return the defaults: latency first, nothing lost: acks=all, idempotent, no linger} */
    public static WriteOptions defaults() {
        return new WriteOptions(
                Acks.ALL,
                true,
                Duration.ZERO,
                16 << 10,
                Compression.NONE,
                1024,
                64 << 20,
                1 << 20,
                Duration.ofSeconds(30),
                false,
                Duration.ofSeconds(1));
    }

    /**
     * {@return a copy with other {@link #acks}, and with {@link #idempotence} as it is the default for them}
     *
     * @param value whose word makes a frame stored
     */
    public WriteOptions withAcks(Acks value) {
        return new WriteOptions(
                value,
                value == Acks.ALL,
                linger,
                batchSize,
                compression,
                window,
                buffer,
                maxMessage,
                deliveryTimeout,
                transactions,
                rivalInterval);
    }

    /**
     * {@return a copy with or without {@link #idempotence}}
     *
     * @param value true only with acks=all
     */
    public WriteOptions withIdempotence(boolean value) {
        return new WriteOptions(
                acks,
                value,
                linger,
                batchSize,
                compression,
                window,
                buffer,
                maxMessage,
                deliveryTimeout,
                transactions,
                rivalInterval);
    }

    /**
     * {@return a copy with another {@link #linger}}
     *
     * @param value 0 to 1 s
     */
    public WriteOptions withLinger(Duration value) {
        return new WriteOptions(
                acks,
                idempotence,
                value,
                batchSize,
                compression,
                window,
                buffer,
                maxMessage,
                deliveryTimeout,
                transactions,
                rivalInterval);
    }

    /**
     * {@return a copy with another {@link #batchSize}}
     *
     * @param value bytes, 1 KB to 16 MB
     */
    public WriteOptions withBatchSize(int value) {
        return new WriteOptions(
                acks,
                idempotence,
                linger,
                value,
                compression,
                window,
                buffer,
                maxMessage,
                deliveryTimeout,
                transactions,
                rivalInterval);
    }

    /**
     * {@return a copy with another {@link #compression}}
     *
     * @param value of batches
     */
    public WriteOptions withCompression(Compression value) {
        return new WriteOptions(
                acks,
                idempotence,
                linger,
                batchSize,
                value,
                window,
                buffer,
                maxMessage,
                deliveryTimeout,
                transactions,
                rivalInterval);
    }

    /**
     * {@return a copy with another {@link #window}}
     *
     * @param value frames, 1 to 65536
     */
    public WriteOptions withWindow(int value) {
        return new WriteOptions(
                acks,
                idempotence,
                linger,
                batchSize,
                compression,
                value,
                buffer,
                maxMessage,
                deliveryTimeout,
                transactions,
                rivalInterval);
    }

    /**
     * {@return a copy with another {@link #buffer}}
     *
     * @param value bytes, 4 MB to 2 GB and at least four of {@link #maxMessage}
     */
    public WriteOptions withBuffer(int value) {
        return new WriteOptions(
                acks,
                idempotence,
                linger,
                batchSize,
                compression,
                window,
                value,
                maxMessage,
                deliveryTimeout,
                transactions,
                rivalInterval);
    }

    /**
     * {@return a copy with another {@link #maxMessage}}
     *
     * @param value bytes, 1 KB to 64 MB
     */
    public WriteOptions withMaxMessage(int value) {
        return new WriteOptions(
                acks,
                idempotence,
                linger,
                batchSize,
                compression,
                window,
                buffer,
                value,
                deliveryTimeout,
                transactions,
                rivalInterval);
    }

    /**
     * {@return a copy with another {@link #deliveryTimeout}}
     *
     * @param value 100 ms to 1 h
     */
    public WriteOptions withDeliveryTimeout(Duration value) {
        return new WriteOptions(
                acks,
                idempotence,
                linger,
                batchSize,
                compression,
                window,
                buffer,
                maxMessage,
                value,
                transactions,
                rivalInterval);
    }

    /**
     * {@return a copy with or without {@link #transactions}}
     *
     * @param value true only with idempotence
     */
    public WriteOptions withTransactions(boolean value) {
        return new WriteOptions(
                acks,
                idempotence,
                linger,
                batchSize,
                compression,
                window,
                buffer,
                maxMessage,
                deliveryTimeout,
                value,
                rivalInterval);
    }

    /**
     * {@return a copy with another {@link #rivalInterval}}
     *
     * @param value 100 ms to 1 h
     */
    public WriteOptions withRivalInterval(Duration value) {
        return new WriteOptions(
                acks,
                idempotence,
                linger,
                batchSize,
                compression,
                window,
                buffer,
                maxMessage,
                deliveryTimeout,
                transactions,
                value);
    }
}
