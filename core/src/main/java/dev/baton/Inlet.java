package dev.baton;

/**
 * The writing end of a chain's first topic, for one thread. It belongs to the first thread that uses it. Every
 * commit is flushed at once, unless a {@link #batch} is open. The inlet is closed with its chain.
 *
 * <p>Over a transport that lacks {@link dev.baton.spi.Guarantee#IMMEDIATE}, such as Kafka, a loop sends the committed messages. If the
 * chain fails, its close sends those that were committed before, as long as the topic's writer works and has room in time, and logs a
 * warning otherwise. With {@link dev.baton.run.Loops#manual}, the first thread that uses such an inlet has to be the one that turns the
 * loops. Confined to the first thread that uses it.
 */
public interface Inlet extends Sender {
    /**
     * Begins a batch, whose messages are flushed together when it is closed.
     *
     * @return the batch, which is open until it is closed
     * @throws IllegalStateException when a batch or a claim is open, or in a service while the topic is being opened
     * @throws ChainFailedException when the chain has stopped
     */
    Batch batch();

    /**
     * {@return the sequence of the newest message in the first topic, sent by this inlet or by one of an earlier run; 0 for
     * none} A restarted sender can use it to find out where to continue.
     */
    long sequence();

    /**
     * {@return the sequence of the newest message that the transport has confirmed as stored} Later messages may be lost in a
     * crash.
     */
    long storedSequence();

    /**
     * A batch of messages of an {@link Inlet}, which are handed to the transport together, by one flush at {@link #close}. Begun
     * with {@link Inlet#batch}.
     *
     * <pre>{@code
     * try (Batch batch = inlet.batch()) {
     *     for (Order order : orders) {
     *         batch.send(order, Order.CODEC);
     *     }
     * }
     * }</pre>
     *
     * A batch reduces the number of flushes; it is not a transaction:
     *
     * <ul>
     *   <li>If the block throws, the messages sent before that are still flushed. An open claim is aborted.
     *   <li>If there is no room for a message, the messages sent so far are flushed, because only their readers can free room. So
     *       a batch may be longer than a topic.
     *   <li>If the chain is closed meanwhile, it flushes the messages sent so far; {@link #close} then does nothing.
     *   <li>If the transport fails at the flush, {@link #close} throws {@link dev.baton.spi.errors.TransportException}. Then a first part
     *       of the batch may be stored, or nothing: {@link Inlet#storedSequence} returns the sequence known to be stored, and
     *       {@link Inlet#sequence} of the next run the sequence that was stored.
     * </ul>
     *
     * Until the batch is closed, messages that are sent through the inlet itself are part of it. All batches of an inlet are the
     * same object. Confined to the thread of the inlet.
     */
    interface Batch extends Sender, AutoCloseable {
        /**
         * Flushes the messages sent so far; the batch remains open.
         *
         * @throws dev.baton.spi.errors.TransportException when the transport cannot take it
         */
        void flush();

        /**
         * Flushes the messages sent so far and ends the batch. Idempotent.
         *
         * @throws dev.baton.spi.errors.TransportException when the transport cannot take it; the batch has ended then as well
         */
        @Override
        void close();
    }
}
