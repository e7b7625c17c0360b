package dev.baton.lab.engines.cooperative;

import dev.baton.measuring.rig.MessageSource;
import dev.baton.measuring.rig.SourceSender;

/** One stage of a chain. Confined to the loop that runs it. */
interface LoopStep extends AutoCloseable {
    /** Opens what belongs to the loop's thread. May block. */
    default void open() {}

    /**
     * Passes on what is there, a batch at most. Does not block.
     *
     * @return messages or batches taken; 0 when there was nothing, or no room for it
     */
    int turn();

    /** {@return when the step has something to do even if nothing arrives; {@link Long#MAX_VALUE} when that is not known} */
    default long deadlineNanos() {
        return Long.MAX_VALUE;
    }

    @Override
    default void close() {} // narrows what may be thrown

    /** The way into a chain's first topic. Confined to the thread that sends. */
    interface Entry extends SourceSender, AutoCloseable {
        /**
         * Makes the messages that were sent visible to the first stage.
         *
         * @return false when there is no room for all of them now; the next call tries again
         */
        boolean flush();

        @Override
        default void close() {}
    }

    /** A generator on the loop of the chain that it feeds. */
    final class Feeding implements LoopStep {
        private final MessageSource generator;
        private final Entry entry;
        private volatile boolean hasEnded;

        Feeding(MessageSource generator, Entry entry) {
            this.generator = generator;
            this.entry = entry;
        }

        @Override
        public int turn() {
            int sent = hasEnded ? 0 : generator.onTurn(entry);
            return entry.flush() ? sent : Math.max(1, sent); // what waits for room is work
        }

        @Override
        public long deadlineNanos() {
            return hasEnded ? Long.MAX_VALUE : generator.deadlineNanos();
        }

        /** Ends the sending. Any thread. */
        void end() {
            hasEnded = true;
        }
    }
}
