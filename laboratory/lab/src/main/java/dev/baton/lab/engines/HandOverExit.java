package dev.baton.lab.engines;

import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.Schedule;
import dev.baton.measuring.rig.MessageSink;
import java.util.function.Supplier;

/**
 * Takes what is handed over: when each message was due it knows from the schedule, as nothing else crosses. A message has
 * no payload here, no tag and no hops. Confined to the receiving thread.
 */
final class HandOverExit extends TurningStage implements PayloadPattern.Origin {
    private final HandOver handOver;
    private final Supplier<Schedule> schedules;
    private final MessageSink sink;
    private Schedule schedule; // null until the first message
    private long taken;

    /** @param schedules gives the sender's, once the first message is there */
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
            sink.onMessage(schedule.slotNanos(taken), 0, 0, 0, this);
        } while (++taken < published);
        return true;
    }

    @Override
    public void copyTo(byte[] target, int length) {
        throw new IndexOutOfBoundsException("there is no payload, and so no byte of " + length);
    }
}
