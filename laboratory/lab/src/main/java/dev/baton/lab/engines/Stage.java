package dev.baton.lab.engines;

import dev.baton.measuring.rig.MessageSource;
import dev.baton.measuring.rig.Sender;
import java.util.function.BooleanSupplier;

/** What one thread of a chain does. All but {@link #halt} is called by that thread. */
interface Stage {
    /** Opens what belongs to the thread; when it returns, messages can flow. May block. */
    default void open() {}

    /** Works until it is stopped or {@link #halt} is called. */
    void run(BooleanSupplier isStopped);

    /** Ends {@link #run} where that does not look whether it is stopped. Any thread, once it is. */
    default void halt() {}

    /** Lets go of what {@link #open} opened, also when that failed half-way. */
    default void close() {}

    /** A loop: looks for messages, and rests when there are none. */
    abstract class Turning implements Stage {
        private final Pause pause;

        /** @param pause null when looking for messages waits for them */
        Turning(Pause pause) {
            this.pause = pause;
        }

        @Override
        public final void run(BooleanSupplier isStopped) {
            while (!isStopped.getAsBoolean()) {
                if (!turn() && pause != null) {
                    pause.rest();
                }
            }
        }

        /** Takes what is there. @return false when nothing was */
        abstract boolean turn();
    }

    /** Feeds a chain: turns its source when something is due, and sleeps until then. */
    record Feeding(MessageSource source, Inlet inlet, Pause pause) implements Stage {
        @Override
        public void open() {
            inlet.open();
        }

        @Override
        public void run(BooleanSupplier isStopped) {
            while (!isStopped.getAsBoolean()) {
                if (source.onTurn(inlet) == 0) {
                    pause.restUntil(source.deadlineNanos());
                }
            }
        }

        @Override
        public void close() {
            inlet.close();
        }
    }

    /** Writes a chain's first topic. Confined to the thread that opens it. */
    interface Inlet extends Sender, AutoCloseable {
        default void open() {}

        @Override
        default void close() {}
    }
}
