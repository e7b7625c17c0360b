package dev.baton.lab;

import dev.baton.aeron.ArchiveProvider;
import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.TransportException;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveMarkFile;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.ArchivingMediaDriver;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/** The processes of hosts with an Archive or a client of it. They end with their input. */
final class StandbyHost {
    static final String TOPIC = "orders";
    static final String READY = "ready";
    private static final long LIVENESS_NANOS = TimeUnit.SECONDS.toNanos(4);
    private static final int PAYLOAD = 100;
    private static final int BATCH = 10;

    private StandbyHost() {}

    /** What the process does, and for all but an Archive and a driver the options. */
    public static void main(String[] arguments) throws IOException {
        List<String> rest = List.of(arguments).subList(1, arguments.length);
        Thread end = new Thread(StandbyHost::haltAtEndOfInput, "input");
        end.setDaemon(true);
        end.start();
        try {
            switch (arguments[0]) {
                case "archive" -> archive(Path.of(rest.get(0)), rest.get(1));
                case "driver" -> driver(Path.of(rest.get(0)));
                case "write" -> write(options(rest));
                case "read" -> read(rest.get(0), options(rest.subList(1, rest.size())));
                default -> throw new IllegalArgumentException(arguments[0]);
            }
        } catch (TransportException failed) {
            System.out.println("failed " + failed.getMessage());
        }
    }

    private static void haltAtEndOfInput() {
        try {
            while (System.in.read() >= 0) {
                // until the test closes it
            }
        } catch (IOException gone) {
            // the end, too
        }
        Runtime.getRuntime().halt(0);
    }

    private static Map<String, String> options(List<String> typed) {
        Map<String, String> options =
                new HashMap<>(Map.of("term-length", "64k", "max-payload", Integer.toString(PAYLOAD), "timeout", "4s"));
        typed.forEach(each -> options.put(each.split("=")[0], each.split("=")[1]));
        return options;
    }

    private static MediaDriver.Context driverIn(Path directory) {
        return new MediaDriver.Context()
                .aeronDirectoryName(directory.resolve("driver").toString())
                .threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(idle())
                .dirDeleteOnStart(true)
                .clientLivenessTimeoutNs(LIVENESS_NANOS)
                .imageLivenessTimeoutNs(LIVENESS_NANOS)
                .publicationUnblockTimeoutNs(2 * LIVENESS_NANOS);
    }

    private static void archive(Path directory, String address) throws IOException {
        Path recordings = directory.resolve("archive");
        Files.deleteIfExists(recordings.resolve(ArchiveMarkFile.FILENAME)); // of one that was killed
        Archive.Context archive = new Archive.Context()
                .aeronDirectoryName(directory.resolve("driver").toString())
                .archiveDir(recordings.toFile())
                .threadingMode(ArchiveThreadingMode.SHARED)
                .idleStrategySupplier(StandbyHost::idle)
                .segmentFileLength(1 << 20)
                .recordingEventsEnabled(false)
                .controlChannel("aeron:udp?endpoint=" + address)
                .replicationChannel("aeron:udp?endpoint=" + address.split(":")[0] + ":0");
        try (ArchivingMediaDriver started = ArchivingMediaDriver.launch(driverIn(directory), archive)) {
            System.out.println(READY + " " + started.mediaDriver().aeronDirectoryName());
            awaitEnd();
        }
    }

    private static void driver(Path directory) {
        try (MediaDriver started = MediaDriver.launch(driverIn(directory))) {
            System.out.println(READY + " " + started.aeronDirectoryName());
            awaitEnd();
        }
    }

    private static void awaitEnd() {
        while (true) {
            LockSupport.park(); // the input's end halts the process
        }
    }

    private static IdleStrategy idle() {
        return new BackoffIdleStrategy(0, 2, 20_000, 200_000);
    }

    /** Writes frames that have their sequence, as many as are stored, and prints what is stored. */
    private static void write(Map<String, String> options) {
        try (Transport transport = new ArchiveProvider().open(options)) {
            transport.createTopics(List.of(TOPIC));
            Connection connection = transport.connect();
            TopicWriter writer = connection.openWriter(TOPIC);
            System.out.println(READY + " behind " + writer.sequence());
            long printed = -1;
            while (writer.failure() == null) {
                for (int i = 0; i < BATCH && writer.remainingCapacity() > 0; i++) {
                    Frame frame = writer.claim(PAYLOAD);
                    frame.stamp(0, 0, writer.sequence() + 1, 0, System.nanoTime());
                    frame.putLong(0, writer.sequence() + 1);
                    writer.commit(PAYLOAD);
                }
                writer.flush();
                connection.doWork();
                if (writer.storedSequence() > printed) {
                    printed = writer.storedSequence();
                    System.out.println("stored " + printed);
                }
                LockSupport.parkNanos(200_000);
            }
            throw writer.failure();
        }
    }

    /** Reads as a consumer, checks that frames follow one another, acknowledges them and prints the newest one. */
    private static void read(String consumer, Map<String, String> options) {
        try (Transport transport = new ArchiveProvider().open(options)) {
            Connection connection = transport.connect();
            TopicReader reader = connection.openReader(TOPIC, consumer);
            long newest;
            try (TopicInspector inspector = transport.inspect(TOPIC)) {
                newest = inspector.newestSequence();
            }
            long[] last = {reader.found().acknowledged()};
            System.out.println(READY + " behind " + last[0] + " of " + newest);
            List<String> wrong = new ArrayList<>();
            while (reader.failure() == null) {
                long before = last[0];
                reader.poll(
                        (frame, position) -> {
                            if (frame.sequence() != last[0] + 1 || frame.getLong(0) != frame.sequence()) {
                                wrong.add("after " + last[0] + " follows " + frame.sequence() + " with "
                                        + frame.getLong(0));
                            }
                            last[0] = frame.sequence();
                            return Verdict.DONE;
                        },
                        BATCH);
                if (!wrong.isEmpty()) {
                    throw new TransportException(wrong.get(0));
                }
                if (last[0] > before) {
                    reader.acknowledge(last[0]);
                    System.out.println("read " + last[0]);
                }
                connection.doWork();
                LockSupport.parkNanos(100_000);
            }
            throw reader.failure();
        }
    }
}
