package dev.baton.lab.engines;

import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.rig.MessageSink;
import dev.baton.measuring.rig.MessageSource;
import dev.baton.measuring.rig.Sender;

/**
 * Both ends of a chain on one thread, as the published benchmark has them: it sends what is due, receives what has arrived,
 * and rests when there was neither. A message is the time of its send and the number of services that it has passed.
 *
 * <p>Confined to its thread, but for {@link #endSending} and what is said to be for any thread.
 */
final class Round implements Stage, Sender {
    /** Of messages that carry none. */
    static final PayloadPattern.Origin NO_PAYLOAD = (target, length) -> {
        throw new IndexOutOfBoundsException(length);
    };

    /** The library's side of it. */
    interface Ends extends AutoCloseable {
        /** Opens what belongs to the thread. May block. */
        void open();

        void send(long stampNanos);

        /** Returns when all that was sent is in the first topic. */
        default void flush() {}

        /** Hands over what has arrived to {@link Round#arrived}. @return false when nothing has */
        boolean receive(Round to);

        /** Whether the last topic holds no more than was received. */
        default boolean hasTakenAll() {
            return true;
        }

        /** Whether the library has confirmed all that was sent. After {@link #close}, by any thread. */
        default boolean isStored() {
            return true;
        }

        @Override
        void close();
    }

    private final MessageSource source;
    private final MessageSink sink;
    private final Ends ends;
    private final Pause pause; // null when receiving waits
    private final SentLog log = new SentLog();
    private volatile boolean isEndingToSend;
    private volatile boolean hasEndedToSend;
    private volatile boolean isAtEnd;

    Round(MessageSource source, MessageSink sink, Ends ends, Pause pause) {
        this.source = source;
        this.sink = sink;
        this.ends = ends;
        this.pause = pause;
    }

    @Override
    public void open() {
        ends.open();
    }

    @Override
    public void run(StopSignal stop) {
        for (int state = stop.state(); state != StopSignal.SET; state = stop.state()) {
            int sent = 0;
            if (!isEndingToSend) {
                sent = source.onTurn(this);
            } else if (!hasEndedToSend) {
                ends.flush();
                hasEndedToSend = true;
            }
            if (ends.receive(this) || sent > 0) {
                continue;
            }
            if (state == StopSignal.DRAINING && !isAtEnd) {
                isAtEnd = ends.hasTakenAll();
            }
            if (pause != null) {
                pause.rest();
            }
        }
    }

    @Override
    public boolean trySend(long number, long originNanos, int tag) {
        ends.send(log.add(originNanos, tag, System.nanoTime()));
        return true;
    }

    /** Takes a message. @param services that it has passed */
    void arrived(long stampNanos, int services) {
        if (log.find(stampNanos)) {
            sink.onMessage(log.originNanos(), log.tag(), services, 0, NO_PAYLOAD);
        } else {
            sink.onMessage(stampNanos, 0, services, 0, NO_PAYLOAD); // whose origin is no slot: corruption
        }
    }

    @Override
    public void endSending() {
        isEndingToSend = true;
    }

    @Override
    public boolean hasEndedSending() {
        return hasEndedToSend;
    }

    @Override
    public boolean isAtEnd() {
        return isAtEnd;
    }

    @Override
    public boolean isStored() {
        return ends.isStored();
    }

    @Override
    public void close() {
        ends.close();
    }
}
