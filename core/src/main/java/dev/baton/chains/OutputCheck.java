package dev.baton.chains;

import dev.baton.Message;

/**
 * Says of each output of one instance whether it is right. It runs on the loop that reads the chain's last topic, after the
 * clock was read: it must not block and should allocate nothing unless an output is wrong. Confined to one thread.
 */
@FunctionalInterface
public interface OutputCheck {
    /**
     * {@return how many outputs an input leads to: 1 where the chain has {@link ProvidedChain.Outputs#ONE_EACH} (not
     * asked there), 0 or 1 where it has at most one} Follows from the number, seed and instance alone.
     *
     * @param number of the input within its instance, from 0
     */
    default int outputs(long number) {
        return 1;
    }

    /**
     * What is wrong with an output.
     *
     * @param number of the input that it belongs to, within its instance, from 0
     * @param index which of the input's outputs it is, from 0
     * @param output valid until this method returns
     * @return in words for a person, such as "price 17 instead of 18"; null when nothing is
     */
    String fault(long number, int index, Message output);
}
