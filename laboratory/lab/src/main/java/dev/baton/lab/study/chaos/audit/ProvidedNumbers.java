package dev.baton.lab.study.chaos.audit;

import dev.baton.Claim;
import dev.baton.Message;
import dev.baton.chains.ProvidedChain;
import dev.baton.chains.ProvidedChain.MessageGenerator;
import dev.baton.chains.ProvidedChain.OutputCheck;
import dev.baton.operations.chains.NamedChain;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * The messages of a chain that a jar provides, by their numbers, counted from 1 as everywhere here; the provider counts from
 * 0. Confined to one thread.
 */
public record ProvidedNumbers(int maxPayload, MessageGenerator generator, OutputCheck check) {
    public static ProvidedNumbers of(NamedChain chain, long seed) {
        ProvidedChain provided = chain.open();
        return new ProvidedNumbers(provided.maxPayload(), provided.generator(seed, 0), provided.check(seed, 0));
    }

    /** Writes a message. @return bytes */
    public int write(long number, Claim into) {
        return generator.write(number - 1, into);
    }

    /** {@return whether a message has an output, and this is the right one} */
    public boolean isWhole(long number, Message output) {
        return number > 0 && !isFiltered(number) && check.fault(number - 1, 0, output) == null;
    }

    /** {@return whether a message has no output} */
    public boolean isFiltered(long number) {
        return check.outputs(number - 1) == 0;
    }

    /** The messages up to this one that lead to no output. */
    public BitSet filtered(long sent) {
        BitSet filtered = new BitSet();
        IntStream.rangeClosed(1, (int) sent).filter(this::isFiltered).forEach(filtered::set);
        return filtered;
    }

    /** The newest message up to this one that leads to an output; 0: none does. */
    public long newestDue(long sent) {
        long number = sent;
        while (number > 0 && isFiltered(number)) {
            number--;
        }
        return number;
    }

    /** The newest message up to {@code sent} that nothing is missing before, once all up to this one have come out. */
    public long passed(long newest, long sent) {
        long number = newest;
        while (number < sent && isFiltered(number + 1)) {
            number++;
        }
        return number;
    }

    /**
     * The slots of messages, which identify them: the origin of a frame is its message's slot. Immutable, thread-safe.
     *
     * @param baseNanos slot of the first
     */
    public record Slots(long baseNanos, long intervalNanos) {
        /** The number of the message; 0 for an origin that is no slot. */
        public long number(long originNanos) {
            long since = originNanos - baseNanos;
            return since >= 0 && since % intervalNanos == 0 ? since / intervalNanos + 1 : 0;
        }
    }
}
