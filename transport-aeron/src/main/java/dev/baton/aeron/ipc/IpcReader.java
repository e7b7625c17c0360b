package dev.baton.aeron.ipc;

import dev.baton.aeron.log.FragmentReader;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.Incarnation;
import dev.baton.spi.TopicReader.TopicStart;
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
final class IpcReader extends FragmentReader {
    private static final long NONE = -1;
    private static final int NO_LIST = -1;
    private static final int TAKEOVER = 1; // the bit of a list's number that is set during a takeover

    private final IpcTopic topic;
    private final TopicState state;
    private final IpcTopic.Seat seat;
    private final int slot;
    private final long client; // of this process
    private final boolean isAlone; // no other process can take the consumer or the topic over
    private final int listBits; // of a list's number: a takeover ends no log of a topic that one process uses
    private final Consumer<IpcReader> onClose;
    private final TopicStart found;

    private List<WriterEntry> entries = List.of();
    private SequenceRanges<Incarnation> writers = SequenceRanges.none();
    private int number = NO_LIST; // of their list
    private LogFile file; // the log that is read; null for none
    private long log = NONE; // where it begins
    private long logEnd = Long.MAX_VALUE; // behind it nothing of this log counts
    private long noted; // acknowledgement, as it is in the state
    private long held; // log position from which the consumer holds fragments, as it is in the state
    private TransportException failure; // after it nothing is read

    IpcReader(IpcTopic topic, IpcTopic.Seat seat, Consumer<IpcReader> onClose) {
        super(topic.name);
        this.topic = topic;
        this.state = topic.state;
        this.seat = seat;
        this.slot = seat.slot();
        this.client = topic.driver.client();
        this.isAlone = topic.driver.isAlone();
        this.listBits = isAlone ? ~TAKEOVER : ~0;
        this.onClose = onClose;
        beginBehind(seat.start());
        if (seat.own() != null) {
            log = topic.begin();
            readFrom(seat.own().image());
        }
        loadWriters();
        if (seat.own() == null) {
            openLog();
        }
        noted = seat.acknowledged();
        held = state.heldFrom(slot);
        try {
            onAcknowledged(seat.start()); // the consumer stays from now on
        } catch (RuntimeException replaced) {
            releaseLog();
            throw replaced;
        }
        state.opened();
        found = new TopicStart(seat.start(), seat.newest(), state.identity());
    }

    /** Returns the number of the list of writers, odd while frames may be read that do not count. */
    private int list() {
        return state.writers() & listBits;
    }

    /** Reads the list of writers, unless a writer is replacing it; returns whether there is another one. */
    private boolean loadWriters() {
        int now = list();
        if (now == number || (now & TAKEOVER) != 0) {
            return false;
        }
        List<WriterEntry> loaded = WriterEntry.read(topic.path, now);
        if (loaded == null) {
            if (list() == now) {
                failure = new TransportException(
                        "topic '" + topic.name + "' has lost its list of writers in " + topic.path);
                throw failure;
            }
            return false; // for the next poll
        }
        entries = loaded;
        SequenceRanges.Builder<Incarnation> eras = new SequenceRanges.Builder<>();
        entries.forEach(each -> eras.add(each.first(), each.writer()));
        writers = eras.build();
        number = now;
        boolean hasLeft = !entries.isEmpty() && entries.get(0).begin() > log; // all of this log was acknowledged
        logEnd = hasLeft ? 0 : IpcTopic.endOf(log, entries);
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
        LogFile opened;
        try {
            opened = topic.log(due.begin());
        } catch (TransportException gone) {
            if (list() != number) { // removed with the list, as nothing in it was to be read
                return false; // for the next poll
            }
            failure = gone;
            throw gone;
        }
        readFromBegin(opened.image(Math.max(due.begin(), state.heldFrom(slot))));
        releaseLog();
        file = opened;
        log = due.begin();
        logEnd = IpcTopic.endOf(log, entries);
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
        } while (handed == 0 && isOwner() && (loadWriters() || isAtEndOfLog() && openLog()));
        if (handed == 0 && !isOwner()) {
            throw replaced();
        }
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

    /** Returns whether no other reader has taken the consumer over. */
    private boolean isOwner() {
        return isAlone || state.reader(slot) == client;
    }

    private TransportException replaced() {
        failure = new ReplacedException(
                topic.name,
                state.consumer(slot),
                "another reader has taken over consumer " + state.consumer(slot) + " of topic '" + topic.name
                        + "', as the media driver had dropped this process: it was suspended for too long",
                null);
        return failure;
    }

    /** Hands over a fragment only if no writer may have ended this log before it, and no reader has taken the consumer over. */
    @Override
    public Action onFragment(DirectBuffer buffer, int offset, int length, Header header) {
        if (list() != number || behind(offset + length) > logEnd || !isOwner()) {
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
        if (failure != null || !isOwner()) {
            return;
        }
        if (isAlone) {
            state.heldFrom(slot, position);
        } else if (state.heldFrom(slot, held, position)) { // false for a reader that was replaced just now
            held = position;
        }
    }

    @Override
    protected void onAcknowledged(long position) {
        if (isAlone) {
            state.acknowledged(slot, position);
        } else if (!isOwner() || !state.acknowledge(slot, noted, position)) {
            throw replaced();
        }
        noted = position;
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
        return Math.max(0, state.published() - read()); // a frame is read before it is noted
    }

    @Override
    public void close() {
        if (release()) {
            readFrom(null);
            releaseLog();
            topic.closeConsumer(seat);
            onClose.accept(this);
        }
    }
}
