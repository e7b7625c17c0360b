package dev.baton.kafka.connection;

import dev.baton.kafka.client.Deadline;
import dev.baton.kafka.write.KafkaWriter;
import dev.baton.kafka.write.Outbox;
import dev.baton.spi.TransportException;
import java.util.List;

/**
 * The end of a connection: sends what was committed, waits until it is stored, stores positions, lets the clients go,
 * all within one deadline. Every step is taken, whatever became of those before; the first failure that nobody has been
 * told of is thrown at the end and carries the others. Used once, by the thread that closes.
 */
final class Closing {
    private final KafkaConnection connection;
    private final Deadline deadline;
    private RuntimeException failure;

    Closing(KafkaConnection connection, Deadline deadline) {
        this.connection = connection;
        this.deadline = deadline;
    }

    void run() {
        boolean wasInterrupted = Thread.interrupted(); // the clients would refuse to finish
        try {
            List<Outbox> outboxes = connection.outboxes().close();
            attempt(this::finishWriting);
            outboxes.forEach(outbox -> attempt(() -> outbox.close(deadline)));
            outboxes.forEach(outbox -> attempt(outbox::throwUntold));
            attempt(this::tellUnstored);
            connection.forgetWriters();
            if (connection.inbox() != null) {
                attempt(() -> connection.positions().storeAll(deadline));
                attempt(connection.positions()::tellFailures);
                attempt(() -> connection.inbox().close(deadline));
            }
            connection.forgetReaders();
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void finishWriting() {
        connection.writers().forEach(KafkaWriter::finish);
        while (!connection.writers().stream().allMatch(KafkaWriter::isSettled) && !deadline.isOver()) {
            connection.outboxes().sendWaiting();
            Deadline.pause();
        }
    }

    private void tellUnstored() {
        for (KafkaWriter writer : connection.writers()) {
            writer.tellAlone();
            if (!writer.isSettled()) {
                throw new TransportException("topic '" + writer.topic() + "': frames "
                        + (writer.storedSequence() + 1) + " to " + writer.sequence() + " were not stored within "
                        + deadline.limit().toMillis() + " ms");
            }
        }
    }

    private void attempt(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException thrown) {
            if (failure == null) {
                failure = thrown;
            } else if (failure != thrown) {
                failure.addSuppressed(thrown);
            }
        }
    }
}
