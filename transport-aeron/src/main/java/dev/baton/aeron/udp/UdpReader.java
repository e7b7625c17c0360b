package dev.baton.aeron.udp;

import dev.baton.aeron.log.FragmentLayout;
import dev.baton.aeron.log.FragmentReader;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.Incarnation;
import dev.baton.spi.TopicReader.TopicStart;
import dev.baton.spi.errors.TransportException;
import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.logbuffer.Header;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;

/**
 * A reader of a topic's stream. It takes the frame behind the one that it read last, and no other: it drops frames that are sent
 * again, and asks for those that it misses. It misses frames when a fragment begins beyond the frame that is due, when its image is
 * new, and when nothing arrives for a while although the topic has more. Confined to the thread that opened it.
 */
final class UdpReader extends FragmentReader {
    /** The time between two looks whether anything arrives, and between two requests to send again. */
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private final Seat seat;
    private final Subscription subscription;
    private final UdpTopics topics;
    private final UdpLink link;
    private final Consumer<UdpReader> onClose;
    private final TopicStart found;

    private long acknowledged;
    private boolean misses; // frames, to be asked for as soon as it may
    private long imageAt; // when it had an image for the last time
    private boolean isPolled; // since the last look
    private boolean hasArrived; // a fragment since then
    private long askedAt; // when it asked for the last time
    private long lookedAt; // when it looked for the last time, and what it found then:
    private long readThen;
    private long newestThen;
    private Seat.Writers writers;
    private boolean isLeaving; // the topic
    private TransportException failure;

    UdpReader(Seat seat, Subscription subscription, UdpTopics topics, UdpLink link, Consumer<UdpReader> onClose) {
        super(seat.topic());
        this.seat = seat;
        this.subscription = subscription;
        this.topics = topics;
        this.link = link;
        this.onClose = onClose;
        acknowledged = seat.joined().start();
        beginBehind(acknowledged);
        writers = seat.writers();
        found = new TopicStart(
                acknowledged, seat.joined().newest(), seat.joined().identity());
        askedAt = System.nanoTime() - PATIENCE_NANOS;
        lookedAt = askedAt;
        imageAt = askedAt;
    }

    @Override
    public int poll(FrameHandler frames, int limit) {
        check();
        if (failure != null) {
            throw new TransportException(failure.getMessage(), failure);
        }
        isPolled = true;
        return super.poll(frames, limit);
    }

    @Override
    public Action onFragment(DirectBuffer buffer, int offset, int length, Header header) {
        hasArrived = true;
        if ((int) header.reservedValue() > writers.count()) {
            writers = seat.writers();
            if ((int) header.reservedValue() > writers.count()) {
                return Action.ABORT; // until the seat has heard of this writer
            }
            writerMayChange();
        }
        long first = FragmentLayout.firstSequence(buffer.byteBuffer(), buffer.wrapAdjustment() + offset);
        if (first > read() + 1) {
            misses = true;
            return Action.CONTINUE; // it is sent again behind what is missing
        }
        return super.onFragment(buffer, offset, length, header);
    }

    /** Reports positions, follows the image, and asks for what is missing; returns the work count. */
    int work(long now) {
        if (failure != null) {
            return 0;
        }
        TransportException reason = link.failure() != null ? link.failure() : seat.failure();
        if (reason != null) {
            return fail(reason);
        }
        try {
            int work = seat.work(now, acknowledged, read());
            followImage(now);
            if (now - lookedAt >= PATIENCE_NANOS) {
                look(now);
            }
            if (misses && image() != null && now - askedAt >= PATIENCE_NANOS) {
                misses = false;
                askedAt = now;
                seat.missing(acknowledged, read());
                work++;
            }
            return work;
        } catch (TransportException failed) {
            return fail(failed);
        }
    }

    /** Ends the reader, which would otherwise hold back the writer, and its image the other readers, until it is closed. */
    private int fail(TransportException reason) {
        failure = reason;
        readFrom(null);
        link.close(subscription);
        seat.tryLeave(acknowledged); // begins to leave; the close continues
        return 1;
    }

    private void followImage(long now) {
        Image present = image();
        if (present != null && !present.isClosed()) {
            imageAt = now;
            return;
        }
        Image next = subscription.imageBySessionId(seat.joined().session());
        if (next == null && seat.newest() > read()) {
            link.requireArrival(seat.topic(), read(), now - imageAt);
        } else {
            imageAt = now;
        }
        if (next != present) {
            readFromBegin(next);
            misses |= next != null && seat.newest() > read();
        }
    }

    private void look(long now) {
        misses |= isPolled && !hasArrived && read() == readThen && newestThen > read();
        isPolled = false;
        hasArrived = false;
        lookedAt = now;
        readThen = read();
        newestThen = seat.newest();
    }

    @Override
    public TransportException failure() {
        return failure;
    }

    @Override
    protected void free(long position) {}

    @Override
    protected void onAcknowledged(long position) {
        acknowledged = position;
        if (failure == null) {
            try {
                seat.acknowledged(position, read());
            } catch (TransportException failed) {
                failure = failed;
                throw failed;
            }
        }
    }

    @Override
    protected long lastOfWriterOf(long sequence) {
        return writers.ranges().lastOf(sequence);
    }

    @Override
    protected Incarnation writerOf(long sequence) {
        return writers.ranges().at(sequence);
    }

    @Override
    public TopicStart found() {
        return found;
    }

    @Override
    public long backlog() {
        check();
        return Math.max(0, seat.newest() - read());
    }

    @Override
    public boolean tryClose() {
        if (release()) {
            readFrom(null);
            link.close(subscription);
            isLeaving = true;
        }
        if (isLeaving && topics.tryLeave(seat, acknowledged)) {
            isLeaving = false;
            onClose.accept(this);
        }
        return !isLeaving;
    }

    @Override
    public void close() {
        while (!tryClose()) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
