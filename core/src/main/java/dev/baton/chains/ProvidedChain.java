package dev.baton.chains;

import dev.baton.Chain;
import dev.baton.Claim;
import dev.baton.Message;
import dev.baton.Serde;
import java.util.List;

/**
 * A chain, which can be run and replayed. One with a generator of its messages and a check of its outputs can be measured as well.
 *
 * <p>A message is identified by its number, 0, 1, 2 ... in the order of sending, within one instance of the chain. Number, seed
 * and instance determine its payload, how many outputs it leads to, and what these contain. So two trials with the same seed
 * send the same messages, and each output can be checked without keeping its input. The input of an output is found by its
 * origin ({@link dev.baton.Message#originNanos}), which Baton carries through the chain. So services have to send outputs in
 * response to an input, not on a tick.
 *
 * <p>Thread-safe; each generator and check that it creates is confined to one thread.
 */
public interface ProvidedChain {
    /** The number of outputs of an input. */
    enum Outputs {
        /** Exactly one. Only with this kind are the stages timed individually. */
        ONE_EACH,
        /** One or none: some service filters. */
        AT_MOST_ONE,
        /** Any number, including none. */
        ANY
    }

    /**
     * {@return the chain, as it is deployed} Its name is replaced for a trial. Error policies of services ({@link
     * Chain.Builder#then(String, java.util.function.Supplier, dev.baton.ErrorPolicy)}) are kept; a service without one stops
     * the chain when it throws.
     */
    Chain chain();

    /** {@return the longest payload in any of its topics, in bytes} Transports are opened for this length. */
    int maxPayload();

    /** {@return the codecs of the chain's messages, one for each type, with which {@code baton replay} decodes them} */
    default List<Serde<?>> codecs() {
        return List.of();
    }

    /** {@return the number of outputs of an input} */
    default Outputs outputs() {
        return Outputs.ONE_EACH;
    }

    /**
     * Creates a generator of the inputs of one instance.
     *
     * @param seed seed of the trial
     * @param instance number of the instance, from 0
     * @return a new generator
     * @throws UnsupportedOperationException by default: the chain cannot be measured
     */
    default MessageGenerator generator(long seed, int instance) {
        throw new UnsupportedOperationException("it has no generator of messages");
    }

    /**
     * Creates a check of the outputs of one instance.
     *
     * @param seed seed of the trial
     * @param instance number of the instance, from 0
     * @return a new check
     * @throws UnsupportedOperationException by default: the chain cannot be measured
     */
    default OutputCheck check(long seed, int instance) {
        throw new UnsupportedOperationException("it has no check of outputs");
    }

    /**
     * A generator of the inputs of one instance of a chain. It runs on the loop that feeds the chain, between two messages: it must
     * not block and should allocate nothing. Its time delays later messages, and results report it. Confined to one thread.
     */
    @FunctionalInterface
    interface MessageGenerator {
        /**
         * Writes the payload of a message, and its type if it needs one. The caller commits the claim. Called once for each number,
         * in order; a restarted sender begins with the number after the last stored one.
         *
         * @param number number of the message within its instance, from 0
         * @param into claim with room for {@link ProvidedChain#maxPayload} bytes
         * @return number of payload bytes written, 0 to {@link ProvidedChain#maxPayload}
         */
        int write(long number, Claim into);
    }

    /**
     * A check of the outputs of one instance of a chain. It runs on the loop that reads the chain's last topic, after the clock was
     * read: it must not block and should allocate nothing unless an output is wrong. Confined to one thread.
     */
    @FunctionalInterface
    interface OutputCheck {
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
}
