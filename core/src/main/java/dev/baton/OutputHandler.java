package dev.baton;

/** A handler for the messages of a chain's last topic. Called on the loop of that topic, by one thread at a time. */
@FunctionalInterface
public interface OutputHandler {
    /**
     * Receives one message.
     *
     * @param in valid until this method returns
     * @throws Exception any exception; the {@link ErrorPolicy} then applies
     */
    void onOutput(Message in) throws Exception;

    /**
     * A handler for the values of a chain's last topic. Called on the loop of that topic, by one thread at a time for each
     * partition.
     *
     * @param <T> the values
     */
    @FunctionalInterface
    interface TypedOutputHandler<T> {
        /**
         * Receives one value.
         *
         * @param value value; from a {@link Codec} it is valid until this method returns
         * @param in message that carried it, valid until this method returns
         * @throws Exception any exception; the {@link ErrorPolicy} then applies
         */
        void onOutput(T value, Message in) throws Exception;
    }
}
