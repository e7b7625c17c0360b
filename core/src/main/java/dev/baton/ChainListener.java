package dev.baton;

import java.time.Duration;

/**
 * What a running chain tells those who watch it: failures that its {@link ErrorPolicy} handles, batches, back-pressure and
 * restarts. Set with {@link Deployment#listen}; every method does nothing by default.
 *
 * <p>All but {@link #onRestart} are called on the loop of the part that they are about, between two messages: a method that
 * blocks holds the loop up, and a chain with several loops calls from several threads. What a method throws is logged the
 * first time and changes nothing. Without a listener a part makes one comparison per batch. One that does not override {@link
 * #onBatch} is not called for batches.
 *
 * <p>A part is named as in {@link PartStatus#name}. Topics have the partition's number where the chain has partitions.
 */
public interface ChainListener {
    /**
     * A message is delivered again, at once or after the policy's pause.
     *
     * @param service that threw
     * @param topic that the service reads
     * @param sequence of the message there
     * @param attempts deliveries so far, 1 or more
     * @param thrown by the last one
     */
    default void onRetry(String service, String topic, long sequence, int attempts, Throwable thrown) {}

    /**
     * The dead letter of a message is stored; the message counts as handled.
     *
     * @param service that gave up on it
     * @param topic that the service reads
     * @param sequence of the message there
     * @param attempts deliveries, 0 for a record that could not be read
     * @param thrown by the last one, or what is wrong with the record
     */
    default void onDeadLetter(String service, String topic, long sequence, int attempts, Throwable thrown) {}

    /**
     * A part can take no input, because its output topic has no room, too many of its outputs are not stored yet, or as many
     * messages wait as may ({@link ErrorPolicy#maxWaiting}). Called once, until {@link #onBackPressureEnded}; a chain that stops
     * or closes meanwhile ends it without a call.
     *
     * @param service the part's name
     * @param topic that the part writes
     */
    default void onBackPressure(String service, String topic) {}

    /**
     * A part can take inputs again.
     *
     * @param service the part's name
     * @param topic that the part writes
     * @param nanos since {@link #onBackPressure}
     */
    default void onBackPressureEnded(String service, String topic, long nanos) {}

    /**
     * A part has handed its outputs over to the transport, in one flush.
     *
     * @param service the part's name
     * @param topic that the part reads; for a {@link PartStatus#SOURCE} the one it writes
     * @param inputs that the batch consumed; 0 for one of ticks, and for a source
     * @param outputs in the batch; 0 for inputs without an output, as of an outlet
     */
    default void onBatch(String service, String topic, int inputs, int outputs) {}

    /**
     * A service with state begins a snapshot, and gets no input until its state is written.
     *
     * @param service whose state is saved
     * @param input sequence of the last input that it contains
     */
    default void onSnapshotBegun(String service, long input) {}

    /**
     * A snapshot is whole: it is stored, and outlives this process.
     *
     * @param service whose state was saved
     * @param input sequence of the last input that it contains
     * @param bytes of the state
     * @param nanos since {@link #onSnapshotBegun}
     */
    default void onSnapshot(String service, long input, long bytes, long nanos) {}

    /**
     * A service with state has the state of an earlier run, or begins with an empty one.
     *
     * @param service that has the state
     * @param input sequence of the last input that the state contains, 0 for an empty one
     * @param nanos since the part was opened
     */
    default void onRestored(String service, long input, long nanos) {}

    /**
     * A chain that failed is closed, and is opened again after a pause: {@link Deployment#restart}. Called by the thread
     * that does so, which is no loop.
     *
     * @param chain that failed
     * @param partition that failed; {@link dev.baton.spi.PartitionTopic#NONE} of a chain without partitions
     * @param restarts since the start, this one included
     * @param pause before it
     * @param cause what stopped the chain, or kept it from opening
     */
    default void onRestart(String chain, int partition, int restarts, Duration pause, Throwable cause) {}
}
