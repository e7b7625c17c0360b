package dev.baton.lab.engines;

import com.lmax.disruptor.BatchEventProcessor;
import com.lmax.disruptor.BatchEventProcessorBuilder;
import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.EventHandler;
import com.lmax.disruptor.ExceptionHandler;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.SleepingWaitStrategy;
import com.lmax.disruptor.WaitStrategy;
import com.lmax.disruptor.YieldingWaitStrategy;

/** The library's own loop over one ring of events of type E, which calls an event handler. */
final class RingStage<E> implements ReferenceStage {
    private final RingBuffer<E> ring;
    private final BatchEventProcessor<E> processor;
    private final Runnable onHalt;

    /** Gates the ring, so before anything is published into it. @param onHalt makes the handler return */
    RingStage(RingBuffer<E> ring, EventHandler<E> handler, Runnable onHalt) {
        this.ring = ring;
        this.onHalt = onHalt;
        processor = new BatchEventProcessorBuilder().build(ring, ring.newBarrier(), handler);
        processor.setExceptionHandler(new EndOfLoop<>());
        ring.addGatingSequences(processor.getSequence());
    }

    /** Returns the wait strategy that corresponds to our pauses: the sleeping one neither spins nor yields before it parks. */
    static WaitStrategy waitStrategy(Pause pause) {
        return switch (pause.kind()) {
            case PARK -> new SleepingWaitStrategy(0, pause.nanos());
            case SPIN -> new BusySpinWaitStrategy();
            case YIELD -> new YieldingWaitStrategy();
        };
    }

    @Override
    public void run(StopSignal stop) {
        if (!stop.isSet()) {
            processor.run();
        }
    }

    @Override
    public boolean isAtEnd() {
        return processor.getSequence().get() >= ring.getCursor();
    }

    @Override
    public void halt() {
        processor.halt();
        onHalt.run();
    }

    /** A handler that throws ends its loop, and the trial. Stateless. */
    private static final class EndOfLoop<E> implements ExceptionHandler<E> {
        @Override
        public void handleEventException(Throwable failure, long sequence, E event) {
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
