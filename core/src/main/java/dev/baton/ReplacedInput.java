package dev.baton;

/**
 * The behaviour of a service if the topic that it reads is not the one that its outputs answer, because it was deleted and
 * created again, restored from a copy, or truncated and then written again.
 */
public enum ReplacedInput {
    /** The service refuses to start, or stops: nothing is dropped and nothing is repeated. The default. */
    REFUSE,
    /**
     * The service handles every input that the topic holds now and that this consumer has not acknowledged there. None of these
     * is dropped; inputs of the former topic that are in it again are repeated.
     */
    HANDLE_ALL
}
