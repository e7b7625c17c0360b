package dev.baton.lab.study.load;

import java.io.IOException;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * HTTP clients, in this process or in another. {@link #connect} and {@link #close} may be called by any thread, one at a time; the other
 * methods by the thread that runs it, or by any after that has ended.
 */
interface ClientSide extends AutoCloseable {
    /** The reports of clients as they happen, on the thread that runs them. */
    interface Answers {
        void onSent() throws IOException;

        /** An answer that counts. @param sentNanos on this process's clock @param nanos that it took */
        void onAnswer(long sentNanos, long nanos) throws IOException;

        /** An answer that does not count. @param number of the request @param detail what is wrong with it */
        void onFault(long number, String detail) throws IOException;

        /** Called after each pass over all connections. */
        default void onTurn() throws IOException {}
    }

    /** Connects all clients. Blocks. @throws dev.baton.operations.line.CommandException when no server listens there */
    void connect();

    /**
     * Asks until the end, and takes the answers until all are there or it is stopped. Blocks.
     *
     * @param endNanos when no request is sent any more; may be brought forward
     * @param isStopped looked at every few milliseconds
     * @throws IOException when a connection breaks, in words for a person
     */
    void run(Answers answers, LongSupplier endNanos, BooleanSupplier isStopped) throws IOException;

    /** {@return the send times of the requests without an answer} */
    List<Long> open();

    /** {@return the CPU time of the clients' thread over wall time} */
    double cpuCores();

    /** The process that they run in; empty when it is this one. */
    default List<Long> pids() {
        return List.of();
    }

    /** Closes all connections. Idempotent. */
    @Override
    void close();
}
