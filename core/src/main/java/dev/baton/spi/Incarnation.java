package dev.baton.spi;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;

/**
 * One life of a topic's writer, from its open to its close or its end. A transport keeps it with the topic, before the
 * first frame that this writer stores.
 *
 * <p>It decides three things. Which writer a topic has: the newest. What an output answers: frames say in which
 * incarnation of their input's writer their causes count ({@link InputRef}). And whether two stamps of {@link
 * System#nanoTime} can be compared: when both writers ran in the same boot of the same host. Immutable, thread-safe.
 *
 * @param id positive; rises with each writer of the topic and is never given twice, also when a copy of the topic was
 *     restored: its low {@value #RANDOM_BITS} bits are random, the others count
 * @param topology the services of the writer's chain and the place of the topic among them, {@link #NO_TOPOLOGY} for none
 * @param boot the boot of the host in which it ran; 0 when that is not known
 * @param wallOffsetNanos what to add to its {@link System#nanoTime} for the nanoseconds since 1970-01-01T00:00Z
 * @param process that it ran in, for logs and errors
 */
public record Incarnation(long id, String topology, long boot, long wallOffsetNanos, String process) {
    /** In place of a chain, for writers that belong to none. */
    public static final String NO_TOPOLOGY = "";

    /** Bits of an id that do not count. */
    public static final int RANDOM_BITS = 20;

    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final char SEPARATOR = '\t';
    private static final int PARTS = 5;
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
    private static final long THIS_BOOT = thisBoot();

    /**
     * {@return a life of a writer of this process, which begins now}
     *
     * @param id higher than those of the topic's earlier writers, from {@link #id}
     * @param topology of the writer's chain; {@link #NO_TOPOLOGY} for none
     */
    public static Incarnation begin(long id, String topology) {
        Instant now = Instant.now();
        return new Incarnation(
                id,
                topology,
                THIS_BOOT,
                now.getEpochSecond() * NANOS_PER_SECOND + now.getNano() - System.nanoTime(),
                "process " + ProcessHandle.current().pid());
    }

    /**
     * {@return the id of a writer, of its count and random low bits}
     *
     * @param count at least 1 and below 2^43
     * @param random of which the low {@value #RANDOM_BITS} bits are taken
     */
    public static long id(long count, long random) {
        return count << RANDOM_BITS | random & (1L << RANDOM_BITS) - 1;
    }

    /**
     * {@return the count of a writer that comes after others, where places in a log do not count for it: more than
     * theirs, and more than that of a writer which is not known any more because an older copy of the topic was
     * restored} So it counts the milliseconds since 1970, too.
     *
     * @param newest count of the newest writer known, 0 for none
     * @param wallMillis since 1970, by the wall clock now
     */
    public static long countAfter(long newest, long wallMillis) {
        return Math.max(newest + 1, wallMillis);
    }

    /**
     * {@return what an id counts}
     *
     * @param id of a writer
     */
    public static long count(long id) {
        return id >>> RANDOM_BITS;
    }

    /** {@return whether its stamps of {@link System#nanoTime} can be compared with those that are taken here and now} */
    public boolean isOfThisBoot() {
        return boot == THIS_BOOT;
    }

    /**
     * Refuses a writer whose chain is another one than that of the writer before it. Called by transports before the new
     * writer is made known.
     *
     * @param topic for the text
     * @param predecessor null for none, or none that is known
     * @param topology of the new writer's chain
     * @throws TopicMismatchException when both belong to chains and these differ; the text shows both
     */
    public static void requireSameTopology(String topic, Incarnation predecessor, String topology) {
        if (predecessor != null
                && !predecessor.topology.equals(NO_TOPOLOGY)
                && !topology.equals(NO_TOPOLOGY)
                && !predecessor.topology.equals(topology)) {
            throw new TopicMismatchException(
                    "topic '" + topic + "' was written by another chain: it was " + predecessor.topology
                            + ", it is " + topology
                            + ". Run the chain of before until its topics are empty, then start the new one under another name");
        }
    }

    /** {@return this as text of one line, for {@link #parse}} */
    public String text() {
        return Long.toHexString(id)
                + SEPARATOR
                + Long.toHexString(boot)
                + SEPARATOR
                + wallOffsetNanos
                + SEPARATOR
                + process
                + SEPARATOR
                + topology;
    }

    /**
     * Reads what {@link #text} wrote.
     *
     * @param text which may be anything
     * @return null when it is something else
     */
    public static Incarnation parse(String text) {
        String[] parts = text.split(String.valueOf(SEPARATOR), PARTS);
        if (parts.length < PARTS) {
            return null;
        }
        try {
            return new Incarnation(
                    Long.parseUnsignedLong(parts[0], 16),
                    parts[4],
                    Long.parseUnsignedLong(parts[1], 16),
                    Long.parseLong(parts[2]),
                    parts[3]);
        } catch (NumberFormatException somethingElse) {
            return null;
        }
    }

    /** Linux names each boot; elsewhere only stamps of one process are compared. */
    private static long thisBoot() {
        String name;
        try {
            name = Files.readString(BOOT_ID, StandardCharsets.US_ASCII).trim();
        } catch (IOException elsewhere) {
            name = UUID.randomUUID().toString();
        }
        try {
            UUID boot = UUID.fromString(name);
            return boot.getMostSignificantBits() ^ boot.getLeastSignificantBits() | 1; // never 0
        } catch (IllegalArgumentException noUuid) {
            return name.hashCode() | 1;
        }
    }
}
