package dev.baton.chains;

import dev.baton.Message;

/**
 * A check of the outputs of one instance of a chain. It runs on the loop that reads the chain's last topic, after the clock was
 * read: it must not block and should allocate nothing unless an output is wrong. Confined to one thread.
 */
@FunctionalInterface
public interface OutputCheck {
    /**
     * {@return the number of outputs of an input: 1 if the chain has {@link ProvidedChain.Outputs#ONE_EACH} (not called then),
     * 0 or 1 if it has at most one} Depends only on the number, the seed and the instance.
     *
     * @param number number of the input within its instance, from 0
     */
    default int outputs(long number) {
        return 1;
    }

    /**
     * Returns what is wrong with an output.
     *
     * @param number number of the input that it belongs to, within its instance, from 0
     * @param index index of the output among those of the input, from 0
     * @param output valid until this method returns
     * @return a description, such as "price 17 instead of 18"; null if the output is correct
     */
    String fault(long number, int index, Message output);
}
