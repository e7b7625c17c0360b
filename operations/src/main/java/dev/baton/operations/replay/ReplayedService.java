package dev.baton.operations.replay;

import dev.baton.Chain;
import dev.baton.Deployment.UnreadableFrames;
import dev.baton.RunningChain;
import dev.baton.Service;
import dev.baton.run.Loops;
import dev.baton.spi.Cause;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import dev.baton.state.SnapshotPolicy;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ObjLongConsumer;

/**
 * One service of a chain, replayed over a recording: its caller turns it, and it runs on the caller's thread. It begins as a service that
 * was never started, whatever the first input is. Confined to that thread.
 */
final class ReplayedService implements AutoCloseable {
    /** A service and the topics of its recording, by the transport's names. */
    record Place(Transport transport, String service, String input, String output) {}

    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final SnapshotPolicy NO_SNAPSHOTS = SnapshotPolicy.every(Duration.ofDays(36_500));
    private static final int MAX_STEPS = 10_000_000; // of a service that waits for its time, without an input

    private final RecordedTime time = new RecordedTime();
    private final Loops loops = Loops.manual().in(time);
    private final RecordedInput input;
    private final RunningChain running;
    private TickedService ticked; // null: no ticks
    private TickSchedule ticks; // null: no ticks
    private long lastTick; // the last input before it
    private int waitingTurns; // turns without an input

    /**
     * Creates a service.
     *
     * @param inputs closed with the service
     * @param sink takes its outputs, and the sequence of the first replayed input, 0 for none
     */
    ReplayedService(
            Chain chain,
            Place place,
            TopicInspector inputs,
            ReplayRange range,
            RecordedInput.Pace pace,
            ObjLongConsumer<StagedOutputs> sink) {
        input = new RecordedInput(inputs, time, range, pace);
        StagedOutputs outputs = new StagedOutputs(
                batch -> sink.accept(batch, input.first()), inputs instanceof NewOutputs ? this::recordedCause : null);
        int index = chain.services().indexOf(place.service());
        RecordedTransport transport = new RecordedTransport(
                place.transport().maxPayload(), chain.topic(0, index), input, chain.topic(0, index + 1), outputs);
        try {
            running = chain.decorated((name, made) -> name.equals(place.service()) ? wrapped(made) : made)
                    .on(transport)
                    .with(loops)
                    .only(place.service())
                    .snapshots(NO_SNAPSHOTS)
                    .onUnreadable(
                            UnreadableFrames.SKIP) // as the recorded service did, since it has answered later inputs
                    .onFailure(failure -> {})
                    .start();
            ticks = ticked == null ? null : new TickSchedule(place.transport().inspect(place.output()));
        } catch (RuntimeException | Error failure) {
            input.close();
            loops.close();
            throw failure;
        }
    }

    /** Returns the cause in terms of the recorded topic; for an output of a tick that of the recorded tick. */
    private long recordedCause(long cause) {
        if (Cause.isOfTick(cause)) {
            return Cause.isOfClosing(cause) ? Cause.ofClosing(lastTick) : Cause.ofTick(lastTick);
        }
        long recorded = input.recordedSequence(Cause.input(cause));
        return Cause.isLate(cause) ? Cause.late(recorded) : recorded;
    }

    private Service wrapped(Service made) {
        ticked = TickedService.of(made);
        return ticked == null ? made : ticked;
    }

    RecordedInput input() {
        return input;
    }

    /** {@return the failure that stopped it; null for none} */
    Throwable failure() {
        return running.failure().orElse(null);
    }

    /**
     * Runs one turn.
     *
     * @param stop no later input and no later tick is taken
     * @return false when nothing is left to do up to it
     */
    boolean turn(long stop) {
        boolean isDue = isTickDue(stop);
        if (isDue && input.first() > 0 && ticks.input() < input.first() - 1) {
            ticks.next(); // before the range
            return true;
        }
        input.stopAt(Math.min(stop, ticks == null ? Long.MAX_VALUE : ticks.input()));
        if (isDue) {
            time.at(ticks.nanos());
            lastTick = ticks.input();
            ticked.due(ticks.isClosing());
            ticks.next();
        }
        int work = loops.turn();
        if (failure() != null) {
            return false;
        }
        if (work > 0 || isDue) {
            waitingTurns = 0;
            return true;
        }
        if (input.waitNanos() > 0) {
            LockSupport.parkNanos(input.waitNanos());
            return true;
        }
        if ((input.isAtEnd() || input.isAtStop()) && !isWaiting()) {
            return isTickDue(stop);
        }
        time.pass(STEP_NANOS); // the service is delivered a message again after a pause
        if (++waitingTurns > MAX_STEPS) {
            throw new IllegalStateException("input " + (input.consumed() + 1) + " is delivered again and again");
        }
        return true;
    }

    /** {@return whether an input waits for its retry while later ones are handled} */
    private boolean isWaiting() {
        return running.status().parts().get(0).input().waiting() > 0;
    }

    /** {@return whether all inputs before the next tick have been consumed} */
    private boolean isTickDue(long stop) {
        return ticks != null
                && ticks.input() <= stop
                && (ticks.input() <= input.consumed() || input.isAtStop() && input.isStopAt(ticks.input()));
    }

    @Override
    public void close() {
        try {
            loops.close(); // the chain fails, and so releases its resources without the last call
        } finally {
            input.close();
            if (ticks != null) {
                ticks.close();
            }
        }
    }
}
