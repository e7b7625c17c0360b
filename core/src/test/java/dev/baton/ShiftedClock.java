package dev.baton;

import dev.baton.run.Environment;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;

/** The clock of this JVM, which a test lets run ahead. */
final class ShiftedClock implements Environment {
    private final Environment real = Environment.system();
    private long shift;

    void pass(Duration time) {
        shift += time.toNanos();
    }

    @Override
    public long nanoTime() {
        return real.nanoTime() + shift;
    }

    @Override
    public long wallNanos() {
        return real.wallNanos() + shift;
    }

    @Override
    public Thread thread() {
        return real.thread();
    }

    @Override
    public void park(long nanos) {
        real.park(nanos);
    }

    @Override
    public void unpark(Thread thread) {
        real.unpark(thread);
    }

    @Override
    public void yield() {
        real.yield();
    }

    @Override
    public void spin() {
        real.spin();
    }

    @Override
    public Thread start(String name, ThreadFactory threads, Worker worker) {
        return real.start(name, threads, worker);
    }

    @Override
    public boolean join(Thread thread, long nanos) {
        return real.join(thread, nanos);
    }
}
