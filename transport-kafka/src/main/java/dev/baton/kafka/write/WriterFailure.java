package dev.baton.kafka.write;

import dev.baton.kafka.client.KafkaFailures;
import dev.baton.kafka.client.Permission;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TransportException;
import org.apache.kafka.common.acl.AclOperation;

/**
 * The failure that ends a writer before it is closed: a frame of it is lost, a newer writer has taken its place, or its topic is
 * not the same any more. The first of these counts. Thread-safe.
 */
final class WriterFailure {
    private final String topic;
    private final FrameProducer producer;
    private volatile boolean isSuspended; // a newer writer was found: nothing more is sent
    private volatile TransportException failure; // set by the first thread that reports one
    private volatile boolean isAlone; // the failure ends this writer, and no other one of its producer
    private volatile boolean isReported; // the failure has been thrown

    WriterFailure(String topic, FrameProducer producer) {
        this.topic = topic;
        this.producer = producer;
    }

    /** Ends the writer and its producer, as a frame behind this sequence is not stored and never will be. */
    void lost(Exception thrown, long storedSequence) {
        if (failure != null) {
            return;
        }
        Exception why = producer.explained(thrown);
        String lost = "topic '" + topic + "': a frame after " + storedSequence + " was not stored";
        if (why instanceof ReplacedException) {
            endAlone(new ReplacedException(topic, lost + ", nor is any behind it: " + why.getMessage(), why));
            return;
        }
        TransportException reason = KafkaFailures.isAccess(why)
                ? KafkaFailures.because(lost, why, Permission.onTopic(AclOperation.WRITE, topic))
                : new TransportException(
                        lost + ": " + why.getMessage()
                                + "; nothing more is written by this connection's writer, open it again",
                        why);
        synchronized (producer) { // a thread that reads the failure finds the producer stopped
            failure = reason;
            producer.failed(reason);
        }
    }

    /** Stops the writer from sending, as a newer one was found in the log; {@link #endAlone} follows. */
    void suspend() {
        isSuspended = true;
    }

    /** Returns whether nothing may be sent any more. */
    boolean isSuspended() {
        return isSuspended || failure != null;
    }

    /** Ends the writer, and no other one: it was replaced, or its topic was, or that has lost frames. */
    void endAlone(TransportException why) {
        if (failure == null) {
            isAlone = true;
            failure = why;
            producer.writerEnded();
        }
    }

    /** Returns whether it has ended, and the others that use its producer continue. */
    boolean isAlone() {
        return isAlone;
    }

    /** Returns why the writer has ended; null while it works. */
    TransportException failure() {
        TransportException known = failure;
        if (known == null && !producer.isStopped()) {
            return null;
        }
        synchronized (producer) {
            isReported = true;
            producer.reported();
            known = failure;
        }
        return known == null ? lostByAnother() : known;
    }

    private TransportException lostByAnother() {
        return new TransportException(
                "topic '" + topic + "': the connection lost a frame of another topic and writes no more: "
                        + producer.failure().getMessage(),
                producer.failure());
    }

    boolean hasFailed() {
        return failure != null || producer.isStopped();
    }

    /** Throws what has ended this writer alone, unless something was thrown before. */
    void throwUnreported() {
        if (isAlone && !isReported) {
            throwFailure();
        }
    }

    void throwIfAlone() {
        if (isAlone) {
            throwFailure();
        }
    }

    void throwFailure() {
        TransportException known = failure();
        if (known != null) {
            throw known instanceof ReplacedException
                    ? new ReplacedException(topic, known.getMessage(), known)
                    : new TransportException(known.getMessage(), known);
        }
    }
}
