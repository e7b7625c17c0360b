package dev.baton.lab.engines;

import dev.baton.aeron.AeronOptions;
import dev.baton.measuring.rig.ChainEnds;
import dev.baton.spi.TransportException;
import io.aeron.Aeron;
import io.aeron.CommonContext;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.agrona.CloseHelper;
import org.agrona.LangUtil;

/**
 * The reference over Aeron IPC: a stream for each hop, an exclusive publication on one thread and a subscription on the
 * other, as Aeron's own samples have them; see StreamStages. The media driver is embedded and has one thread, which rests as
 * the library does by default: one that spins, as in the samples, would take a core from what is measured.
 */
final class StreamLibrary implements ReferenceRig.Library {
    private static final int MAX_MTU = 65_504;
    private static final int FRAGMENTS_PER_TERM = 8;
    private static final long LIVENESS_NANOS = TimeUnit.MINUTES.toNanos(1); // a busy machine stalls for seconds

    private final Pause pause;
    private final int termLength;
    private final Path root;
    private final String unused;
    private final Map<String, Integer> streams = new HashMap<>(); // by topic
    private MediaDriver driver; // null until there are topics
    private Aeron aeron;

    StreamLibrary(Settings settings, Pause pause) {
        this.pause = pause;
        termLength = settings.bytes("term-length");
        String directory = settings.text("driver-dir");
        root = directory.isBlank() ? AeronOptions.defaults().directory() : Path.of(directory);
        unused = settings.unused();
    }

    @Override
    public Pause pause() {
        return pause;
    }

    @Override
    public Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("durability", "memory only: gone with the media driver");
        properties.put("acknowledgement", "none: what a subscription has polled is overwritten");
        properties.put(
                "batching",
                "a poll takes up to " + StreamStages.FRAGMENT_LIMIT
                        + " fragments, as in Aeron's samples; one message for each fragment");
        properties.put("copies", "one for each hop: from log to log, the bytes of Baton's frame");
        properties.put(
                "configuration",
                "exclusive publications, tryClaim, term length " + termLength + " and MTU " + mtu()
                        + " as Baton's transport has them, logs with all their pages; an embedded media driver with one"
                        + " thread of its own and the library's idle strategy, in " + root + unused);
        return properties;
    }

    private int mtu() {
        return Math.min(MAX_MTU, termLength / FRAGMENTS_PER_TERM);
    }

    @Override
    public void createTopics(List<String> names) {
        if (aeron == null) {
            start();
        }
        names.forEach(name -> streams.computeIfAbsent(name, stream -> streams.size() + 1));
    }

    private void start() {
        try {
            Path directory = Files.createTempDirectory(
                    root, "baton-aeron-" + ProcessHandle.current().pid() + "-reference-");
            driver = MediaDriver.launch(new MediaDriver.Context()
                    .aeronDirectoryName(directory.toString())
                    .dirDeleteOnStart(true)
                    .dirDeleteOnShutdown(true)
                    .threadingMode(ThreadingMode.SHARED)
                    .ipcTermBufferLength(termLength)
                    .ipcMtuLength(mtu())
                    .termBufferSparseFile(false)
                    .clientLivenessTimeoutNs(LIVENESS_NANOS)
                    .publicationUnblockTimeoutNs(2 * LIVENESS_NANOS)
                    .driverTimeoutMs(TimeUnit.NANOSECONDS.toMillis(LIVENESS_NANOS)));
            aeron = Aeron.connect(new Aeron.Context()
                    .aeronDirectoryName(directory.toString())
                    .driverTimeoutMs(TimeUnit.NANOSECONDS.toMillis(LIVENESS_NANOS))
                    // a client that ends closes its streams, and each stage finds its own closed
                    .errorHandler(failure -> {})
                    // what a stage throws while it handles a fragment ends the stage
                    .subscriberErrorHandler(LangUtil::rethrowUnchecked));
        } catch (IOException | RuntimeException | InternalError failed) {
            close();
            throw new TransportException(
                    "no media driver could be started in " + root + ": " + failed.getMessage(), failed);
        }
    }

    @Override
    public List<Stage> stages(ChainEnds ends, List<String> topics) {
        List<ExclusivePublication> writers = new ArrayList<>();
        List<Subscription> readers = new ArrayList<>();
        try {
            for (String topic : topics) {
                int stream = streams.get(topic);
                readers.add(aeron.addSubscription(CommonContext.IPC_CHANNEL, stream));
                writers.add(aeron.addExclusivePublication(CommonContext.IPC_CHANNEL, stream));
            }
        } catch (RuntimeException failed) {
            throw new TransportException("Aeron cannot open a stream: " + failed.getMessage(), failed);
        }
        int last = topics.size() - 1;
        return Stage.chain(
                IntStream.rangeClosed(0, last).boxed().toList(),
                new Stage.Feeding(ends.generator(), new StreamStages.Inlet(writers.get(0), ends.pattern()), pause),
                (from, to) -> new StreamStages.Relay(readers.get(from), writers.get(to), pause),
                new StreamStages.Exit(readers.get(last), ends.receiver(), pause));
    }

    @Override
    public void close() {
        CloseHelper.closeAll(aeron, driver);
        aeron = null;
        driver = null;
        streams.clear();
    }
}
