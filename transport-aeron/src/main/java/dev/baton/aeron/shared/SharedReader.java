package dev.baton.aeron.shared;

import dev.baton.aeron.log.FragmentLayout;
import dev.baton.aeron.log.FragmentReader;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.Incarnation;
import dev.baton.spi.TopicStart;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.SequenceRanges;
import io.aeron.logbuffer.Header;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;

/**
 * The reader of a topic that several processes share. It reads the logs of its writers one after the other, each up to the
 * end that the next writer has found. Confined to the thread that opened it.
 */
final class SharedReader extends FragmentReader {
    private static final long NONE = -1;

    private final SharedTopic topic;
    private final TopicState state;
    private final int slot;
    private final Consumer<SharedReader> onClose;
    private final TopicStart found;

    private List<WriterEntry> entries = List.of();
    private SequenceRanges<Incarnation> writers = SequenceRanges.none();
    private long number = NONE; // of the newest writer in them
    private LogFile file; // the log that is read; null for none
    private long log = NONE; // where it begins
    private long logEnd = Long.MAX_VALUE; // behind it nothing of this log counts
    private TransportException failure; // after it nothing is read

    SharedReader(SharedTopic topic, int slot, Consumer<SharedReader> onClose) {
        super(topic.name);
        this.topic = topic;
        this.state = topic.state;
        this.slot = slot;
        this.onClose = onClose;
        loadWriters();
        long newest = state.published();
        long start = state.acknowledged(slot);
        if (start == TopicState.UNSEEN) {
            start = first(newest + 1) - 1;
            state.acknowledged(slot, start);
        }
        beginBehind(start);
        openLog();
        state.opened();
        found = new TopicStart(start, newest, state.identity());
    }

    /** Returns the sequence of the first frame that is kept for a new consumer. */
    private long first(long otherwise) {
        long position = state.heldFrom(slot);
        long[] first = {otherwise};
        for (WriterEntry each : entries) {
            if (first[0] == otherwise && position < endOf(each.begin())) {
                LogFile peeked = topic.log(each.begin());
                peeked.image(Math.max(position, each.begin()))
                        .controlledPoll(
                                (buffer, offset, length, header) -> {
                                    first[0] = FragmentLayout.firstSequence(
                                            buffer.byteBuffer(), buffer.wrapAdjustment() + offset);
                                    return Action.ABORT;
                                },
                                1);
                topic.release(peeked);
            }
        }
        return first[0];
    }

    /** Returns the end of a log, which the writer of the next one has found. */
    private long endOf(long begin) {
        for (WriterEntry each : entries) {
            if (each.begin() > begin) {
                return each.before();
            }
        }
        return Long.MAX_VALUE;
    }

    /** Reads the file of writers, unless a writer is changing it; returns whether there is another one. */
    private boolean loadWriters() {
        long now = state.writers();
        if (now == number || (now & 1) != 0) {
            return false;
        }
        entries = WriterEntry.read(topic.path);
        SequenceRanges.Builder<Incarnation> eras = new SequenceRanges.Builder<>();
        entries.forEach(each -> eras.add(each.first(), each.writer()));
        writers = eras.build();
        number = now;
        logEnd = endOf(log);
        writerMayChange();
        return true;
    }

    /** Opens the log that has the frame that is due; returns whether it is another one. */
    private boolean openLog() {
        WriterEntry due = null;
        WriterEntry next = null;
        for (WriterEntry each : entries) {
            if (each.first() <= read() + 1) {
                due = each;
            } else if (next == null) {
                next = each;
            }
        }
        boolean isOver = due != null && due.begin() == log && next != null;
        if (next != null && (due == null || isOver)) {
            failure = new TransportException("topic '" + topic.name + "' has lost the frames " + (read() + 1) + " to "
                    + (next.first() - 1) + ", which consumer " + state.consumer(slot) + " has not acknowledged");
            throw failure;
        }
        if (due == null || due.begin() == log) {
            return false;
        }
        LogFile opened = topic.log(due.begin());
        readFrom(opened.image(Math.max(due.begin(), state.heldFrom(slot))));
        releaseLog();
        file = opened;
        log = due.begin();
        logEnd = endOf(log);
        return true;
    }

    @Override
    public int poll(FrameHandler frames, int limit) {
        if (failure != null) {
            check();
            throw new TransportException(failure.getMessage(), failure);
        }
        int handed;
        do {
            handed = super.poll(frames, limit);
        } while (handed == 0 && (loadWriters() || isAtEndOfLog() && openLog()));
        if (handed == 0 && topic.driver.isLost()) {
            failure = new TransportException("topic '" + topic.name + "' cannot be read any more: "
                    + topic.refusal("the media driver has dropped this process"));
            throw failure;
        }
        return handed;
    }

    private void releaseLog() {
        if (file != null) {
            topic.release(file);
            file = null;
        }
    }

    private boolean isAtEndOfLog() {
        return log == NONE || image().position() >= logEnd;
    }

    /** Hands over a fragment only if no writer may have ended this log before it. */
    @Override
    public Action onFragment(DirectBuffer buffer, int offset, int length, Header header) {
        if (state.writers() != number || behind(offset + length) > logEnd) {
            return Action.ABORT;
        }
        return super.onFragment(buffer, offset, length, header);
    }

    @Override
    public TransportException failure() {
        return failure;
    }

    @Override
    protected void free(long position) {
        if (failure == null) {
            state.heldFrom(slot, position);
        }
    }

    @Override
    protected void onAcknowledged(long position) {
        if (state.reader(slot) != topic.driver.client()) {
            failure = new ReplacedException(
                    topic.name,
                    "another reader has taken over consumer " + state.consumer(slot) + " of topic '" + topic.name
                            + "', as the media driver had dropped this process: it was suspended for too long");
            throw failure;
        }
        state.acknowledged(slot, position);
    }

    @Override
    protected long lastOfWriterOf(long sequence) {
        return writers.lastOf(sequence);
    }

    @Override
    protected Incarnation writerOf(long sequence) {
        return writers.at(sequence);
    }

    @Override
    public TopicStart found() {
        return found;
    }

    @Override
    public long backlog() {
        check();
        return state.published() - read();
    }

    @Override
    public void close() {
        if (release()) {
            readFrom(null);
            releaseLog();
            topic.closeConsumer(slot);
            onClose.accept(this);
        }
    }
}
