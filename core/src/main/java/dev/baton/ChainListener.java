package dev.baton;

import dev.baton.status.PartStatus;
import java.time.Duration;

/**
 * A listener for the events of a running chain: failures that its {@link ErrorPolicy} handles, batches, back-pressure,
 * snapshots and restarts. Set with {@link Deployment#listen}. Every method does nothing by default.
 *
 * <p>All methods except {@link #onRestart} are called on the loop of the part that they concern, between two messages. A method
 * that blocks blocks the loop, and a chain with several loops calls from several threads. An exception that a method throws is
 * logged the first time and has no other effect. Without a listener a part makes one comparison per batch. A listener that does
 * not override {@link #onBatch} is not called for batches.
 *
 * <p>Parts have the names of {@link PartStatus#name}. If the chain has partitions, names of topics include the partition's
 * number.
 */
public interface ChainListener {
    /**
     * Called when a message will be delivered again, at once or after the policy's pause.
     *
     * @param service service that threw
     * @param topic topic that the service reads
     * @param sequence sequence of the message in that topic
     * @param attempts number of deliveries so far, 1 or more
     * @param thrown what the last delivery threw
     */
    default void onRetry(String service, String topic, long sequence, int attempts, Throwable thrown) {}

    /**
     * Called when the dead letter of a message is stored. The message then counts as handled.
     *
     * @param service service that has finally failed to handle the message
     * @param topic topic that the service reads
     * @param sequence sequence of the message in that topic
     * @param attempts number of deliveries; 0 for a record that could not be read
     * @param thrown exception of the last delivery, or the defect of the record
     */
    default void onDeadLetter(String service, String topic, long sequence, int attempts, Throwable thrown) {}

    /**
     * Called when a part can take no input, because its output topic has no room, too many of its outputs are not stored yet,
     * or the maximum number of messages are set aside ({@link ErrorPolicy#perKey}) or are held ({@link Deployment#maxHeld}). Not
     * called again before {@link #onBackPressureEnded}. If the chain stops or closes meanwhile, {@link #onBackPressureEnded} is
     * not called.
     *
     * @param service the part's name
     * @param topic topic that the part writes
     */
    default void onBackPressure(String service, String topic) {}

    /**
     * Called when a part can take inputs again.
     *
     * @param service the part's name
     * @param topic topic that the part writes
     * @param nanos nanoseconds since {@link #onBackPressure}
     */
    default void onBackPressureEnded(String service, String topic, long nanos) {}

    /**
     * Called when a part has handed its outputs to the transport, in one flush.
     *
     * @param service the part's name
     * @param topic topic that the part reads; for a {@link PartStatus#SOURCE} the topic that it writes
     * @param inputs number of inputs that the batch consumed; 0 for a batch of ticks, and for a source
     * @param outputs number of outputs in the batch; 0 for inputs without an output, such as those of the sink
     */
    default void onBatch(String service, String topic, int inputs, int outputs) {}

    /**
     * Called when a service with state begins a snapshot. A {@link StatefulService} receives no input until its state is written.
     *
     * @param service service whose state is saved
     * @param input sequence of the newest input that the state contains
     */
    default void onSnapshotBegun(String service, long input) {}

    /**
     * Called when a snapshot is complete: it is stored, and survives this process.
     *
     * @param service service whose state was saved
     * @param input sequence of the newest input that the state contains
     * @param bytes size of the snapshot; for keyed state that of the changes, or of the whole state
     * @param nanos nanoseconds since {@link #onSnapshotBegun}
     */
    default void onSnapshot(String service, long input, long bytes, long nanos) {}

    /**
     * Called when a service with state has received the state of an earlier run, or begins with an empty one.
     *
     * @param service service with the state
     * @param input sequence of the newest input that the state contains; 0 for an empty state
     * @param nanos nanoseconds since the part was opened
     */
    default void onRestored(String service, long input, long nanos) {}

    /**
     * Called when a failed chain is closed and will be opened again after a pause ({@link Deployment#restart}). Called by the
     * thread that opens it, which is not a loop.
     *
     * @param chain name of the chain
     * @param partition partition that failed; {@link dev.baton.spi.PartitionTopic#NONE} for a chain without partitions
     * @param restarts number of restarts since the start, including this one
     * @param pause pause before the restart
     * @param cause what stopped the chain, or prevented it from opening
     */
    default void onRestart(String chain, int partition, int restarts, Duration pause, Throwable cause) {}
}
