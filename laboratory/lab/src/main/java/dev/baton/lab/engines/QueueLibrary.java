package dev.baton.lab.engines;

import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.PayloadScratch;
import dev.baton.measuring.rig.ChainEnds;
import dev.baton.measuring.rig.MessageSink;
import dev.baton.spi.TransportException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.RollCycles;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.wire.DocumentContext;
import net.openhft.chronicle.wire.Wire;

/**
 * The reference over Chronicle Queue: a queue for each hop, an appender on one thread and a tailer on the other; or the
 * published loops under the builder's own defaults.
 */
final class QueueLibrary implements ReferenceRig.Library {
    private final Path root;
    private final Pause pause;
    private final int blockSize;
    private final int indexCount;
    private final int indexSpacing;
    private final RollCycles roll;
    private final String unused;
    private final boolean isArticle;
    private final List<Path> directories = new ArrayList<>();
    private final List<SingleChronicleQueue> queues = new ArrayList<>();

    /** @param isArticle whether it runs the published loops */
    QueueLibrary(Settings settings, Pause pause, boolean isArticle) {
        this.pause = pause;
        this.isArticle = isArticle;
        root = Path.of(settings.text("dir"));
        blockSize = settings.bytes("block-size");
        indexCount = settings.integer("index-count");
        indexSpacing = settings.integer("index-spacing");
        roll = switch (settings.text("roll")) {
            case "five-minutely" -> RollCycles.FIVE_MINUTELY;
            case "hourly" -> RollCycles.FAST_HOURLY;
            default -> RollCycles.FAST_DAILY;
        };
        unused = settings.unused();
    }

    @Override
    public Pause pause() {
        return pause;
    }

    @Override
    public boolean isRound() {
        return isArticle;
    }

    @Override
    public Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("durability", "page cache; what lies in a queue survives the process, not the power");
        properties.put("acknowledgement", "none: tailers have no name, a restarted reader begins anew");
        properties.put("batching", "none: one message for each excerpt");
        properties.put(
                "copies",
                isArticle
                        ? "a long and an int, read from the wire and written to it at each hop"
                        : "one for each hop: from mapped file to mapped file, the bytes of Baton's frame");
        properties.put(
                "configuration",
                "dir=" + root
                        + (isArticle
                                ? ", the builder's own defaults for block size, index and roll cycle"
                                : ", " + roll + ", block size " + blockSize + ", index " + indexCount + " x "
                                        + indexSpacing
                                        + " as Baton's transport has them (the library's own default is 64 MB),"
                                        + " otherwise defaults")
                        + unused);
        return properties;
    }

    @Override
    public void createTopics(List<String> names) {
        names.forEach(name -> directories.add(root.resolve(name)));
    }

    @Override
    public List<Stage> stages(ChainEnds ends, List<String> topics) {
        List<SingleChronicleQueue> chain = new ArrayList<>();
        topics.forEach(topic -> chain.add(open(root.resolve(topic))));
        List<Stage> stages = new ArrayList<>();
        if (isArticle) {
            Round.Ends both = new ArticleQueues.Ends(chain.get(0), chain.get(chain.size() - 1));
            stages.add(new Round(ends.generator(), ends.receiver(), both, pause));
            for (int i = 1; i < chain.size(); i++) {
                stages.add(new ArticleQueues.Service(chain.get(i - 1), chain.get(i), pause));
            }
            return stages;
        }
        stages.add(new Stage.Feeding(ends.generator(), new Inlet(chain.get(0), ends.pattern()), pause));
        for (int i = 1; i < chain.size(); i++) {
            stages.add(new Relay(chain.get(i - 1), chain.get(i), pause));
        }
        stages.add(new Exit(chain.get(chain.size() - 1), ends.receiver(), pause));
        return stages;
    }

    private SingleChronicleQueue open(Path directory) {
        try {
            SingleChronicleQueueBuilder builder = SingleChronicleQueueBuilder.single(directory.toFile());
            if (!isArticle) {
                builder.rollCycle(roll)
                        .blockSize(blockSize)
                        .indexCount(indexCount)
                        .indexSpacing(indexSpacing);
            }
            SingleChronicleQueue queue = builder.build();
            queues.add(queue);
            return queue;
        } catch (RuntimeException failed) {
            throw new TransportException("cannot open a queue in " + directory + ": " + failed, failed);
        }
    }

    @Override
    public void close() {
        queues.forEach(SingleChronicleQueue::close);
        queues.clear();
        directories.forEach(QueueLibrary::delete);
        directories.clear();
    }

    private static void delete(Path directory) {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException failed) {
            throw new TransportException("cannot delete " + directory + ": " + failed.getMessage(), failed);
        }
    }

    /** Appends to a chain's first queue, which always has room. */
    static final class Inlet implements Stage.Inlet {
        private final ChronicleQueue queue;
        private final PayloadPattern pattern;
        private ExcerptAppender appender;
        private byte[] scratch;
        private long sequence;

        Inlet(ChronicleQueue queue, PayloadPattern pattern) {
            this.queue = queue;
            this.pattern = pattern;
        }

        @Override
        public void open() {
            appender = queue.createAppender();
            scratch = PayloadScratch.ofThisThread(pattern.length());
        }

        @Override
        public boolean trySend(long number, long originNanos, int tag) {
            try (DocumentContext document = appender.writingDocument()) {
                Bytes<?> bytes = document.wire().bytes();
                bytes.writeLong(Header.first(tag));
                bytes.writeLong(++sequence);
                bytes.writeLong(0);
                bytes.writeLong(originNanos);
                bytes.writeLong(System.nanoTime());
                pattern.write(number, scratch, 0);
                bytes.write(scratch, 0, pattern.length());
            }
            return true;
        }

        @Override
        public void close() {
            if (appender != null) {
                appender.close();
            }
        }
    }

    /** A service: copies each message from one queue to the next, one excerpt each. */
    static class Relay extends Stage.Turning {
        private final ChronicleQueue from;
        private final ChronicleQueue to;
        private ExcerptTailer tailer;
        private ExcerptAppender appender;
        private long sequence;

        Relay(ChronicleQueue from, ChronicleQueue to, Pause pause) {
            super(pause);
            this.from = from;
            this.to = to;
        }

        @Override
        public void open() {
            tailer = from.createTailer();
            appender = to.createAppender();
        }

        @Override
        boolean turn() {
            try (DocumentContext in = tailer.readingDocument()) {
                if (!in.isPresent()) {
                    return false;
                }
                try (DocumentContext out = appender.writingDocument()) {
                    pass(in.wire(), out.wire());
                }
                return true;
            }
        }

        /** Copies a message with its changes. */
        void pass(Wire from, Wire into) {
            copy(from.bytes(), into.bytes());
        }

        private void copy(Bytes<?> in, Bytes<?> out) {
            out.writeLong(in.readLong() + Header.ONE_HOP);
            long cause = in.readLong();
            in.readLong(); // its own cause
            out.writeLong(++sequence);
            out.writeLong(cause);
            out.writeLong(in.readLong());
            out.writeLong(in.readLong());
            if (in.readRemaining() > 0) {
                out.write(in);
            }
        }

        @Override
        public void close() {
            if (tailer != null) {
                tailer.close();
            }
            if (appender != null) {
                appender.close();
            }
        }
    }

    /** Takes the messages from a chain's last queue. */
    static final class Exit extends Stage.Turning implements PayloadPattern.Origin {
        private final ChronicleQueue queue;
        private final MessageSink sink;
        private ExcerptTailer tailer;
        private Bytes<?> bytes; // of the open document
        private long payloadStart;

        Exit(ChronicleQueue queue, MessageSink sink, Pause pause) {
            super(pause);
            this.queue = queue;
            this.sink = sink;
        }

        @Override
        public void open() {
            tailer = queue.createTailer();
        }

        @Override
        boolean turn() {
            try (DocumentContext document = tailer.readingDocument()) {
                if (!document.isPresent()) {
                    return false;
                }
                bytes = document.wire().bytes();
                long start = bytes.readPosition();
                long first = bytes.readLong(start);
                payloadStart = start + Header.BYTES;
                int length = (int) (bytes.readRemaining() - Header.BYTES);
                sink.onMessage(
                        bytes.readLong(start + Header.ORIGIN), Header.tag(first), Header.hops(first), length, this);
                return true;
            }
        }

        @Override
        public void copyTo(byte[] target, int length) {
            bytes.read(payloadStart, target, 0, length);
        }

        @Override
        public void close() {
            if (tailer != null) {
                tailer.close();
            }
        }
    }
}
