package dev.baton.lab.trial.ends;

import dev.baton.chains.ProvidedChain;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.trial.ends.Instruments.Meters;
import dev.baton.measuring.InstanceHistogram;
import dev.baton.measuring.Mix;
import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.rig.ChainEnds;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.LongToIntFunction;
import java.util.function.LongUnaryOperator;

/**
 * The two ends of one chain and their common parts.
 *
 * @param index from 0; people count from 1
 * @param receivers one for each partition of the chain
 * @param keys returns the key of a message; null: messages have none
 * @param sender of a chain with messages of its own, in place of the pattern; else null
 * @param works returns the work of a service, counted from 1
 */
public record Instance(
        int index,
        Generator generator,
        List<Receiver> receivers,
        PayloadPattern pattern,
        LongToIntFunction keys,
        ProvidedSender sender,
        IntFunction<Runnable> works)
        implements ChainEnds {

    /**
     * Creates an instance.
     *
     * @param provided the chain that a jar provides; null for one that forwards
     * @param lengths of payloads, in order; null if all are equal
     * @param keys of messages; null for none
     */
    public static Instance of(
            ProvidedChain provided,
            TrialPlan plan,
            int index,
            int[] lengths,
            LongToIntFunction keys,
            Meters meters,
            ArrivalListener listener) {
        Load load = plan.load();
        int first = lengths == null ? 0 : Schedules.firstRow(load, index, lengths.length);
        PayloadPattern pattern =
                new PayloadPattern(plan.shape().payloadBytes(), lengths, first, Mix.of(~load.seed(), index));
        ProvidedMessages messages = provided == null ? null : new ProvidedMessages(provided, plan, index);
        Receiver[] receivers = new Receiver[plan.shape().partitions()];
        LongUnaryOperator inFlight = messages == null
                ? sent -> sent - receivedCount(receivers)
                : sent -> messages.inFlight(sent, receivers[0].receivedCount());
        Generator generator = load.isSaturated()
                ? new SaturatingGenerator(index, load, plan.shape(), meters, inFlight)
                : new Generator(index, load, meters);
        for (int i = 0; i < receivers.length; i++) {
            MessageNumbers numbers = receivers.length == 1 ? MessageNumbers.ALL : numbers(plan, keys, i, generator);
            receivers[i] = messages == null
                    ? new Receiver(index, load, plan.shape(), pattern, numbers, meters, listener)
                    : new ProvidedReceiver(index, plan, messages, meters, listener);
        }
        ProvidedSender sender =
                messages == null ? null : new ProvidedSender(messages, meters.window(), load.ratePerSecond());
        return new Instance(
                index,
                generator,
                List.of(receivers),
                pattern,
                keys,
                sender,
                service -> plan.shape().work(service, index, load.seed()));
    }

    private static MessageNumbers numbers(TrialPlan plan, LongToIntFunction keys, int partition, Generator generator) {
        IntUnaryOperator partitioning = plan.shape().keys().partitioning();
        return new PartitionNumbers(
                number -> partitioning.applyAsInt(keys.applyAsInt(number)), partition, generator::sentCount);
    }

    private static long receivedCount(Receiver[] receivers) {
        long sum = 0;
        for (Receiver each : receivers) {
            sum += each.receivedCount();
        }
        return sum;
    }

    @Override
    public Receiver receiver() {
        return receivers.get(0);
    }

    @Override
    public Receiver receiver(int partition) {
        return receivers.get(partition);
    }

    @Override
    public Runnable work(int service) {
        return works.apply(service);
    }

    /** {@return the histogram by which it is judged: of all its partitions} After their threads have ended. */
    public InstanceHistogram responses() {
        return InstanceHistogram.sum(
                receivers.stream().map(each -> each.responses).toList());
    }

    /** {@return the histogram that has the response of a message} */
    public InstanceHistogram responses(long number) {
        return receivers.stream()
                .filter(each -> each.receives(number))
                .findFirst()
                .orElseThrow()
                .responses;
    }

    /** {@return messages received for the first time so far, and those that nothing had to come of} May be called by any thread. */
    public long passedCount() {
        return receivers.stream()
                .mapToLong(each -> each.receivedCount() + each.filteredCount())
                .sum();
    }

    /** {@return whether every slot was sent, and everything sent has arrived} May be called by any thread. */
    public boolean isDone() {
        if (!generator.isDone()) {
            return false;
        }
        long sent = generator.sentCount();
        return receivers.size() == 1 ? receiver().isAnswered(sent) : passedCount() >= sent;
    }
}
