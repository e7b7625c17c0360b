package dev.baton.measuring.system;

import java.util.Map;

/**
 * A queue, a library or a service that the laboratory measures as {@code --engine system:NAME}. A jar in BATON_CLASSPATH
 * names the class, which has a public constructor without arguments, in {@code
 * META-INF/services/dev.baton.measuring.system.SystemUnderTest}. Called by one thread at a time.
 */
public interface SystemUnderTest {
    /** Returns the description; called before anything is opened. */
    Description describe();

    /** Opens one instance, which can carry messages when this returns. May block. */
    Instance open(Setting setting, Receiver receiver) throws Exception;

    /**
     * The description of a system.
     *
     * @param name on the command line: lower-case letters, digits and hyphens
     * @param summary one line, for lists
     * @param options names and default values; {@code --system-option KEY=VALUE} sets them. Without a value, {@code
     *     bootstrap-servers} is a Kafka broker that the laboratory starts, and {@code dir} an empty directory
     * @param properties that a reader of the figures needs, such as durability, acknowledgement and version
     */
    record Description(String name, String summary, Map<String, String> options, Map<String, String> properties) {}

    /** The setting of one instance: a unique name, for topics and threads; all options; the length of the longest message. */
    record Setting(String name, Map<String, String> options, int messageBytes) {}

    /** One running instance, independent of the others. */
    interface Instance {
        /** Sends a message, whose array is valid during the call, or returns false if there is no room now. Never blocks. */
        boolean trySend(byte[] message);

        /**
         * Hands the next messages to the receiver, or waits for some in its own way, at most a second. A thread of the
         * laboratory calls it again and again. A system whose own threads call the receiver does not implement it.
         */
        default void poll() throws Exception {
            Thread.sleep(1_000);
        }

        /** Returns whether no message is on its way; false if unknown. Called when nothing more is sent. */
        default boolean isDrained() {
            return false;
        }

        /** Ends the instance: when this returns, it does not call its receiver any more. May block. */
        default void close() throws Exception {}
    }

    /** The receiving end of one instance. One thread calls {@code onMessage}; any thread may call {@code onFailure}. */
    interface Receiver {
        void onMessage(byte[] message); // unaltered; valid during the call

        void onFailure(Throwable cause); // ends the trial, which fails
    }
}
