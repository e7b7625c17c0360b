package dev.baton.lab.trial;

import dev.baton.lab.request.TrialPlan;
import dev.baton.measuring.InstanceHistogram;
import dev.baton.measuring.Mix;
import dev.baton.measuring.NanoClock;
import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.RecorderPool;
import dev.baton.measuring.rig.ChainEnds;

/**
 * The two ends of one chain and what they share.
 *
 * @param index from 0; people count from 1
 */
record Instance(int index, Generator generator, Receiver receiver, PayloadPattern pattern, InstanceHistogram responses)
        implements ChainEnds {

    static Instance of(
            TrialPlan plan,
            int index,
            Window window,
            NanoClock clock,
            RecorderPool recorders,
            long highestNanos,
            ArrivalListener listener) {
        PayloadPattern pattern = new PayloadPattern(
                plan.shape().payloadBytes(), Mix.of(~plan.load().seed(), index));
        InstanceHistogram responses = new InstanceHistogram(highestNanos);
        Receiver receiver =
                new Receiver(index, plan.load(), plan.shape(), pattern, window, clock, recorders, responses, listener);
        Generator generator = plan.load().isSaturated()
                ? new SaturatingGenerator(
                        index, plan.load(), plan.shape(), window, clock, recorders, receiver::receivedCount)
                : new Generator(index, plan.load(), window, clock, recorders);
        return new Instance(index, generator, receiver, pattern, responses);
    }
}
