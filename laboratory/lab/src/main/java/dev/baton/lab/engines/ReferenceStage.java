package dev.baton.lab.engines;

import dev.baton.measuring.SlotWait;
import dev.baton.measuring.machine.KernelThread;
import dev.baton.measuring.rig.ChainEnds;
import dev.baton.measuring.rig.MessageSource;
import dev.baton.measuring.rig.SourceSender;
import java.util.ArrayList;
import java.util.List;

/** The work of one thread of a chain. All methods except {@link #halt} are called by that thread. */
interface ReferenceStage {
    /** Opens what belongs to the thread; when it returns, messages can flow. May block. */
    default void open() {}

    /** Works until the signal is set or {@link #halt} is called. */
    void run(StopSignal stop);

    /** Ends {@link #run} where that does not look at the signal. Any thread, after the signal is set. */
    default void halt() {}

    /**
     * {@return whether it has handed over all messages of its input; called when nothing is written there any more and the signal is set}
     * May be called by any thread.
     */
    default boolean isAtEnd() {
        return true;
    }

    /** Ends the sending of a stage that continues with another task. Any thread. */
    default void endSending() {}

    /** {@return whether nothing more is sent after {@link #endSending}, and all sent messages can be read} May be called by any thread. */
    default boolean hasEndedSending() {
        return true;
    }

    /** {@return whether the library has confirmed all messages that were handed over} May be called after {@link #close}, by any thread. */
    default boolean isStored() {
        return true;
    }

    /** Releases what {@link #open} opened, also after it failed. */
    default void close() {}

    /**
     * The stages of one chain in order.
     *
     * @param topics in the order of the chain, as relays use them
     * @param ends has the work of the services
     * @param first feeds the first topic
     * @param last takes from the last topic; null where the first stage does that as well
     */
    static <T> List<ReferenceStage> chain(
            ChainEnds ends, List<T> topics, ReferenceStage first, Service<T> relay, ReferenceStage last) {
        List<ReferenceStage> stages = new ArrayList<>(List.of(first));
        for (int i = 1; i < topics.size(); i++) {
            stages.add(relay.between(topics.get(i - 1), topics.get(i), ends.work(i)));
        }
        if (last != null) {
            stages.add(last);
        }
        return stages;
    }

    /** Creates the stage of a service between two topics. */
    interface Service<T> {
        ReferenceStage between(T from, T to, Runnable work);
    }

    /** A loop: looks for messages, and rests when there are none. */
    abstract class Turning implements ReferenceStage {
        private final Pause pause;
        private volatile boolean isAtEnd;

        /**
         * Creates a stage.
         *
         * @param pause null when polling waits for messages
         */
        Turning(Pause pause) {
            this.pause = pause;
        }

        @Override
        public final void run(StopSignal stop) {
            for (int state = stop.state(); state != StopSignal.SET; state = stop.state()) {
                if (turn()) {
                    continue;
                }
                if (state == StopSignal.DRAINING && !isAtEnd) {
                    isAtEnd = hasTakenAll();
                }
                if (pause != null) {
                    pause.rest();
                }
            }
        }

        @Override
        public final boolean isAtEnd() {
            return isAtEnd;
        }

        /** {@return whether a turn without a message means that there is none} */
        boolean hasTakenAll() {
            return true;
        }

        /** Takes what is there. @return false when nothing was */
        abstract boolean turn();
    }

    /**
     * Feeds a chain: turns its source when something is due, and waits until then.
     *
     * @param pause of the wait; null for a punctual one, which ends in a spin ({@link SlotWait})
     */
    record Feeding(MessageSource source, Inlet inlet, Pause pause) implements ReferenceStage {
        /** Returns a stage that does the same with punctual waits. */
        Feeding punctual() {
            return new Feeding(source, inlet, null);
        }

        @Override
        public void open() {
            if (pause == null) {
                KernelThread.shortenTimerSlack();
            }
            inlet.open();
        }

        @Override
        public void run(StopSignal stop) {
            while (!stop.isSet()) {
                if (source.onTurn(inlet) != 0) {
                    continue;
                }
                if (pause == null) {
                    SlotWait.until(source.deadlineNanos());
                } else {
                    pause.restUntil(source.deadlineNanos());
                }
            }
        }

        @Override
        public boolean isStored() {
            return inlet.isStored();
        }

        @Override
        public void close() {
            inlet.close();
        }
    }

    /** Writes a chain's first topic. Confined to the thread that opens it. */
    interface Inlet extends SourceSender, AutoCloseable {
        default void open() {}

        /** Returns when all that was sent is in the topic. */
        default void flush() {}

        /** {@return whether the library has confirmed all sent messages} May be called after {@link #close}, by any thread. */
        default boolean isStored() {
            return true;
        }

        @Override
        default void close() {}
    }

    /**
     * The signal that ends a thread: a flag, as an interrupt would break calls of the libraries. It first requests that the
     * thread drains its input, once nothing is written there any more. Thread-safe.
     */
    final class StopSignal {
        static final int RUNNING = 0;
        static final int DRAINING = 1;
        static final int SET = 2;

        private volatile int state = RUNNING;

        /** Returns one of the constants, for loops that need more than {@link #isSet} in one read. */
        int state() {
            return state;
        }

        boolean isSet() {
            return state == SET;
        }

        /** Declares that the input is complete; called after its last message was written. Before {@link #set}. */
        void drain() {
            state = DRAINING;
        }

        void set() {
            state = SET;
        }
    }
}
