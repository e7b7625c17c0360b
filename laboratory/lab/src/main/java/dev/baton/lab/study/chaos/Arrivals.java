package dev.baton.lab.study.chaos;

import dev.baton.operations.line.CommandException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.agrona.CloseHelper;

/**
 * Follows the receivers' journal while it is written: the first output that was sent after a moment, the longest silence at the sink, and
 * the messages that a receiver got twice or never. Confined to one thread.
 *
 * <p>A receiver may begin with messages that the one before already got, as delivery is at least once. From there on every number has to
 * follow the one before, except deleted ones. Where a second receiver is admitted, the messages of the two may alternate.
 */
final class Arrivals implements AutoCloseable {
    private static final int RECORDS = 1024;

    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(RECORDS * Arrival.BYTES);
    private long position;
    private final Map<Long, Long> newestOfLife = new HashMap<>();
    private final BitSet deleted = new BitSet();
    private final LongPredicate isFiltered;
    private Arrival last; // null before the first
    private long newestLife;
    private long watched = Long.MAX_VALUE;
    long recoveredAtNanos; // when the receiver had the first message sent after the moment watched; 0: not yet
    long longestSilenceNanos; // since listen; the one that has not ended yet is not in it
    long newest; // number that has arrived; 0: none
    long redelivered; // messages that had arrived before, in an earlier life of the receiver or, repeated, in the same
    long skipped; // messages that never arrived, though later ones did
    long repeated; // steps back that no restart of the receiver explains
    long overtaken; // messages that came to a receiver after a later one had begun; 0 where rivals are kept out
    long altered; // messages with a byte that was not as it had been written

    /** Opens the file, which is made if it is not there yet. @param isFiltered whether a number never comes out */
    Arrivals(Path journal, LongPredicate isFiltered) {
        this.isFiltered = isFiltered;
        OpenOption[] options = {StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE};
        channel = CommandException.guarded(
                "cannot make the receiver's journal", () -> FileChannel.open(journal, options));
    }

    /** Reads the arrivals since the last call. */
    void read() {
        try {
            while (channel.read(buffer.clear(), position) >= Arrival.BYTES) {
                buffer.flip();
                for (; buffer.remaining() >= Arrival.BYTES; position += Arrival.BYTES) {
                    take(Arrival.read(buffer));
                }
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("the receiver's journal cannot be read", failed);
        }
    }

    private void take(Arrival arrival) {
        Long before = newestOfLife.get(arrival.scenario());
        long due = 1 + (before == null ? newest : before);
        altered += arrival.isWhole() ? 0 : 1;
        if (!arrival.isWhole() && !isNext(arrival, due)) {
            return; // nothing in it can be believed: its number might be any
        }
        newestOfLife.put(arrival.scenario(), arrival.number());
        if (arrival.first() > due) {
            skipped += LongStream.range(due, arrival.first())
                    .filter(number -> !isExcused(number))
                    .count();
        } else if (before != null && arrival.first() < due) {
            repeated++;
        }
        if (before == null) {
            newestLife = arrival.scenario();
        } else if (arrival.scenario() != newestLife) {
            overtaken++;
        }
        redelivered += arrival.number() <= newest ? 1 : 0;
        if (last != null) {
            longestSilenceNanos = Math.max(longestSilenceNanos, arrival.atNanos() - last.atNanos());
        }
        if (recoveredAtNanos == 0 && arrival.sentNanos() - watched > 0) {
            recoveredAtNanos = arrival.atNanos();
        }
        newest = Math.max(newest, arrival.number());
        last = arrival;
    }

    private boolean isExcused(long number) {
        return deleted.get((int) number) || isFiltered.test(number);
    }

    /** Returns whether an altered message is the next one by its number, which then can be believed. */
    private boolean isNext(Arrival arrival, long due) {
        long next = due;
        while (next < arrival.first() && next < Integer.MAX_VALUE && isExcused(next)) {
            next++;
        }
        return arrival.first() == next && arrival.number() == next;
    }

    /** Adds numbers that were deleted on their way and, like dead letters, need not reach a receiver. */
    void expectDeleted(BitSet numbers) {
        deleted.or(numbers);
    }

    /** Watches for the first message that is sent after this moment. */
    void watch(long nanos) {
        watched = nanos;
        recoveredAtNanos = 0;
    }

    /** Measures silence from the previous arrival on. */
    void listen() {
        read();
        longestSilenceNanos = 0;
    }

    /** {@return the transit time of the last message; 0 before the first} */
    long lastTransitNanos() {
        return last == null ? 0 : last.atNanos() - last.sentNanos();
    }

    /** The newest number that has arrived, or the dead letter behind it. */
    long settled() {
        return isFiltered.test(newest + 1) ? newest + 1 : newest;
    }

    @Override
    public void close() {
        CloseHelper.quietClose(channel); // or the end of the process closes it
    }

    /**
     * One group of messages that the receiver was handed, as its journal keeps it. Immutable, thread-safe.
     *
     * @param first number of the group
     * @param number of the last message in it
     * @param sentNanos when the sender wrote that
     * @param atNanos when the receiver had it
     * @param scenario of the receiver: another after each start
     * @param isWhole whether every byte was as it had been written
     */
    record Arrival(long first, long number, long sentNanos, long atNanos, long scenario, boolean isWhole) {
        static final int BYTES = 6 * Long.BYTES;

        void write(ByteBuffer target) {
            target.putLong(first)
                    .putLong(number)
                    .putLong(sentNanos)
                    .putLong(atNanos)
                    .putLong(scenario)
                    .putLong(isWhole ? 1 : 0);
        }

        static Arrival read(ByteBuffer source) {
            return new Arrival(
                    source.getLong(),
                    source.getLong(),
                    source.getLong(),
                    source.getLong(),
                    source.getLong(),
                    source.getLong() == 1);
        }
    }

    /**
     * The receiver's file of {@linkplain Arrival arrivals}: each is written before it is consumed, in one call, so that it survives the
     * process. Second receivers append to the same file. Confined to one thread.
     */
    static final class Journal implements AutoCloseable {
        private final FileChannel channel;
        private final ByteBuffer record = ByteBuffer.allocateDirect(Arrival.BYTES);

        /** Opens it behind what it holds; half a record at its end is cut off. */
        Journal(Path file) {
            try {
                channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                long whole = channel.size() / Arrival.BYTES * Arrival.BYTES;
                if (channel.size() > whole) {
                    channel.truncate(whole);
                }
            } catch (IOException failed) {
                throw new UncheckedIOException("the journal cannot be opened", failed);
            }
        }

        void add(Arrival arrival) throws IOException {
            arrival.write(record.clear());
            record.flip();
            while (record.hasRemaining()) {
                channel.write(record);
            }
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
