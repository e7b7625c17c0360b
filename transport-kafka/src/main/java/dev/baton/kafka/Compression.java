package dev.baton.kafka;

import java.util.Locale;

/** The compression of batches of records, from the producer through the log to the consumer. */
public enum Compression {
    /** Records are stored as they are. */
    NONE,
    /** Gzip, of the JDK. */
    GZIP,
    /** Snappy. */
    SNAPPY,
    /** LZ4. */
    LZ4,
    /** Zstandard. */
    ZSTD;

    /** {@return this as Kafka spells it} */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
