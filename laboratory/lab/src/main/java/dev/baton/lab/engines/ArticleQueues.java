package dev.baton.lab.engines;

import dev.baton.measuring.rig.ChainEnds;
import dev.baton.spi.TransportException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.wire.DocumentContext;

/**
 * The published loops over Chronicle Queue: the builder's own defaults, two values through the wire, an output written
 * inside the document that is read, and one thread for both ends of a chain.
 */
final class ArticleQueues implements ReferenceRig.Library {
    private final Path root;
    private final Pause pause;
    private final String unused;
    private final List<Path> directories = new ArrayList<>();
    private final List<SingleChronicleQueue> queues = new ArrayList<>();

    ArticleQueues(Settings settings, Pause pause) {
        this.pause = pause;
        root = Path.of(settings.text("dir"));
        unused = settings.unused();
    }

    @Override
    public Pause pause() {
        return pause;
    }

    @Override
    public boolean isRound() {
        return true;
    }

    @Override
    public Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("durability", "page cache; what lies in a queue survives the process, not the power");
        properties.put("acknowledgement", "none: tailers have no name, a restarted reader begins anew");
        properties.put("batching", "none: one message for each excerpt");
        properties.put("copies", "a long and an int, read from the wire and written to it at each hop");
        properties.put(
                "configuration",
                "dir=" + root + ", the builder's own defaults for block size, index and roll cycle" + unused);
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
        Round.Ends both = new QueueEnds(chain.get(0), chain.get(chain.size() - 1));
        stages.add(new Round(ends.generator(), ends.receiver(), both, pause));
        for (int i = 1; i < chain.size(); i++) {
            stages.add(new Service(chain.get(i - 1), chain.get(i), pause));
        }
        return stages;
    }

    private SingleChronicleQueue open(Path directory) {
        try {
            SingleChronicleQueue queue =
                    SingleChronicleQueueBuilder.single(directory.toFile()).build();
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

    /** Appends to the first queue and reads the last one. Confined to its thread. */
    private static final class QueueEnds implements Round.Ends {
        private final ChronicleQueue first;
        private final ChronicleQueue last;
        private ExcerptAppender appender;
        private ExcerptTailer tailer;

        QueueEnds(ChronicleQueue first, ChronicleQueue last) {
            this.first = first;
            this.last = last;
        }

        @Override
        public void open() {
            tailer = last.createTailer();
            appender = first.createAppender();
        }

        @Override
        public void send(long stampNanos) {
            try (DocumentContext document = appender.writingDocument()) {
                document.wire().getValueOut().writeLong(stampNanos);
                document.wire().getValueOut().writeInt(0);
            }
        }

        @Override
        public void flush() {
            // an excerpt is in its queue when its document is closed
        }

        @Override
        public boolean receive(Round to) {
            try (DocumentContext document = tailer.readingDocument()) {
                if (!document.isPresent()) {
                    return false;
                }
                long stamp = document.wire().getValueIn().readLong();
                to.arrived(stamp, document.wire().getValueIn().readInt());
                return true;
            }
        }

        @Override
        public boolean hasTakenAll() {
            return true;
        }

        @Override
        public boolean isStored() {
            return true;
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

    /** A service: raises the int of each message by one. */
    private static final class Service extends Stage.Turning {
        private final ChronicleQueue from;
        private final ChronicleQueue to;
        private ExcerptTailer tailer;
        private ExcerptAppender appender;

        Service(ChronicleQueue from, ChronicleQueue to, Pause pause) {
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
                    out.wire().getValueOut().writeLong(in.wire().getValueIn().readLong());
                    out.wire().getValueOut().writeInt(in.wire().getValueIn().readInt() + 1);
                }
                return true;
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
}
