package dev.baton.lab.study.jitter;

import com.lmax.disruptor.BatchEventProcessor;
import com.lmax.disruptor.BatchEventProcessorBuilder;
import com.lmax.disruptor.ExceptionHandler;
import com.lmax.disruptor.RingBuffer;
import dev.baton.lab.engines.Pause;
import dev.baton.lab.engines.RingWait;
import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.rig.MessageSink;
import dev.baton.measuring.rig.Sender;

/**
 * The ring between the two threads: the Disruptor's, for one producer, with its own event processor behind it. The
 * producer's thread sends, the accumulator's runs {@link #drain}; {@link #halt} is for any.
 */
final class TimeRing implements Sender {
    /** At 10,000 messages per second, stalls of 1.6 s before the producer has to wait. */
    static final int SLOTS = 1 << 14;

    private static final PayloadPattern.Origin NO_PAYLOAD = (target, length) -> {
        throw new IndexOutOfBoundsException(length);
    };

    private final RingBuffer<TimeEvent> ring;
    private final BatchEventProcessor<TimeEvent> processor;

    /**
     * Empty.
     *
     * @param services that messages are said to have passed: the accumulator is the one there is
     */
    TimeRing(Pause pause, MessageSink sink, int services) {
        ring = RingBuffer.createSingleProducer(TimeEvent::new, SLOTS, RingWait.strategy(pause));
        processor = new BatchEventProcessorBuilder()
                .build(
                        ring,
                        ring.newBarrier(),
                        (event, sequence, isLast) ->
                                sink.onMessage(event.slotNanos, event.tag, services, 0, NO_PAYLOAD));
        processor.setExceptionHandler(new EndOfLoop());
        ring.addGatingSequences(processor.getSequence());
    }

    @Override
    public boolean trySend(long number, long originNanos, int tag) {
        if (!ring.hasAvailableCapacity(1)) {
            return false;
        }
        long sequence = ring.next();
        try {
            TimeEvent event = ring.get(sequence);
            event.slotNanos = originNanos;
            event.tag = tag;
        } finally {
            ring.publish(sequence);
        }
        return true;
    }

    /** Hands everything to the sink until {@link #halt}. */
    void drain() {
        processor.run();
    }

    void halt() {
        processor.halt();
    }

    /** A handler that throws ends its loop, and the trial. Stateless. */
    private static final class EndOfLoop implements ExceptionHandler<TimeEvent> {
        @Override
        public void handleEventException(Throwable failure, long sequence, TimeEvent event) {
            throw new IllegalStateException("event " + sequence + ": " + failure, failure);
        }

        @Override
        public void handleOnStartException(Throwable failure) {
            throw new IllegalStateException(failure);
        }

        @Override
        public void handleOnShutdownException(Throwable failure) {
            throw new IllegalStateException(failure);
        }
    }
}
