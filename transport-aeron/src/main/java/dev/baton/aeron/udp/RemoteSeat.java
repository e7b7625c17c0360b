package dev.baton.aeron.udp;

import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.errors.TransportException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The place of a reader in a topic whose writer is in another process. It repeats its requests until they are answered, and reports
 * the reader's positions, by which the topic detects that the reader lives. Answers come on any thread; the rest is used by the
 * reader's thread.
 */
final class RemoteSeat implements Seat {
    private static final long REPORT_NANOS =
            TimeUnit.MILLISECONDS.toNanos(100); // far less than the silence that a topic allows
    private static final long HASTY_NANOS = TimeUnit.MILLISECONDS.toNanos(1); // while acknowledgements are not reported
    private static final long LEAVE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final UdpLink link;
    private final String topic;
    private final String consumer;
    private final long reader = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
    private final long timeoutNanos;

    private volatile ControlMessage answer; // to the open; null before
    private volatile Writers writers;
    private volatile long newest;
    private volatile TransportException failure;
    private volatile long heard; // when an answer came
    private volatile boolean isLeft;

    private volatile long reported; // acknowledged position that was reported
    private volatile long reportedRead; // and the position that was read
    private volatile long reportedAt;
    private volatile long askedAt; // when an answer was asked for
    private volatile long leftAt; // when it began to leave; 0 before
    private long leftWith; // acknowledged then

    RemoteSeat(UdpLink link, String topic, String consumer, Duration timeout) {
        this.link = link;
        this.topic = topic;
        this.consumer = consumer;
        timeoutNanos = timeout.toNanos();
    }

    /**
     * Takes the place. A consumer whose reader has ended without a word becomes free after the time of silence.
     *
     * @throws TransportException when it is refused, or nobody has the topic within the timeout
     */
    void join(StartPosition from) {
        long begun = System.nanoTime();
        long asked = begun - REPORT_NANOS;
        ControlMessage refused; // read once a look, as another thread may replace it by the admission
        while ((refused = answer) == null || refused.kind() != ControlMessage.Kind.JOINED) {
            long now = System.nanoTime();
            boolean isFinal = refused != null
                    && switch (refused.refusal()) {
                        case ABSENT -> false;
                        case OCCUPIED -> now - begun > HostedTopic.SILENCE_NANOS + 2 * REPORT_NANOS;
                        default -> true;
                    };
            if (isFinal) {
                throw refused.failure(topic, consumer);
            }
            if (now - begun > timeoutNanos) {
                throw new TransportException("topic '" + topic + "' cannot be read: "
                        + (refused == null ? link.silence() : refused.topic()) + "; start the process that writes it");
            }
            if (now - asked >= REPORT_NANOS) {
                asked = now;
                link.ask(ControlMessage.request(
                        ControlMessage.Kind.OPEN, 0, reader, 0, from.kind().ordinal(), from.sequence(), this));
            }
            link.work();
            link.requireUsable();
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        reported = joined().start();
        reportedRead = reported;
        reportedAt = System.nanoTime();
    }

    /**
     * Leaves although no admission has come: a request that the writer's process receives later, as when it was suspended, would take
     * the place for a reader that does not exist. Requests arrive in their order.
     */
    void giveUp() {
        link.ask(ControlMessage.request(ControlMessage.Kind.LEAVE, 0, reader, 0, TopicReader.UNKNOWN, 0, this));
    }

    long reader() {
        return reader;
    }

    /** Receives an answer, on any thread. */
    void answered(ControlMessage message) {
        boolean hasJoined = answer != null && answer.kind() == ControlMessage.Kind.JOINED;
        if (message.kind() != ControlMessage.Kind.REFUSED && hasJoined && message.identity() != answer.identity()) {
            return; // of an earlier life of the writer's process
        }
        heard = System.nanoTime();
        if (message.kind() == ControlMessage.Kind.LEFT) {
            isLeft = true;
            return;
        }
        if (message.kind() == ControlMessage.Kind.REFUSED) {
            if (hasJoined) {
                if (!message.refusal().isOfOpen()) {
                    failure = message.failure(topic, consumer);
                }
            } else {
                answer = message;
            }
            return;
        }
        if (writers == null || writers.count() != message.flags()) {
            writers = message.writers();
        }
        newest = Math.max(newest, message.second());
        if (message.kind() == ControlMessage.Kind.JOINED && !hasJoined) {
            answer = message;
        }
    }

    @Override
    public String topic() {
        return topic;
    }

    @Override
    public String consumer() {
        return consumer;
    }

    @Override
    public Joined joined() {
        return answer.joined();
    }

    @Override
    public long newest() {
        return newest;
    }

    @Override
    public Writers writers() {
        return writers;
    }

    @Override
    public int work(long now, long acknowledged, long read) {
        if (now - heard > timeoutNanos && failure == null) {
            failure = new TransportException(
                    "topic '" + topic + "' cannot be read any more behind sequence " + read + ": " + link.silence());
        }
        if (now - reportedAt < (acknowledged > reported ? HASTY_NANOS : REPORT_NANOS)) {
            return 0;
        }
        report(now, acknowledged, read, false);
        return 1;
    }

    /** Reports that a reader lives that has not failed, on another thread than its own, which a service may block. */
    void beat(long now) {
        if (answer != null
                && failure == null
                && answer.kind() == ControlMessage.Kind.JOINED
                && leftAt == 0
                && now - reportedAt >= 2 * REPORT_NANOS) {
            report(now, reported, reportedRead, false);
        }
    }

    @Override
    public void acknowledged(long acknowledged, long read) {
        // with the next turn
    }

    @Override
    public void missing(long acknowledged, long read) {
        report(System.nanoTime(), acknowledged, read, true);
    }

    private void report(long now, long acknowledged, long read, boolean isMissing) {
        reported = acknowledged;
        reportedRead = read;
        reportedAt = now;
        int flags = (isMissing ? ControlMessage.MISSING : 0) | writers.count() << ControlMessage.FLAGS;
        if (now - askedAt >= REPORT_NANOS) {
            askedAt = now;
            flags |= ControlMessage.ANSWER;
        }
        link.ask(ControlMessage.request(
                ControlMessage.Kind.REPORT, flags, reader, answer.identity(), acknowledged, read, this));
    }

    @Override
    public TransportException failure() {
        return failure;
    }

    @Override
    public boolean tryLeave(long acknowledged) {
        long now = System.nanoTime();
        if (leftAt == 0 || acknowledged > leftWith) { // the second when a reader that failed is closed
            isLeft = false;
            leftWith = acknowledged;
            leftAt = now | 1; // never 0
            reportedAt = now - LEAVE_NANOS;
        }
        if (isLeft || failure != null || now - leftAt > HostedTopic.SILENCE_NANOS) {
            link.left(this);
            return true;
        }
        if (now - reportedAt >= LEAVE_NANOS) {
            reportedAt = now;
            link.ask(ControlMessage.request(
                    ControlMessage.Kind.LEAVE, 0, reader, answer.identity(), acknowledged, 0, this));
        }
        link.work();
        return false;
    }
}
