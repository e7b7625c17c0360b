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
     * @throws IllegalStateException when a batch or a claim is open, or in a service while another loop opens the topic
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
}
