package dev.baton.chains;

import dev.baton.Claim;

/**
 * Writes the inputs of one instance of a chain. It runs on the loop that feeds the chain, between two messages: it must not
 * block and should allocate nothing. What it costs delays the messages behind it, and results name it. Confined to one
 * thread.
 */
@FunctionalInterface
public interface MessageGenerator {
    /**
     * Writes the payload of a message, and its type if it needs one. The claim is committed by the caller. Called once for
     * each number, in order; a sender that is started again begins with the number behind the last one stored.
     *
     * @param number of the message within its instance, from 0
     * @param into has room for {@link ProvidedChain#maxPayload} bytes
     * @return bytes of payload written, 0 to that
     */
    int write(long number, Claim into);
}
