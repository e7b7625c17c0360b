package dev.baton.engine.loop;

import dev.baton.run.Environment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;

/** A clock that moves only while the one thread parks; notes how long that is asked for. Single-threaded. */
class ParkingEnvironment implements Environment {
    final List<Long> parks = new ArrayList<>();
    Runnable whileParked = () -> {};
    int unparks;
    long now;

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public long wallNanos() {
        return now;
    }

    @Override
    public Thread thread() {
        return Thread.currentThread();
    }

    @Override
    public void park(long nanos) {
        int before = unparks;
        parks.add(nanos);
        whileParked.run();
        if (unparks == before) {
            now += nanos;
        }
    }

    @Override
    public void unpark(Thread thread) {
        unparks++;
    }

    @Override
    public void yield() {}

    @Override
    public void spin() {}

    @Override
    public Thread start(String name, ThreadFactory threads, Worker worker) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean join(Thread thread, long nanos) {
        throw new UnsupportedOperationException();
    }
}
