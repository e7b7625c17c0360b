package dev.baton.lab.trial.ends;

import dev.baton.lab.request.Load;
import dev.baton.lab.request.Shape;
import dev.baton.measuring.NanoClock;
import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.RecorderPool;
import dev.baton.measuring.machine.SenderGaps;
import dev.baton.measuring.rig.MessageSink;

/**
 * The receiver of one instance by itself, without a trial, a chain or a warm-up, for measuring what it costs. The sink is
 * confined to one thread.
 *
 * @param firstSlotNanos when the first of them is due
 */
public record ReceivingEnd(MessageSink sink, long firstSlotNanos) {
    /** Creates a receiver whose window has started at 0 of the clock. */
    public static ReceivingEnd of(
            int instance,
            Load load,
            Shape shape,
            long measureNanos,
            NanoClock clock,
            RecorderPool recorders,
            long highestNanos) {
        Window window = new Window(Window.LEAST_GRACE_NANOS);
        window.start(0, 0, measureNanos, 0);
        PayloadPattern pattern = new PayloadPattern(shape.payloadBytes(), 0);
        Instruments.Meters meters =
                new Instruments.Meters(window, clock, recorders, SenderGaps.Pool.none(), highestNanos);
        return new ReceivingEnd(
                new Receiver(instance, load, shape, pattern, meters, ArrivalListener.NONE),
                Schedules.of(load, instance, 0).slotNanos(0));
    }
}
