package dev.baton.lab.engines;

import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.rig.ChainEnds;
import dev.baton.measuring.rig.MessageSink;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.options.Durability;
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
 *
 * @param isRound whether it runs the published loops
 * @param isKept whether the queues stay when it closes
 * @param isHost whether each excerpt is synced to the storage device
 * @param directories of the queues that were opened
 */
public record QueueLibrary(
        Pause pause,
        boolean isRound,
        boolean isKept,
        boolean isHost,
        Path root,
        int blockSize,
        int indexCount,
        int indexSpacing,
        RollCycles roll,
        String unused,
        List<Path> directories,
        List<SingleChronicleQueue> queues)
        implements ReferenceRig.Library {
    public QueueLibrary(PassedOptions settings, Pause pause, boolean isRound, boolean isKept) {
        this(
                pause,
                isRound,
                isKept,
                !isRound && settings.text(Durability.OPTION).equals("host"),
                Path.of(settings.text("dir")),
                settings.bytes("block-size"),
                settings.integer("index-count"),
                settings.integer("index-spacing"),
                switch (settings.text("roll")) {
                    case "five-minutely" -> RollCycles.FIVE_MINUTELY;
                    case "hourly" -> RollCycles.FAST_HOURLY;
                    default -> RollCycles.FAST_DAILY;
                },
                settings.unused(),
                new ArrayList<>(),
                new ArrayList<>());
    }

    @Override
    public Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put(
                "durability",
                isHost
                        ? "one fdatasync for each excerpt, which survives a power failure"
                        : "page cache; messages survive the process, not a power failure");
        properties.put("acknowledgement", "none: tailers have no name, a restarted reader begins again");
        properties.put("batching", "none: one message for each excerpt");
        properties.put(
                "copies",
                isRound
                        ? "a long and an int, read from the wire and written to it at each hop"
                        : "one for each hop: from mapped file to mapped file, the bytes of Baton's frame");
        properties.put(
                "configuration",
                "dir=" + root
                        + (isRound
                                ? ", the builder's own defaults for block size, index and roll cycle"
                                : ", " + roll + ", block size " + blockSize + ", index " + indexCount + " x "
                                        + indexSpacing
                                        + " as Baton's transport has them (the library's own default is 64 MB),"
                                        + " otherwise defaults")
                        + unused);
        return properties;
    }

    @Override
    public List<ReferenceStage> stages(ChainEnds ends, List<String> topics) {
        List<SingleChronicleQueue> chain = new ArrayList<>();
        topics.forEach(topic -> chain.add(open(root.resolve(topic))));
        ChronicleQueue first = chain.get(0);
        ChronicleQueue last = chain.get(chain.size() - 1);
        if (isRound) {
            ReferenceStage.Inlet inlet = new ArticleInlet(first, ends.pattern(), sync());
            Round both = new Round(ends, inlet, sink -> new ArticleExit(last, sink), pause);
            return ReferenceStage.chain(
                    ends, chain, both, (from, to, work) -> new ArticleService(from, to, work, pause, sync()), null);
        }
        return ReferenceStage.chain(
                ends,
                chain,
                new ReferenceStage.Feeding(ends.generator(), new Inlet(first, ends.pattern(), sync()), pause),
                (from, to, work) -> new Relay(from, to, work, pause, sync()),
                new Exit(last, ends.receiver(), pause));
    }

    /** Opens one more queue, which is removed with the others, unless they are kept. */
    public ChronicleQueue open(String topic) {
        return open(root.resolve(topic));
    }

    /** Returns what syncs the excerpts of one more appender. */
    public ExcerptSync sync() {
        return new ExcerptSync(isHost);
    }

    private SingleChronicleQueue open(Path directory) {
        directories.add(directory);
        try {
            SingleChronicleQueueBuilder builder = SingleChronicleQueueBuilder.single(directory.toFile());
            if (!isRound) {
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
        if (!isKept) {
            directories.forEach(QueueLibrary::delete);
        }
        directories.clear();
    }

    /** Deletes a directory without Agrona, whose classes need Java 17: older JVMs run this code. */
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
    static class Inlet implements ReferenceStage.Inlet {
        private final ChronicleQueue queue;
        private final PayloadPattern pattern;
        private final ExcerptSync sync;
        private ExcerptAppender appender;
        private byte[] scratch;
        private long sequence;

        Inlet(ChronicleQueue queue, PayloadPattern pattern, ExcerptSync sync) {
            this.queue = queue;
            this.pattern = pattern;
            this.sync = sync;
        }

        @Override
        public void open() {
            appender = queue.createAppender();
            scratch = pattern.scratch();
        }

        @Override
        public final boolean trySend(long number, long originNanos, int tag) {
            try (DocumentContext document = appender.writingDocument()) {
                write(document.wire(), number, originNanos, tag);
                sync.in(document.wire().bytes());
            }
            sync.sync();
            return true;
        }

        void write(Wire out, long number, long originNanos, int tag) {
            Bytes<?> bytes = out.bytes();
            bytes.writeLong(Header.first(tag));
            bytes.writeLong(++sequence);
            bytes.writeLong(0);
            bytes.writeLong(originNanos);
            bytes.writeLong(System.nanoTime());
            pattern.write(number, scratch, 0);
            bytes.write(scratch, 0, pattern.length(number));
        }

        @Override
        public void close() {
            sync.close();
            if (appender != null) {
                appender.close();
            }
        }
    }

    /** A loop over what a tailer finds, turned by the thread that opens it. */
    abstract static class Tailing extends ReferenceStage.Turning {
        private final ChronicleQueue from;
        private ExcerptTailer tailer;

        Tailing(ChronicleQueue from, Pause pause) {
            super(pause);
            this.from = from;
        }

        @Override
        public void open() {
            tailer = from.createTailer();
        }

        @Override
        final boolean turn() {
            try (DocumentContext in = tailer.readingDocument()) {
                if (!in.isPresent()) {
                    return false;
                }
                take(in.wire());
                return true;
            }
        }

        abstract void take(Wire in);

        @Override
        public void close() {
            if (tailer != null) {
                tailer.close();
            }
        }
    }

    /** A service: copies each message from one queue to the next, one excerpt each. */
    static class Relay extends Tailing {
        private final ChronicleQueue to;
        private final Runnable work;
        private final ExcerptSync sync;
        private ExcerptAppender appender;
        private long sequence;

        Relay(ChronicleQueue from, ChronicleQueue to, Runnable work, Pause pause, ExcerptSync sync) {
            super(from, pause);
            this.to = to;
            this.work = work;
            this.sync = sync;
        }

        @Override
        public void open() {
            super.open();
            appender = to.createAppender();
        }

        @Override
        final void take(Wire in) {
            work.run();
            try (DocumentContext out = appender.writingDocument()) {
                pass(in, out.wire());
                sync.in(out.wire().bytes());
            }
            sync.sync();
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
            try {
                super.close();
            } finally {
                sync.close();
                if (appender != null) {
                    appender.close();
                }
            }
        }
    }

    /** Takes the messages from a chain's last queue. */
    static final class Exit extends Tailing implements PayloadPattern.Origin {
        private final MessageSink sink;
        private Bytes<?> bytes; // of the open document
        private long payloadStart;

        Exit(ChronicleQueue queue, MessageSink sink, Pause pause) {
            super(queue, pause);
            this.sink = sink;
        }

        @Override
        void take(Wire in) {
            bytes = in.bytes();
            long start = bytes.readPosition();
            long first = bytes.readLong(start);
            payloadStart = start + Header.BYTES;
            int length = (int) (bytes.readRemaining() - Header.BYTES);
            sink.onMessage(bytes.readLong(start + Header.ORIGIN), Header.tag(first), Header.hops(first), length, this);
        }

        @Override
        public void copyTo(byte[] target, int length) {
            bytes.read(payloadStart, target, 0, length);
        }
    }

    /** The inlet of the published loops: a long and an int through the wire, written inside the document that is read. */
    static final class ArticleInlet extends Inlet {
        ArticleInlet(ChronicleQueue queue, PayloadPattern pattern, ExcerptSync sync) {
            super(queue, pattern, sync);
        }

        @Override
        void write(Wire out, long number, long stampNanos, int tag) {
            out.getValueOut().writeLong(stampNanos);
            out.getValueOut().writeInt(0);
        }
    }

    /** A service: raises the int of each message by one. */
    static final class ArticleService extends Relay {
        ArticleService(ChronicleQueue from, ChronicleQueue to, Runnable work, Pause pause, ExcerptSync sync) {
            super(from, to, work, pause, sync);
        }

        @Override
        void pass(Wire in, Wire out) {
            out.getValueOut().writeLong(in.getValueIn().readLong());
            out.getValueOut().writeInt(in.getValueIn().readInt() + 1);
        }
    }

    /** Takes the messages from the last queue, within a round. */
    static final class ArticleExit extends Tailing {
        private final MessageSink sink;

        ArticleExit(ChronicleQueue queue, MessageSink sink) {
            super(queue, null);
            this.sink = sink;
        }

        @Override
        void take(Wire in) {
            long stamp = in.getValueIn().readLong();
            sink.onMessage(stamp, 0, in.getValueIn().readInt(), 0, Round.NO_PAYLOAD);
        }
    }
}
