package dev.baton.lab.trial.ends;

import dev.baton.measuring.Schedule;
import dev.baton.measuring.SendDelay;

/**
 * The identification of received messages, without sequences, which the library under test assigns itself. Confined to the receiver's
 * thread, and to the accounting after that has ended.
 */
public interface Recognition {
    /**
     * The number of a message.
     *
     * @param originNanos as the frame says
     * @param tag as the frame says
     * @param expected the number that a message in order has
     * @return -1: its origin is none that this instance has sent by now
     */
    long numberOf(long originNanos, int tag, long expected, long nowNanos);

    /** {@return the send delay of a message from its origin} */
    long sendDelayNanos(int tag);

    /** {@return the origin of a message that never arrived, or the earliest possible one} */
    long originNanos(long number);

    /**
     * Identifies messages by their slot: with the schedule of the generator it expects the next one, finds the number of one out of order,
     * and detects an origin that is no slot. The tag is the send delay.
     */
    final class BySlot implements Recognition {
        private final Schedule schedule;
        private long nextNumber;
        private long nextSlotNanos;

        BySlot(Schedule schedule) {
            this.schedule = schedule;
            nextSlotNanos = schedule.slotNanos(0);
        }

        @Override
        public long numberOf(long originNanos, int tag, long expected, long nowNanos) {
            if (expected != nextNumber) {
                nextNumber = expected;
                nextSlotNanos = schedule.slotNanos(expected);
            }
            if (originNanos == nextSlotNanos) {
                return expected;
            }
            return originNanos - nowNanos > 0 ? -1 : schedule.numberOf(originNanos);
        }

        @Override
        public long sendDelayNanos(int tag) {
            return SendDelay.decode(tag);
        }

        @Override
        public long originNanos(long number) {
            return schedule.slotNanos(number);
        }
    }

    /** Identifies messages whose origin is the send, at saturation: the origin of one that never arrived is unknown. */
    abstract class Saturated implements Recognition {
        final Window window;

        Saturated(Window window) {
            this.window = window;
        }

        /** Returns 0, as the origin is the time of the send. */
        @Override
        public final long sendDelayNanos(int tag) {
            return 0;
        }

        @Override
        public final long originNanos(long number) {
            return window.measureNanos();
        }
    }

    /**
     * Identifies messages at saturation, where no schedule has their send times: the tag is the lower half of the number, exact as long as
     * no two billion messages are in flight, and origins are send times, which increase.
     */
    final class ByTag extends Saturated {
        private long newestOriginNanos;
        private long newest = -1;

        public ByTag(Window window) {
            super(window);
        }

        @Override
        public long numberOf(long originNanos, int tag, long expected, long nowNanos) {
            long number = expected + (tag - (int) expected);
            boolean isNewer = number > newest;
            boolean isPossible = originNanos - nowNanos <= 0 && originNanos - window.startNanos() >= 0;
            boolean isInOrder = newest < 0 || (originNanos - newestOriginNanos > 0) == isNewer;
            if (number < 0 || !isPossible || !isInOrder) {
                return -1;
            }
            if (isNewer) {
                newest = number;
                newestOriginNanos = originNanos;
            }
            return number;
        }
    }

    /** Identifies messages at saturation with a foreign tag by the notes of their sender. */
    final class ByNote extends Saturated {
        private final ProvidedMessages messages;

        ByNote(ProvidedMessages messages, Window window) {
            super(window);
            this.messages = messages;
        }

        @Override
        public long numberOf(long originNanos, int tag, long expected, long nowNanos) {
            return messages.numberOf(originNanos, expected);
        }
    }
}
