package dev.baton.lab.engines;

import java.util.function.Consumer;

/**
 * One bounded queue as a hop of a chain: how a stage gives a message to it, and how the next stage takes one from it.
 *
 * <p>A primitive queue does nothing else: a message that was taken is gone, and no other reader gets it. One thread gives and
 * one takes; each method belongs to one of the two.
 */
interface QueueHop {
    /** The longest that a call waits, so that a stage sees in time that it is to end: {@value} ns. */
    long WAIT_NANOS = 10_000_000;

    /**
     * Gives a message, if there is room. May wait for room, {@link #WAIT_NANOS} at most. Of the giving thread.
     *
     * @return false: there was none, and the message is still the caller's
     */
    boolean tryGive(HopEvent message);

    /**
     * Takes what is there and hands it over, one or several in order. May wait for it, {@link #WAIT_NANOS} at most. Of the
     * taking thread.
     *
     * @param to gets each message; unless the hop {@link #isCopying}, it is the receiver's from then on
     * @return false: nothing was there
     */
    boolean take(Consumer<HopEvent> to);

    /** {@return whether a message is copied into the queue, so that the sender may use its object again; otherwise the object crosses} */
    boolean isCopying();
}
