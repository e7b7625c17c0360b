package dev.baton.chains;

import dev.baton.Claim;

/**
 * A generator of the inputs of one instance of a chain. It runs on the loop that feeds the chain, between two messages: it must
 * not block and should allocate nothing. Its time delays later messages, and results report it. Confined to one thread.
 */
@FunctionalInterface
public interface MessageGenerator {
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
