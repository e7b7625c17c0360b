package dev.baton.operations.replay;

import dev.baton.run.Environment;
import java.util.concurrent.ThreadFactory;

/**
 * The environment of a replay: its clock shows the time at which the current input, or tick, was recorded, in nanoseconds since
 * 1970-01-01T00:00Z, and advances only with inputs and ticks. Confined to the replay's thread.
 */
final class RecordedTime implements Environment {
    private final Environment system = Environment.system();
    private long nanos;

    void at(long epochNanos) {
        nanos = epochNanos;
    }

    /** Lets time pass, for a service that is delivered a message again after a pause. */
    void pass(long passed) {
        nanos += passed;
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public long wallNanos() {
        return nanos;
    }

    @Override
    public Thread thread() {
        return system.thread();
    }

    @Override
    public void park(long parked) {
        system.park(parked);
    }

    @Override
    public void unpark(Thread thread) {
        system.unpark(thread);
    }

    @Override
    public void yield() {
        system.yield();
    }

    @Override
    public void spin() {
        system.spin();
    }

    @Override
    public Thread start(String name, ThreadFactory threads, Worker worker) {
        return system.start(name, threads, worker);
    }

    @Override
    public boolean join(Thread thread, long limit) {
        return system.join(thread, limit);
    }
}
