package dev.baton.chronicle;

import dev.baton.chronicle.log.TopicLog;
import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import java.nio.file.Path;
import java.util.List;

/**
 * One queue with its writer and its reader, for all states of a proof, as the creation of a queue for each state would be too slow.
 * Connections belong to their threads, and jcstress changes its threads from time to time: a new thread opens its side again.
 *
 * <p>{@link #append}: one thread at a time, the writer's; {@link #read}: another one at a time.
 */
final class WatchedQueue {
    static final int NOTHING_NEW = 0;
    static final int ALL_READ = 1;
    static final int MISSING = 2;
    static final int ALTERED = 3;

    /** The directory of the queue, removed by the process that starts the JVM. */
    static final String DIRECTORY = "baton.proofs.directory";

    private static final String TOPIC = "t";
    /** Maximum lag of the reader in frames, so that the disk holds few. */
    private static final int BACKLOG = 10_000;

    private final ChronicleTransport transport;
    private final TopicLog log;
    private Thread writing;
    private Connection writersConnection;
    private TopicWriter writer;
    private Thread reading;
    private Connection readersConnection;
    private TopicReader reader;
    private long read;
    private boolean isAltered;

    WatchedQueue() {
        Path directory = Path.of(System.getProperty(DIRECTORY))
                .resolve("queue-" + ProcessHandle.current().pid());
        transport = ChronicleTransport.in(
                directory,
                ChronicleOptions.defaults()
                        .with(ChronicleOptions.BACKLOG, BACKLOG)
                        .with(ChronicleOptions.BATCH, 1));
        transport.createTopics(List.of(TOPIC));
        log = transport.logs().share(TOPIC);
    }

    /** Writes one frame, whose payload is its sequence; does nothing when the reader's lag is too large. */
    void append() {
        if (writing != Thread.currentThread()) {
            reopenWriter();
        }
        Frame frame = writer.claim(Long.BYTES);
        if (frame != null) {
            frame.putLong(0, writer.sequence() + 1);
            writer.commit(Long.BYTES);
            writer.flush();
        }
    }

    /** Reads, once the newest sequence shows a new frame, at least up to that sequence. */
    int read() {
        if (reading != Thread.currentThread()) {
            reopenReader();
        }
        long newest = log.newest();
        if (newest == Long.MAX_VALUE || newest == read) {
            return NOTHING_NEW;
        }
        while (reader.poll(this::onFrame, 1_000) > 0) {
            // until a poll finds nothing
        }
        reader.acknowledge(read);
        return isAltered ? ALTERED : read >= newest ? ALL_READ : MISSING;
    }

    private void reopenWriter() {
        if (writersConnection != null) {
            writersConnection.close();
        }
        writing = Thread.currentThread();
        writersConnection = transport.connect();
        writer = writersConnection.openWriter(TOPIC);
    }

    private void reopenReader() {
        if (readersConnection != null) {
            readersConnection.close();
        }
        reading = Thread.currentThread();
        readersConnection = transport.connect();
        reader = readersConnection.openReader(TOPIC, "proof");
    }

    private Verdict onFrame(Frame frame, long position) {
        isAltered |= frame.sequence() != read + 1 || frame.getLong(0) != read + 1;
        read = frame.sequence();
        return Verdict.DONE;
    }
}
