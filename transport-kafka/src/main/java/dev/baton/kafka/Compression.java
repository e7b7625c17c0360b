package dev.baton.kafka;

import java.util.Locale;

/** How batches of records are compressed, from the producer through the log to the consumer. */
public enum Compression {
    NONE,
    GZIP,
    SNAPPY,
    LZ4,
    ZSTD;

    /** As Kafka spells it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
