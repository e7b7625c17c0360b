package dev.baton;

/**
 * Messages of an {@link Inlet} that are handed to the transport together, by one flush at {@link #close}: {@link Inlet#batch}.
 *
 * <pre>{@code
 * try (Batch batch = inlet.batch()) {
 *     for (Order order : orders) {
 *         batch.send(order, Order.CODEC);
 *     }
 * }
 * }</pre>
 *
 * A batch saves flushes; it is not a transaction:
 *
 * <ul>
 *   <li>What was sent before an exception in the block is handed over all the same. An open claim is aborted.
 *   <li>When a message finds no room, what was sent so far is handed over, as its readers could make none otherwise. So a batch
 *       may be longer than a topic.
 *   <li>A chain that is closed meanwhile hands over what was sent; {@link #close} does nothing then.
 *   <li>When the transport fails at the flush, {@link #close} throws {@link dev.baton.spi.TransportException}. Of the batch a
 *       part from its beginning may be stored, or nothing: {@link Inlet#storedSequence} tells what is known, and the {@link
 *       Inlet#sequence} of the next run what was.
 * </ul>
 *
 * Until it is closed, what the inlet itself sends is part of it. One object for all batches of an inlet. Confined to the thread
 * of the inlet.
 */
public interface Batch extends Sender, AutoCloseable {
    /**
     * Hands over what was sent so far; the batch goes on.
     *
     * @throws dev.baton.spi.TransportException when the transport cannot take it
     */
    void flush();

    /**
     * Hands over what was sent and ends the batch. Idempotent.
     *
     * @throws dev.baton.spi.TransportException when the transport cannot take it; the batch is ended
     */
    @Override
    void close();
}
