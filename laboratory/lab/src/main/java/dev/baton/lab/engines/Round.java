package dev.baton.lab.engines;

import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.rig.ChainEnds;
import dev.baton.measuring.rig.MessageSink;
import dev.baton.measuring.rig.MessageSource;
import dev.baton.measuring.rig.SourceSender;
import java.util.function.Function;

/**
 * Both ends of a chain on one thread, as the published benchmark has them: it sends what is due, receives what has arrived,
 * and rests when there was neither. A message is the time of its send and the number of services that it has passed.
 *
 * <p>Confined to its thread, but for {@link #endSending} and what is said to be for any thread.
 */
final class Round extends ReferenceStage.Turning implements SourceSender, MessageSink {
    /** The payload of messages without one. */
    static final PayloadPattern.Origin NO_PAYLOAD = (target, length) -> {
        throw new IndexOutOfBoundsException(length);
    };

    private final MessageSource source;
    private final MessageSink sink;
    private final Inlet inlet;
    private final ReferenceStage.Turning exit;
    private final SentLog log = new SentLog();
    private volatile boolean isEndingToSend;
    private volatile boolean hasEndedToSend;

    /**
     * Creates the round of an instance.
     *
     * @param inlet takes the time of each message's send for its origin
     * @param exit takes from the last topic; passes that time as the origin to the sink
     * @param pause null when receiving waits
     */
    Round(ChainEnds ends, Inlet inlet, Function<MessageSink, ReferenceStage.Turning> exit, Pause pause) {
        super(pause);
        source = ends.generator();
        sink = ends.receiver();
        this.inlet = inlet;
        this.exit = exit.apply(this);
    }

    @Override
    public void open() {
        inlet.open();
        exit.open();
    }

    @Override
    boolean turn() {
        int sent = 0;
        if (!isEndingToSend) {
            sent = source.onTurn(this);
        } else if (!hasEndedToSend) {
            inlet.flush();
            hasEndedToSend = true;
        }
        return exit.turn() || sent > 0;
    }

    @Override
    boolean hasTakenAll() {
        return exit.hasTakenAll();
    }

    @Override
    public boolean trySend(long number, long originNanos, int tag) {
        return inlet.trySend(number, log.add(originNanos, tag, System.nanoTime()), 0);
    }

    @Override
    public void onMessage(long stampNanos, int tag, int services, int length, PayloadPattern.Origin payload) {
        if (log.find(stampNanos)) {
            sink.onMessage(log.originNanos(), log.tag(), services, length, payload);
        } else {
            sink.onMessage(stampNanos, 0, services, length, payload); // whose origin is no slot: corruption
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
    public boolean isStored() {
        return inlet.isStored();
    }

    @Override
    public void close() {
        try {
            exit.close();
        } finally {
            inlet.close();
        }
    }
}
