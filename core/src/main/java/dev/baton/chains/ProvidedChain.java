package dev.baton.chains;

import dev.baton.Chain;

/**
 * A chain, the messages that it is measured with, and a check of what comes out.
 *
 * <p>A message is known by its number, 0, 1, 2 ... in the order of sending, within one instance of the chain. From number,
 * seed and instance follow its payload, how many outputs it leads to, and what these contain: so two trials with one seed
 * send the same messages, and each output is checked without keeping its input. Which input an output belongs to is read
 * from its origin ({@link dev.baton.Message#originNanos}), which Baton carries through the chain; services therefore send
 * outputs in answer to an input and not by a tick.
 *
 * <p>Thread-safe; the generators and checks that it makes are confined to a thread each.
 */
public interface ProvidedChain {
    /** How many outputs inputs lead to. */
    enum Outputs {
        /** One for each. The only kind whose stages are timed one by one. */
        ONE_EACH,
        /** One or none: some service filters. */
        AT_MOST_ONE,
        /** Any number, also none. */
        ANY
    }

    /**
     * {@return the chain, as it is deployed} Its name is replaced for a trial; error policies that services have of
     * their own ({@link Chain.Builder#then(String, java.util.function.Supplier, dev.baton.ErrorPolicy)}) are kept, and
     * a service without one stops the chain when it throws.
     */
    Chain chain();

    /** {@return the longest payload in any of its topics, in bytes} Transports are opened for it. */
    int maxPayload();

    /** {@return how many outputs inputs lead to} */
    default Outputs outputs() {
        return Outputs.ONE_EACH;
    }

    /**
     * Makes what writes the inputs of one instance.
     *
     * @param seed of the trial
     * @param instance from 0
     * @return a generator of its own for the caller
     */
    MessageGenerator generator(long seed, int instance);

    /**
     * Makes what checks the outputs of one instance.
     *
     * @param seed of the trial
     * @param instance from 0
     * @return a check of its own for the caller
     */
    OutputCheck check(long seed, int instance);
}
