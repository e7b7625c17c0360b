package dev.baton.lab.trial;

import dev.baton.lab.request.Load;
import dev.baton.lab.request.Shape;
import dev.baton.lab.trial.ends.ArrivalListener;
import dev.baton.lab.trial.ends.Generator;
import dev.baton.lab.trial.ends.Instance;
import dev.baton.lab.trial.ends.Instruments;
import dev.baton.lab.trial.ends.Receiver;
import dev.baton.lab.trial.ends.Window;
import dev.baton.measuring.InstanceHistogram;
import dev.baton.measuring.LatencyHistograms;
import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.RecorderPool;
import dev.baton.measuring.machine.SenderGaps;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** A generator and a receiver with a wire between them, and a manual clock; no thread, no library. */
final class Bench {
    static final long MILLI = 1_000_000;
    static final long SECOND = 1_000_000_000;

    /** What travels. */
    record Sent(long number, long originNanos, int sendDelay, long atNanos) {}

    private static final PayloadPattern.Origin NO_PAYLOAD = (target, length) -> {
        throw new IndexOutOfBoundsException(length);
    };

    final Shape shape = new Shape(5, 1, 0);
    final Window window = new Window(Window.LEAST_GRACE_NANOS);
    final long highestNanos;
    final RecorderPool recorders;
    final InstanceHistogram responses;
    final Generator generator;
    final Receiver receiver;
    final List<Instance> instances;
    final Deque<Sent> wire = new ArrayDeque<>();
    final LatencyHistograms figures;
    long now;
    int room = Integer.MAX_VALUE;
    boolean isDrained = true;

    Bench(Load load, long highestNanos) {
        this.highestNanos = highestNanos;
        recorders = new RecorderPool(highestNanos);
        figures = LatencyHistograms.upTo(highestNanos);
        PayloadPattern pattern = new PayloadPattern(0, 1);
        Instruments.Meters meters =
                new Instruments.Meters(window, () -> now, recorders, SenderGaps.Pool.none(), highestNanos);
        generator = new Generator(0, load, meters);
        receiver = new Receiver(0, load, shape, pattern, meters, ArrivalListener.NONE);
        responses = receiver.responses;
        instances = List.of(new Instance(0, generator, List.of(receiver), pattern, null, null, null));
    }

    Bench start(long warmupNanos, long measureNanos, long drainNanos) {
        window.start(now, warmupNanos, measureNanos, drainNanos);
        return this;
    }

    /** A turn of the generator now. */
    int send() {
        return generator.onTurn((number, slotNanos, sendDelay) -> {
            if (wire.size() >= room) {
                return false;
            }
            wire.add(new Sent(number, slotNanos, sendDelay, now));
            return true;
        });
    }

    /** Everything on the wire arrives now. */
    void receive() {
        while (!wire.isEmpty()) {
            arrives(wire.poll());
        }
    }

    void arrives(Sent message) {
        receiver.onMessage(message.originNanos(), message.sendDelay(), shape.services(), 0, NO_PAYLOAD);
    }

    void arrivesWith(long originNanos, int hops, int length) {
        receiver.onMessage(originNanos, 0, hops, length, NO_PAYLOAD);
    }

    /** Turns the generator at every time that it asks for, and delivers at once, until a moment. */
    void runUntil(long endNanos) {
        while (now < endNanos) {
            send();
            receive();
            now = Math.max(now + 1, Math.min(endNanos, generator.deadlineNanos()));
        }
    }

    /** Ends the trial now and adds up. */
    FinalCounts settle() {
        window.close(now);
        LatencyHistograms rest = LatencyHistograms.upTo(highestNanos);
        recorders.takeInterval(rest);
        FinalCounts accounting = TrialAccounting.settle(instances, window, instance -> isDrained, rest);
        figures.add(rest);
        return accounting;
    }

    /** Part of all responses above a limit. */
    double shareAbove(long limitNanos) {
        double all = figures.response().getTotalCount();
        return figures.response().getCountBetweenValues(limitNanos + limitNanos / 500, Long.MAX_VALUE / 2) / all;
    }
}
