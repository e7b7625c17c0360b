package dev.baton.lab.trial.ends;

import dev.baton.chains.ProvidedChain;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.trial.ends.Instruments.Meters;
import dev.baton.measuring.InstanceHistogram;
import dev.baton.measuring.Mix;
import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.rig.ChainEnds;
import java.util.function.IntFunction;
import java.util.function.LongUnaryOperator;

/**
 * The two ends of one chain and their common parts.
 *
 * @param index from 0; people count from 1
 * @param sender of a chain with messages of its own, in place of the pattern; else null
 * @param works returns the work of a service, counted from 1
 */
public record Instance(
        int index,
        Generator generator,
        Receiver receiver,
        PayloadPattern pattern,
        ProvidedSender sender,
        IntFunction<Runnable> works)
        implements ChainEnds {

    /**
     * Creates an instance.
     *
     * @param provided the chain that a jar provides; null for one that forwards
     * @param lengths of payloads, in order; null if all are equal
     */
    public static Instance of(
            ProvidedChain provided, TrialPlan plan, int index, int[] lengths, Meters meters, ArrivalListener listener) {
        Load load = plan.load();
        int first = lengths == null ? 0 : Schedules.firstRow(load, index, lengths.length);
        PayloadPattern pattern =
                new PayloadPattern(plan.shape().payloadBytes(), lengths, first, Mix.of(~load.seed(), index));
        ProvidedMessages messages = provided == null ? null : new ProvidedMessages(provided, plan, index);
        Receiver receiver = messages == null
                ? new Receiver(index, load, plan.shape(), pattern, meters, listener)
                : new ProvidedReceiver(index, plan, messages, meters, listener);
        LongUnaryOperator inFlight = messages == null
                ? sent -> sent - receiver.receivedCount()
                : sent -> messages.inFlight(sent, receiver.receivedCount());
        Generator generator = load.isSaturated()
                ? new SaturatingGenerator(index, load, plan.shape(), meters, inFlight)
                : new Generator(index, load, meters);
        ProvidedSender sender =
                messages == null ? null : new ProvidedSender(messages, meters.window(), load.ratePerSecond());
        return new Instance(
                index,
                generator,
                receiver,
                pattern,
                sender,
                service -> plan.shape().work(service, index, load.seed()));
    }

    @Override
    public Runnable work(int service) {
        return works.apply(service);
    }

    /** {@return the histogram by which it is judged} */
    public InstanceHistogram responses() {
        return receiver.responses;
    }

    /** {@return whether every slot was sent, and everything sent has arrived} May be called by any thread. */
    public boolean isDone() {
        return generator.isDone() && receiver.isAnswered(generator.sentCount());
    }
}
