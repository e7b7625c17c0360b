package dev.baton.lab.engines;

import dev.baton.measuring.Schedule;
import dev.baton.measuring.rig.ChainEnds;
import dev.baton.measuring.rig.MessageSink;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** No library at all: one volatile number between two threads. */
record HandOverLibrary(Pause pause, Supplier<Schedule> schedules) implements ReferenceRig.Library {
    @Override
    public Map<String, String> properties() {
        return Map.of("copies", "none: one number, from one cache line to another");
    }

    /** The sending thread and the receiving one: there is one topic, and no service. */
    @Override
    public List<ReferenceStage> stages(ChainEnds ends, List<String> topics) {
        HandOver handOver = new HandOver();
        return List.of(
                new ReferenceStage.Feeding(ends.generator(), handOver, pause),
                new HandOverExit(handOver, schedules, ends.receiver(), pause));
    }

    /**
     * A volatile count of messages that one thread increments and another one reads.
     *
     * <p>It lies 128 bytes or more from whatever else there is, as a processor fetches lines of 64 bytes in pairs. Nothing comes
     * back: the number only grows, so a sender never waits and a receiver that was held up finds all that it has missed in one
     * look. {@link #trySend}: one thread. {@link #published}: any.
     */
    static final class HandOver implements ReferenceStage.Inlet {
        private static final VarHandle VOLATILE = MethodHandles.arrayElementVarHandle(long[].class);
        private static final int PLACE = 16;
        private static final int LENGTH = 2 * PLACE + 1;

        private final long[] line = new long[LENGTH];

        /** Announces one more message; the receiver gets nothing else. */
        @Override
        public boolean trySend(long number, long originNanos, int tag) {
            VOLATILE.setVolatile(line, PLACE, number + 1);
            return true;
        }

        /** {@return the number of messages} */
        long published() {
            return (long) VOLATILE.getVolatile(line, PLACE);
        }
    }

    /**
     * Takes what is handed over: when each message was due it knows from the schedule, as nothing else crosses. A message has
     * no payload here, no tag and no hops. Confined to the receiving thread.
     */
    static final class HandOverExit extends ReferenceStage.Turning {
        private final HandOver handOver;
        private final Supplier<Schedule> schedules;
        private final MessageSink sink;
        private Schedule schedule; // null until the first message
        private long taken;

        /**
         * Creates an exit.
         *
         * @param schedules returns the sender's schedule, once the first message has arrived
         */
        HandOverExit(HandOver handOver, Supplier<Schedule> schedules, MessageSink sink, Pause pause) {
            super(pause);
            this.handOver = handOver;
            this.schedules = schedules;
            this.sink = sink;
        }

        @Override
        boolean turn() {
            long published = handOver.published();
            if (published == taken) {
                return false;
            }
            if (schedule == null) {
                schedule = schedules.get();
            }
            do {
                sink.onMessage(schedule.slotNanos(taken), 0, 0, 0, Round.NO_PAYLOAD);
            } while (++taken < published);
            return true;
        }
    }
}
