package dev.baton.chronicle.format;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The place of a file's last excerpt in the file's header, which a writer stores after it has published the excerpt: one
 * that is killed in between leaves an older place. From there Chronicle counts on by the index, and where that has no
 * entry yet, from the start of the file, of which a part may be freed. Stateless.
 */
final class LastPosition {
    /** The least bits of the number of an excerpt, beside its place: as Chronicle's {@code RollCycleEncodeSequence} has it. */
    private static final int LEAST_BITS = 32;

    private LastPosition() {}

    /** Returns whether an excerpt follows the last one whose place is stored. Changes nothing. */
    static boolean isOld(Path path) throws IOException {
        try (ExcerptScan scan = new ExcerptScan(path)) {
            return scan.goToLast() && scan.next() && scan.next();
        } catch (FileDefect | NoSuchFileException reportedByOpening) {
            return false;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Stores the place and the number of the last complete excerpt, if an older one is stored. The caller has the writer's lock. */
    static void complete(Path path) throws IOException {
        try (ExcerptScan scan = new ExcerptScan(path)) {
            if (!scan.goToLast()) {
                return;
            }
            long stored = scan.position();
            long last = stored;
            long excerpts = 0;
            try {
                boolean isMore = scan.next();
                while (isMore && scan.next()) {
                    last = scan.begin();
                    excerpts++;
                }
            } catch (FileDefect behind) {
                // The opening reports it, or it is an excerpt of another program, behind which Chronicle finds the end.
                return;
            }
            if (excerpts > 0) {
                store(path, scan.header(), stored, last, excerpts);
            }
        } catch (FileDefect | NoSuchFileException reportedByOpening) {
            // There may be nothing to complete.
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void store(Path path, StoreHeader header, long stored, long last, long excerpts) throws IOException {
        int bits = Math.max(LEAST_BITS, 2 * log2(header.indexCount()) + log2(header.indexSpacing()));
        long mask = (1L << bits) - 1;
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer number = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            if (channel.read(number, header.lastAt() + Long.BYTES) < Long.BYTES
                    || number.getLong(0) == 0
                    || number.getLong(0) >>> bits != stored << bits >>> bits) {
                return; // the number of the stored one is not known
            }
            long encoded = (last << bits) + ((number.getLong(0) & mask) + excerpts & mask);
            ByteBuffer both = ByteBuffer.allocate(2 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            channel.write(both.putLong(0, last).putLong(Long.BYTES, encoded), header.lastAt());
        }
    }

    private static int log2(int powerOfTwo) {
        return Integer.numberOfTrailingZeros(powerOfTwo);
    }
}
