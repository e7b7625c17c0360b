package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A writer's process and two reading ones over UDP, with one media driver for the writer and one for the readers: each of them is
 * killed, suspended or replaced. Every process notes in a file what it does, before it does it or acknowledges it.
 */
@Tag("soak")
class UdpChaosTest {
    private static final String TOPIC = "orders";
    private static final int READERS = 2;
    private static final int FAULTS = Integer.getInteger("baton.udp.faults", 40);
    private static final long SEED = Long.getLong("baton.udp.seed", 43);
    private static final Duration LIVENESS = Duration.ofSeconds(3);
    private static final Duration TIMEOUT = Duration.ofSeconds(4);
    private static final Duration PAUSE = Duration.ofMillis(300);
    private static final Duration LIMIT = Duration.ofMinutes(2); // of a recovery, with the start of a JVM
    private static final long BETWEEN = 1_000; // messages that each reader receives from one fault to the next
    private static final int BATCH = 10;
    private static final int LEAST_FRAGMENT = 32; // bytes of a frame in the window, at least

    /** The kinds of faults. */
    private enum Kind {
        /** What the readers have not received is lost with it. */
        KILL_WRITER,
        /** Its client is dropped, and it opens everything again, as a writer's process that has begun anew. */
        SUSPEND_WRITER,
        PAUSE_WRITER,
        KILL_WRITERS_DRIVER,
        PAUSE_WRITERS_DRIVER,
        KILL_READER,
        SUSPEND_READER,
        PAUSE_READER,
        /** Another process continues the consumer while its reader is suspended. */
        REPLACE_READER,
        KILL_READERS_DRIVER,
        PAUSE_READERS_DRIVER
    }

    @TempDir
    private Path directory;

    private final Random random = new Random(SEED);
    private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
    private final UdpOptions options =
            UdpPorts.options().with(UdpOptions.TIMEOUT, TIMEOUT).with(UdpOptions.CONSUMER_TIMEOUT, Duration.ofHours(1));
    private final Account[] accounts = new Account[READERS];
    private final AeronJvm[] readers = new AeronJvm[READERS];
    private AeronJvm writer;
    private ArchiveJvm writersDriver;
    private ArchiveJvm readersDriver;
    private int processes;

    /** Notes of one process, in entries that are written whole also when it is killed. Confined to one thread. */
    private static final class Notes implements AutoCloseable {
        private static final int BYTES = 32; // no entry crosses the end of a page

        private final FileChannel file;
        private final ByteBuffer entry = ByteBuffer.allocate(BYTES);

        Notes(Path path) {
            try {
                file = FileChannel.open(
                        path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }

        void add(long life, long first, long last) {
            try {
                file.write(
                        entry.clear().putLong(life).putLong(first).putLong(last).position(0));
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }

        /** Reads the next entry, and returns whether there was one. */
        boolean next() {
            try {
                if (file.size() - file.position() < BYTES) {
                    return false;
                }
                file.read(entry.clear());
                return true;
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }

        long life() {
            return entry.getLong(0);
        }

        long first() {
            return entry.getLong(Long.BYTES);
        }

        long last() {
            return entry.getLong(2 * Long.BYTES);
        }

        @Override
        public void close() {
            CloseHelper.close(file);
        }
    }

    /** What one consumer has received, held against the guarantees as its notes arrive. */
    private static final class Account implements AutoCloseable {
        private final String consumer;
        private final Set<Long> before = new HashSet<>(); // lives of the writer that have ended for it
        private Notes notes;
        private long life;
        private long start; // of its newest reader
        private boolean isOpened; // and no frame has come since
        private long last; // sequence of the life
        private long received; // without repetitions
        private long repeated; // for a reader that has ended before it acknowledged
        private long unseen; // frames that had left the window before the consumer was new
        private final Map<Long, Long> ends = new HashMap<>(); // the newest frame received, by life

        Account(String consumer, Path path) {
            this.consumer = consumer;
            notes = new Notes(path);
        }

        /** Continues with the notes of another process. */
        void follow(Path path) {
            read();
            notes.close();
            notes = new Notes(path);
        }

        void read() {
            while (notes.next()) {
                if (notes.life() == 0) {
                    start = notes.last();
                    isOpened = true;
                } else {
                    add(notes.life(), notes.first(), notes.last());
                }
            }
        }

        private void add(long of, long first, long end) {
            String what = "seed " + SEED + ", consumer " + consumer + ", life " + of;
            if (of != life) {
                assertThat(isOpened)
                        .as(what + " without a failure of the reader")
                        .isTrue();
                assertThat(before.add(of)).as(what + ", which has ended").isTrue();
                life = of;
                last = start;
                unseen += start;
            }
            if (isOpened) {
                assertThat(start).as(what + ", begin of a reader").isLessThanOrEqualTo(last);
                assertThat(first).as(what + ", first frame of a reader").isEqualTo(start + 1);
                repeated += Math.min(last, end) - start;
                isOpened = false;
            } else {
                repeated += Math.max(0, Math.min(last, end) - first + 1);
            }
            assertThat(first).as(what).isLessThanOrEqualTo(last + 1);
            received += Math.max(0, end - last);
            last = Math.max(last, end);
            ends.put(of, last);
        }

        @Override
        public void close() {
            notes.close();
        }
    }

    @Test
    void faultsLoseOnlyWhatTheWriterHeld() throws Exception {
        try (ArchiveJvm writers = ArchiveJvm.start(LIVENESS);
                ArchiveJvm others = ArchiveJvm.start(LIVENESS)) {
            writersDriver = writers;
            readersDriver = others;
            try {
                startWriter();
                for (int reader = 0; reader < READERS; reader++) {
                    Path notes = startReader(reader);
                    accounts[reader] = new Account("c" + reader, notes);
                }
                receive();
                for (int fault = 0; fault < FAULTS; fault++) {
                    Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
                    counts.merge(kind, 1, Integer::sum);
                    fault(kind, random.nextInt(READERS));
                    receive();
                }
                Files.createFile(directory.resolve(OneProcess.STOP));
                audit();
            } finally {
                CloseHelper.closeAll(writer, readers[0], readers[1], accounts[0], accounts[1]);
            }
        }
    }

    private void fault(Kind kind, int reader) throws Exception {
        switch (kind) {
            case KILL_WRITER -> {
                writer.kill();
                startWriter();
            }
            case SUSPEND_WRITER -> pause(writer, LIVENESS.multipliedBy(2));
            case PAUSE_WRITER -> pause(writer, PAUSE);
            case KILL_WRITERS_DRIVER -> startAgain(writersDriver);
            case PAUSE_WRITERS_DRIVER -> pause(writersDriver);
            case KILL_READER -> {
                readers[reader].kill();
                accounts[reader].follow(startReader(reader));
            }
            case SUSPEND_READER -> pause(readers[reader], LIVENESS.multipliedBy(2));
            case PAUSE_READER -> pause(readers[reader], PAUSE);
            case REPLACE_READER -> {
                AeronJvm replaced = readers[reader];
                replaced.signal("STOP");
                try {
                    accounts[reader].follow(startReader(reader));
                    receive();
                    replaced.signal("CONT");
                    receive();
                } finally {
                    replaced.kill();
                }
            }
            case KILL_READERS_DRIVER -> startAgain(readersDriver);
            case PAUSE_READERS_DRIVER -> pause(readersDriver);
        }
    }

    private static void startAgain(ArchiveJvm driver) {
        driver.kill();
        driver.startAgain();
    }

    private static void pause(ArchiveJvm driver) {
        driver.signal("STOP");
        LockSupport.parkNanos(PAUSE.toNanos());
        driver.signal("CONT");
    }

    private static void pause(AeronJvm process, Duration time) throws Exception {
        process.signal("STOP");
        LockSupport.parkNanos(time.toNanos());
        process.signal("CONT");
    }

    /** Awaits messages at each reader, of those that are sent from now on. */
    private void receive() {
        for (Account each : accounts) {
            each.read();
        }
        long[] targets = {accounts[0].received + BETWEEN, accounts[1].received + BETWEEN};
        AeronEnds.until("messages, after " + counts, LIMIT.toNanos(), () -> {
            boolean hasAll = true;
            for (int reader = 0; reader < READERS; reader++) {
                accounts[reader].read();
                hasAll &= accounts[reader].received >= targets[reader];
            }
            return hasAll;
        });
    }

    /** Holds what was sent in each life of the writer against what the consumers have received of it. */
    private void audit() {
        List<long[]> lives = new ArrayList<>();
        AeronEnds.until("the end of the last life", LIMIT.toNanos(), () -> {
            lives.clear();
            lives.addAll(lives());
            long[] newest = lives.get(lives.size() - 1);
            boolean hasAll = true;
            for (Account each : accounts) {
                each.read();
                hasAll &= each.life == newest[0] && each.last == newest[1];
            }
            return hasAll;
        });
        long sent = lives.stream().mapToLong(each -> each[1]).sum();
        long mostHeld = options.window() / LEAST_FRAGMENT + BATCH;
        System.out.println("faults " + counts + ", " + sent + " messages sent in " + lives.size()
                + " lives of the writer's process");
        for (Account each : accounts) {
            long lost = 0;
            for (long[] life : lives) {
                long missing = life[1] - each.ends.getOrDefault(life[0], 0L);
                assertThat(missing)
                        .as("frames that the life %d of the writer held for %s", life[0], each.consumer)
                        .isBetween(0L, mostHeld);
                lost += missing;
            }
            assertThat(each.received + each.unseen + lost)
                    .as("account of " + each.consumer)
                    .isEqualTo(sent);
            System.out.println(each.consumer + ": " + each.received + " received, " + lost
                    + " lost with a writer's process, " + each.unseen + " before the consumer was known, "
                    + each.repeated + " received again after a failure of the reader");
        }
    }

    /** The lives of the writer's processes, each with the newest sequence that it may have sent, in order. */
    private List<long[]> lives() {
        List<long[]> lives = new ArrayList<>();
        for (int process = 0; process < processes; process++) {
            Path file = directory.resolve("writer-" + process);
            if (Files.exists(file)) {
                try (Notes notes = new Notes(file)) {
                    while (notes.next()) {
                        if (lives.isEmpty() || lives.get(lives.size() - 1)[0] != notes.life()) {
                            lives.add(new long[] {notes.life(), 0});
                        }
                        lives.get(lives.size() - 1)[1] = notes.last();
                    }
                }
            }
        }
        return lives;
    }

    private void startWriter() {
        Path notes = directory.resolve("writer-" + processes++);
        writer = start(notes, writersDriver, UdpOptions.Role.WRITER, "");
    }

    private Path startReader(int reader) {
        Path notes = directory.resolve("reader-" + processes++);
        readers[reader] = start(notes, readersDriver, UdpOptions.Role.READER, "c" + reader);
        return notes;
    }

    private AeronJvm start(Path notes, ArchiveJvm driver, UdpOptions.Role role, String consumer) {
        return AeronJvm.start(
                OneProcess.class,
                notes.toString(),
                driver.driver().toString(),
                role.toString(),
                options.get(UdpOptions.CONTROL),
                options.get(UdpOptions.REQUESTS),
                consumer);
    }

    /** The writer's process or a reading one, until it is killed: after a failure it opens everything again. */
    static final class OneProcess {
        static final String STOP = "stop"; // name of the file after which nothing more is written

        private OneProcess() {}

        public static void main(String[] arguments) {
            Thread end = new Thread(OneProcess::endWithInput);
            end.setDaemon(true);
            end.start();
            Path path = Path.of(arguments[0]);
            UdpOptions options = UdpPorts.options()
                    .with(UdpOptions.TIMEOUT, TIMEOUT)
                    .with(UdpOptions.CONSUMER_TIMEOUT, Duration.ofHours(1))
                    .with(UdpOptions.DRIVER, Path.of(arguments[1]))
                    .with(UdpOptions.ROLE, UdpOptions.Role.valueOf(arguments[2]))
                    .with(UdpOptions.CONTROL, arguments[3])
                    .with(UdpOptions.REQUESTS, arguments[4]);
            try (Notes notes = new Notes(path)) {
                while (true) {
                    try (UdpTransport transport = UdpTransport.open(options)) {
                        transport.createTopics(List.of(TOPIC));
                        try (Connection connection = transport.connect()) {
                            if (options.isWriter()) {
                                write(connection, notes, path.resolveSibling(STOP));
                            } else {
                                read(connection, notes, arguments[5]);
                            }
                        }
                    } catch (TransportException failed) {
                        LockSupport.parkNanos(PAUSE.toNanos());
                    }
                }
            }
        }

        /** Ends the process with the JVM of the test. */
        private static void endWithInput() {
            try {
                while (System.in.read() >= 0) {
                    // nothing is written there
                }
            } catch (IOException failed) {
                // the same
            }
            Runtime.getRuntime().halt(1);
        }

        private static void write(Connection connection, Notes notes, Path stop) {
            long life = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
            TopicWriter writer = connection.openWriter(TOPIC);
            while (true) {
                connection.doWork();
                if (!Files.exists(stop) && writer.remainingCapacity(2 * Long.BYTES) >= BATCH) {
                    long next = writer.sequence() + 1;
                    notes.add(life, next, next + BATCH - 1);
                    for (int i = 0; i < BATCH; i++) {
                        Frame frame = writer.claim(2 * Long.BYTES);
                        frame.stamp(0, 0, 0, 0, 0);
                        frame.putLong(0, life);
                        frame.putLong(Long.BYTES, next + i);
                        writer.commit(2 * Long.BYTES);
                    }
                    writer.flush();
                }
                LockSupport.parkNanos(2_000_000);
            }
        }

        private static void read(Connection connection, Notes notes, String consumer) {
            TopicReader reader = connection.openReader(TOPIC, consumer, StartPosition.stored());
            notes.add(0, 0, reader.found().acknowledged());
            long[] polled = new long[3]; // life, first and last sequence
            while (true) {
                connection.doWork();
                if (reader.failure() != null) {
                    throw reader.failure();
                }
                polled[1] = 0;
                reader.poll(
                        (frame, position) -> {
                            if (frame.getLong(Long.BYTES) != frame.sequence()
                                    || polled[1] > 0
                                            && (frame.getLong(0) != polled[0] || frame.sequence() != polled[2] + 1)) {
                                notes.add(-1, frame.getLong(Long.BYTES), frame.sequence()); // refused by the account
                            }
                            polled[0] = frame.getLong(0);
                            polled[1] = polled[1] == 0 ? frame.sequence() : polled[1];
                            polled[2] = frame.sequence();
                            return Verdict.DONE;
                        },
                        64);
                if (polled[1] > 0) {
                    notes.add(polled[0], polled[1], polled[2]);
                    reader.acknowledge(polled[2]);
                }
                LockSupport.parkNanos(500_000);
            }
        }
    }
}
