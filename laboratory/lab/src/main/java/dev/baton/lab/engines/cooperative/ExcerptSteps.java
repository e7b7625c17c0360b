package dev.baton.lab.engines.cooperative;

import dev.baton.lab.engines.ExcerptSync;
import dev.baton.lab.engines.Header;
import dev.baton.lab.engines.QueueLibrary;
import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.rig.ChainEnds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.MappedBytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.wire.DocumentContext;
import net.openhft.posix.PosixAPI;

/**
 * The stages over Chronicle Queue: a queue for each hop. A turn reads excerpts until it has a batch, and writes that as one
 * excerpt: four bytes of length, header and payload of each message.
 */
final class ExcerptSteps implements StepLibrary {
    /** An excerpt is limited by the block size of its file; so is Baton's. */
    private static final int EXCERPTS_PER_BLOCK = 8;

    private static final int PARTS_OF_BLOCK = 16;
    private static final int FILLING = 0; // a length that no message has

    private final QueueLibrary queues; // opens and removes them
    private final int batch;
    private final int mostBytes; // of an excerpt, before the last message

    ExcerptSteps(QueueLibrary queues, int batch) {
        this.queues = queues;
        this.batch = batch;
        mostBytes = queues.blockSize() / EXCERPTS_PER_BLOCK;
    }

    @Override
    public Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>(queues.properties());
        properties.put(
                "retention",
                "blocks that a reader has passed are freed in their file; queues begin in different places"
                        + " of a block, so that they do not all map their next one in the same sweep");
        properties.put("batching", "all messages of a turn in one excerpt, at most " + batch + " and one excerpt more");
        return properties;
    }

    @Override
    public void createTopics(List<String> names) {
        // a queue exists once it is opened
    }

    @Override
    public Chain chain(ChainEnds ends, List<String> topics, List<Io> ios) {
        List<ChronicleQueue> chain = new ArrayList<>();
        topics.forEach(topic -> chain.add(beginInBlock(queues.open(topic), topic.hashCode())));
        List<LoopStep> steps = new ArrayList<>();
        for (int i = 1; i < chain.size(); i++) {
            steps.add(new Relay(chain.get(i - 1), chain.get(i), ends.work(i), queues.sync()));
        }
        steps.add(new Exit(chain.get(chain.size() - 1), ends));
        return new Chain(new Entry(chain.get(0), ends.pattern(), mostBytes, queues.sync()), steps);
    }

    /**
     * Fills a part of a new queue's first block, a different one for each queue. Otherwise thousands of queues with the same
     * rate reach the end of a block in the same sweep, and mapping a block takes some 50 us.
     */
    private ChronicleQueue beginInBlock(ChronicleQueue queue, int seed) {
        int length = queues.blockSize() / PARTS_OF_BLOCK;
        SplittableRandom random = new SplittableRandom(seed);
        try (ExcerptAppender filling = queue.createAppender()) {
            for (int left = random.nextInt(PARTS_OF_BLOCK); left >= 0; left--) {
                try (DocumentContext document = filling.writingDocument()) {
                    document.wire().bytes().writeInt(FILLING).writeSkip(left == 0 ? random.nextInt(length) : length);
                }
            }
        }
        return queue;
    }

    /** Opens a tailer behind what {@link #beginInBlock} wrote. */
    private static ExcerptTailer tailer(ChronicleQueue queue) {
        ExcerptTailer tailer = queue.createTailer();
        for (boolean isFilling = true; isFilling; ) {
            try (DocumentContext in = tailer.readingDocument()) {
                isFilling = in.isPresent() && in.wire().bytes().readInt() == FILLING;
                if (in.isPresent() && !isFilling) {
                    in.rollbackOnClose();
                }
            }
        }
        return tailer;
    }

    @Override
    public void close() {
        queues.close();
    }

    /**
     * Frees the blocks of a queue file that its only reader has passed, except the first one, which holds the header and the first pages
     * of the index, and those with a later page: Chronicle maps pages through weak references, and reads a page again after a
     * collection. Confined to the reader's thread.
     */
    private final class PassedBlocks {
        private static final int READ_WRITE = 2; // O_RDWR
        private static final int HEADER_BYTES = 4; // of an excerpt
        private static final int PUNCH_HOLE_KEEP_SIZE = 3; // FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE

        private final long excerptsPerPage = queues.indexCount() * (long) queues.indexSpacing();
        private long freedTo = queues.blockSize();
        private boolean holdsPage; // there is a page of the index between freedTo and the open excerpt

        /** Frees what lies before the block in which the open excerpt begins. */
        void before(DocumentContext excerpt) {
            Bytes<?> bytes = excerpt.wire().bytes();
            long block = (bytes.readPosition() - HEADER_BYTES) / queues.blockSize() * queues.blockSize();
            if (block > freedTo && bytes instanceof MappedBytes mapped) {
                if (!holdsPage) {
                    free(mapped, block);
                }
                freedTo = block;
                holdsPage = false;
            }
            // A page lies between the first excerpt that it has an entry for and the next one.
            holdsPage |= block > 0 && queues.roll().toSequenceNumber(excerpt.index()) % excerptsPerPage <= 1;
        }

        private void free(MappedBytes mapped, long end) {
            PosixAPI posix = PosixAPI.posix();
            int file = posix.open(mapped.mappedFile().file().getPath(), READ_WRITE, 0);
            posix.fallocate(file, PUNCH_HOLE_KEEP_SIZE, freedTo, end - freedTo);
            posix.close(file);
        }
    }

    /** Copies the messages of excerpts into one of the next queue. */
    private final class Relay implements LoopStep {
        private final ChronicleQueue from;
        private final ChronicleQueue to;
        private final Runnable work;
        private final ExcerptSync sync;
        private final PassedBlocks passed = new PassedBlocks();
        private ExcerptTailer tailer;
        private ExcerptAppender appender;
        private long sequence;

        Relay(ChronicleQueue from, ChronicleQueue to, Runnable work, ExcerptSync sync) {
            this.from = from;
            this.to = to;
            this.work = work;
            this.sync = sync;
        }

        @Override
        public void open() {
            tailer = tailer(from);
            appender = to.createAppender();
        }

        @Override
        public int turn() {
            int count = 0;
            DocumentContext out = null;
            try {
                for (long bytes = 0; count < batch && bytes < mostBytes; ) {
                    try (DocumentContext in = tailer.readingDocument()) {
                        if (!in.isPresent()) {
                            break;
                        }
                        bytes += in.wire().bytes().readRemaining();
                        if (out == null) {
                            out = appender.writingDocument();
                            sync.in(out.wire().bytes());
                        }
                        passed.before(in);
                        count += copy(in.wire().bytes(), out.wire().bytes());
                    }
                }
            } finally {
                if (out != null) {
                    out.close();
                    sync.sync();
                }
            }
            return count;
        }

        private int copy(Bytes<?> in, Bytes<?> out) {
            int count = 0;
            while (in.readRemaining() > 0) {
                work.run();
                int length = in.readInt();
                long at = in.readPosition();
                out.writeInt(length);
                long place = out.writePosition();
                out.write(in, at, length);
                out.writeLong(place, in.readLong(at) + Header.ONE_HOP);
                out.writeLong(place + Header.SEQUENCE, ++sequence);
                out.writeLong(place + Header.CAUSE, in.readLong(at + Header.SEQUENCE));
                in.readSkip(length);
                count++;
            }
            return count;
        }

        @Override
        public void close() {
            sync.close();
            if (tailer != null) {
                tailer.close();
            }
            if (appender != null) {
                appender.close();
            }
        }
    }

    /** Hands the messages of one excerpt after the other to the receiver. */
    private final class Exit implements LoopStep, PayloadPattern.Origin {
        private final ChronicleQueue from;
        private final ChainEnds ends;
        private final PassedBlocks passed = new PassedBlocks();
        private ExcerptTailer tailer;
        private Bytes<?> bytes; // of the open document
        private long payloadStart;

        Exit(ChronicleQueue from, ChainEnds ends) {
            this.from = from;
            this.ends = ends;
        }

        @Override
        public void open() {
            tailer = tailer(from);
        }

        @Override
        public int turn() {
            int count = 0;
            while (count < batch) {
                try (DocumentContext in = tailer.readingDocument()) {
                    if (!in.isPresent()) {
                        break;
                    }
                    passed.before(in);
                    count += take(in.wire().bytes());
                }
            }
            return count;
        }

        private int take(Bytes<?> in) {
            bytes = in;
            int count = 0;
            while (in.readRemaining() > 0) {
                int length = in.readInt();
                long at = in.readPosition();
                long first = in.readLong(at);
                payloadStart = at + Header.BYTES;
                ends.receiver()
                        .onMessage(
                                in.readLong(at + Header.ORIGIN),
                                Header.tag(first),
                                Header.hops(first),
                                length - Header.BYTES,
                                this);
                in.readSkip(length);
                count++;
            }
            return count;
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

    /** Collects the messages of a turn and appends them as one excerpt. */
    private static final class Entry implements LoopStep.Entry {
        private final ChronicleQueue queue;
        private final PayloadPattern pattern;
        private final ExcerptSync sync;
        private final Bytes<?> staged = Bytes.elasticByteBuffer();
        private byte[] scratch; // null until the first message: it belongs to the thread that sends
        private ExcerptAppender appender; // null until the first message: it belongs to the thread that sends
        private final int mostBytes;
        private long sequence;

        Entry(ChronicleQueue queue, PayloadPattern pattern, int mostBytes, ExcerptSync sync) {
            this.queue = queue;
            this.sync = sync;
            this.mostBytes = mostBytes;
            this.pattern = pattern;
        }

        @Override
        public boolean trySend(long number, long originNanos, int tag) {
            staged.writeInt(Header.BYTES + pattern.length(number));
            staged.writeLong(Header.first(tag));
            staged.writeLong(++sequence);
            staged.writeLong(0);
            staged.writeLong(originNanos);
            staged.writeLong(System.nanoTime());
            if (scratch == null) {
                scratch = pattern.scratch();
            }
            pattern.write(number, scratch, 0);
            staged.write(scratch, 0, pattern.length(number));
            if (staged.writePosition() >= mostBytes) {
                flush();
            }
            return true;
        }

        @Override
        public boolean flush() {
            if (staged.isEmpty()) {
                return true;
            }
            if (appender == null) {
                appender = queue.createAppender();
            }
            try (DocumentContext out = appender.writingDocument()) {
                out.wire().bytes().write(staged);
                sync.in(out.wire().bytes());
            }
            sync.sync();
            staged.clear();
            return true;
        }

        @Override
        public void close() {
            staged.releaseLast();
            sync.close();
            if (appender != null) {
                appender.close();
            }
        }
    }
}
