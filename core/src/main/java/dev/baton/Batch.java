package dev.baton;

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
public interface Batch extends Sender, AutoCloseable {
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
