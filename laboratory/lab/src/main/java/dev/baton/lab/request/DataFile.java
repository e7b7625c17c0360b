package dev.baton.lab.request;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigInteger;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Locale;

/**
 * A file of recorded messages: a row for each, {@code NANOS,BYTES} with the time since the message before and the length of the payload,
 * or the length alone where times are not needed. Empty lines, lines that begin with #, and a byte order mark at the begin of the file are
 * skipped. Immutable, thread-safe.
 *
 * @param path absolute path
 * @param rows messages
 * @param sha256 checksum of the content, in hexadecimal
 */
public record DataFile(String path, int rows, String sha256) {
    private static final String BYTE_ORDER_MARK = "\uFEFF"; // of editors and spreadsheets
    private static final int MOST_ROWS = 4_000_000; // in the heap of a trial
    private static final long MOST_FILE_BYTES = 64 << 20;
    private static final int MOST_BYTES = 1 << 30;
    private static final long MOST_NANOS = 3_600_000_000_000L;

    /**
     * The messages of a file.
     *
     * @param gapsNanos time from the message before to each message; zeros if they were not read
     * @param bytes length of each payload
     */
    public record Rows(long[] gapsNanos, int[] bytes) {
        /** {@return the length of the longest payload} */
        public int maxBytes() {
            return Arrays.stream(bytes).max().orElse(0);
        }

        /** {@return the time that all messages take together} */
        public long totalNanos() {
            return Arrays.stream(gapsNanos).sum();
        }
    }

    /**
     * Reads a file completely.
     *
     * @param hasGaps whether each row has a time
     * @throws IllegalArgumentException if it cannot be read; for malformed rows with the number of the line
     */
    public static DataFile of(Path file, boolean hasGaps) {
        DataFile named = new DataFile(file.toAbsolutePath().normalize().toString(), 0, null);
        Reading read = named.reading(hasGaps);
        return new DataFile(named.path, read.rows.bytes.length, read.sha256);
    }

    /**
     * Returns the messages of the file.
     *
     * @throws IllegalArgumentException as {@link #of}, and if the file has changed
     */
    public Rows read(boolean hasGaps) {
        Reading read = reading(hasGaps);
        if (!read.sha256.equals(sha256)) {
            throw new IllegalArgumentException(path + " has changed since the trial was planned; start again");
        }
        return read.rows;
    }

    private record Reading(Rows rows, String sha256) {}

    private Reading reading(boolean hasGaps) {
        long[] gaps = new long[1024];
        int[] bytes = new int[1024];
        int count = 0;
        int number = 0;
        if (!Files.isRegularFile(Path.of(path))) {
            throw new IllegalArgumentException(path + " does not exist, or is no file");
        }
        try {
            if (Files.size(Path.of(path)) > MOST_FILE_BYTES) {
                throw new IllegalArgumentException(
                        path + " is longer than " + MOST_FILE_BYTES + " bytes; split the file");
            }
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("cannot read " + path + ": " + unreadable, unreadable);
        }
        try (DigestInputStream in = new DigestInputStream(
                        Files.newInputStream(Path.of(path)), MessageDigest.getInstance("SHA-256"));
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder()))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                String row = (number == 1 && line.startsWith(BYTE_ORDER_MARK) ? line.substring(1) : line).trim();
                if (row.isEmpty() || row.startsWith("#")) {
                    continue;
                }
                if (count == MOST_ROWS) {
                    throw new IllegalArgumentException(
                            path + " has more than " + MOST_ROWS + " messages; split the file");
                }
                if (count == bytes.length) {
                    gaps = Arrays.copyOf(gaps, 2 * count);
                    bytes = Arrays.copyOf(bytes, 2 * count);
                }
                String[] columns = row.split(",", -1);
                if (columns.length > 2 || hasGaps && columns.length < 2) {
                    throw malformed(number, row, hasGaps);
                }
                try {
                    gaps[count] = hasGaps ? inRange(columns[0], MOST_NANOS) : 0;
                    bytes[count++] = (int) inRange(columns[columns.length - 1], MOST_BYTES);
                } catch (NumberFormatException no) {
                    throw malformed(number, row, hasGaps);
                }
            }
            if (count == 0) {
                throw new IllegalArgumentException(path + " has no messages");
            }
            Rows rows = new Rows(Arrays.copyOf(gaps, count), Arrays.copyOf(bytes, count));
            if (hasGaps && rows.totalNanos() == 0) {
                throw new IllegalArgumentException(path + " has no time between messages; they cannot be sent at once");
            }
            return new Reading(
                    rows,
                    String.format(
                            Locale.ROOT,
                            "%064x",
                            new BigInteger(1, in.getMessageDigest().digest())));
        } catch (CharacterCodingException foreign) {
            throw new IllegalArgumentException(path + " is not text in UTF-8", foreign);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("cannot read " + path + ": " + unreadable, unreadable);
        } catch (NoSuchAlgorithmException unreachable) {
            throw new IllegalStateException(unreachable);
        }
    }

    private static long inRange(String column, long most) {
        long value = Long.parseLong(column.trim());
        if (value < 0 || value > most) {
            throw new NumberFormatException();
        }
        return value;
    }

    private IllegalArgumentException malformed(int line, String row, boolean hasGaps) {
        String shown = row.length() > 60 ? row.substring(0, 60) + "..." : row;
        return new IllegalArgumentException(path + ", line " + line + ": '" + shown + "' is not "
                + (hasGaps
                        ? "NANOS,BYTES, such as 25000,300 (at most an hour and 1 GiB)"
                        : "a length in bytes, such as 300 (at most 1 GiB)"));
    }
}
