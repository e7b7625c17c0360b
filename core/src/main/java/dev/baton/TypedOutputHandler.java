package dev.baton;

/**
 * Receives the values that come out of a chain, on the loop of its last topic. Called by one thread at a time for each
 * partition.
 *
 * @param <T> the values
 */
@FunctionalInterface
public interface TypedOutputHandler<T> {
    /**
     * Takes one value.
     *
     * @param value of a {@link Codec}: valid until this method returns
     * @param in that carried it, valid until this method returns
     * @throws Exception anything; the {@link ErrorPolicy} then handles it
     */
    void onOutput(T value, Message in) throws Exception;
}
