package dev.baton;

/**
 * What a service does when the topic that it reads is not the one that its outputs answer: deleted and created again,
 * restored from a copy, or cut off and written further.
 */
public enum ReplacedInput {
    /** Refuses to start, or stops: nothing is dropped and nothing is repeated. The default. */
    REFUSE,
    /**
     * Handles every input that the topic holds now and this consumer has not acknowledged there. Nothing of it is dropped;
     * inputs of the former topic that are in it again are repeated.
     */
    HANDLE_ALL
}
