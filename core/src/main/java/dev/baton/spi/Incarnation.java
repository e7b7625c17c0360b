package dev.baton.spi;

import dev.baton.spi.errors.TopicMismatchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;

/**
 * One life of a topic's writer, from its open to its close or the end of its process. A transport stores it with the topic,
 * before the first frame of this writer.
 *
 * <p>It determines three things. First, the current writer of a topic, which is the newest. Second, the input that an output
 * answers: frames name the incarnation of their input's writer to which their causes refer ({@link InputRef}). Third, whether
 * two timestamps of {@link System#nanoTime} are comparable: if both writers ran in the same boot of the same host. Immutable,
 * thread-safe.
 *
 * @param id positive; it increases with each writer of the topic and is never used twice, even if a copy of the topic was
 *     restored: its low {@value #RANDOM_BITS} bits are random, the others are a count
 * @param topology services of the writer's chain and the position of the topic among them; {@link #NO_TOPOLOGY} for none
 * @param boot boot of the host in which it ran; 0 if that is not known
 * @param wallOffsetNanos number to add to its {@link System#nanoTime} to obtain nanoseconds since 1970-01-01T00:00Z
 * @param process process in which it ran, for logs and errors
 */
public record Incarnation(long id, String topology, long boot, long wallOffsetNanos, String process) {
    /** The topology of writers that do not belong to a chain. */
    public static final String NO_TOPOLOGY = "";

    /** The number of random low bits of an id. */
    public static final int RANDOM_BITS = 20;

    /** The system property that replaces the id of the host's boot in tests, a UUID. */
    public static final String BOOT_ID = "baton.boot.id";

    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final char SEPARATOR = '\t';
    private static final int PARTS = 5;
    private static final Path BOOT_FILE = Path.of("/proc/sys/kernel/random/boot_id");
    private static final long THIS_BOOT = thisBoot();

    /**
     * {@return a new incarnation of a writer in this process, which begins now}
     *
     * @param id higher than those of the topic's earlier writers, from {@link #id}
     * @param topology topology of the writer's chain; {@link #NO_TOPOLOGY} for none
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
     * {@return the id of a writer, made of its count and random low bits}
     *
     * @param count number, at least 1 and below 2^43
     * @param random number whose low {@value #RANDOM_BITS} bits are used
     */
    public static long id(long count, long random) {
        return count << RANDOM_BITS | random & (1L << RANDOM_BITS) - 1;
    }

    /**
     * {@return the count of a new writer, for transports that do not derive it from a position in a log: higher than the counts
     * of earlier writers, including those that are not known any more because an older copy of the topic was restored} For this
     * it also uses the milliseconds since 1970.
     *
     * @param newest count of the newest writer known, 0 for none
     * @param wallMillis since 1970, by the wall clock now
     */
    public static long countAfter(long newest, long wallMillis) {
        return Math.max(newest + 1, wallMillis);
    }

    /**
     * {@return the count of an id}
     *
     * @param id id of a writer
     */
    public static long count(long id) {
        return id >>> RANDOM_BITS;
    }

    /** {@return the boot of the host in which this process runs, as {@link #boot} has it} */
    public static long presentBoot() {
        return THIS_BOOT;
    }

    /** {@return whether its timestamps of {@link System#nanoTime} are comparable with those of this JVM} */
    public boolean isOfThisBoot() {
        return boot == THIS_BOOT;
    }

    /**
     * Refuses a writer whose chain differs from that of the previous writer. Called by transports before the new writer is made
     * known.
     *
     * @param topic topic for the message
     * @param predecessor predecessor; null if there is none or it is not known
     * @param topology topology of the new writer's chain
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
                            + ". Run the former chain until its services have read their topics, then start the new one under another name;"
                            + " or delete the topics of the chain, if no message in them is needed");
        }
    }

    /** {@return this incarnation as one line of text, for {@link #parse}} */
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
     * Reads a text of {@link #text}.
     *
     * @param text any text
     * @return the incarnation; null if the text is something else
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

    /**
     * {@return the id of the current boot of this host; null on systems other than Linux} For tests of what a restart of the
     * host leaves, the system property {@value #BOOT_ID} of a process replaces it.
     *
     * @throws IllegalArgumentException if the property is not a UUID
     */
    public static UUID bootId() {
        String replaced = System.getProperty(BOOT_ID);
        try {
            return UUID.fromString(
                    replaced == null ? Files.readString(BOOT_FILE).trim() : replaced);
        } catch (IOException elsewhere) {
            return null;
        } catch (IllegalArgumentException other) {
            if (replaced != null) {
                throw new IllegalArgumentException(
                        "system property " + BOOT_ID + " is '" + replaced + "'; a UUID is allowed", other);
            }
            return null;
        }
    }

    /** Returns a number of the current boot; where that has no id, one of the process, so that only its own stamps are compared. */
    private static long thisBoot() {
        UUID known = bootId();
        UUID boot = known == null ? UUID.randomUUID() : known;
        return boot.getMostSignificantBits() ^ boot.getLeastSignificantBits() | 1; // never 0
    }
}
