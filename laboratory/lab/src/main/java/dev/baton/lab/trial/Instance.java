package dev.baton.lab.trial;

import dev.baton.chains.ProvidedChain;
import dev.baton.lab.request.TrialPlan;
import dev.baton.measuring.InstanceHistogram;
import dev.baton.measuring.Mix;
import dev.baton.measuring.NanoClock;
import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.RecorderPool;
import dev.baton.measuring.rig.ChainEnds;
import java.util.function.LongUnaryOperator;

/**
 * The two ends of one chain and what they share.
 *
 * @param index from 0; people count from 1
 * @param source of a chain with messages of its own, in place of the pattern; else null
 */
record Instance(
        int index,
        Generator generator,
        Receiver receiver,
        PayloadPattern pattern,
        InstanceHistogram responses,
        ProvidedSource source)
        implements ChainEnds {

    /** Of chains that forward. */
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
        Generator generator = generator(plan, index, window, clock, recorders, sent -> sent - receiver.receivedCount());
        return new Instance(index, generator, receiver, pattern, responses, null);
    }

    /** Of a chain with messages of its own. */
    static Instance of(
            ProvidedChain provided,
            TrialPlan plan,
            int index,
            Window window,
            NanoClock clock,
            RecorderPool recorders,
            long highestNanos,
            ArrivalListener listener) {
        ProvidedMessages messages = new ProvidedMessages(provided, plan, index);
        InstanceHistogram responses = new InstanceHistogram(highestNanos);
        Receiver receiver = new ProvidedReceiver(index, plan, messages, window, clock, recorders, responses, listener);
        Generator generator = generator(
                plan, index, window, clock, recorders, sent -> messages.inFlight(sent, receiver.receivedCount()));
        ProvidedSource source =
                new ProvidedSource(generator, messages, window, plan.load().ratePerSecond());
        return new Instance(index, generator, receiver, new PayloadPattern(0, 0), responses, source);
    }

    private static Generator generator(
            TrialPlan plan,
            int index,
            Window window,
            NanoClock clock,
            RecorderPool recorders,
            LongUnaryOperator inFlight) {
        return plan.load().isSaturated()
                ? new SaturatingGenerator(index, plan.load(), plan.shape(), window, clock, recorders, inFlight)
                : new Generator(index, plan.load(), window, clock, recorders);
    }

    /** Whether every slot was sent, and everything that was sent has arrived. For any thread. */
    boolean isDone() {
        return generator.isDone() && receiver.isAnswered(generator.sentCount());
    }
}
