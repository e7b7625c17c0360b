package dev.baton.micrometer;

import dev.baton.ChainListener;
import dev.baton.ServiceContext;
import dev.baton.spi.PartitionTopic;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what chains tell their listeners. Thread-safe. */
final class Events implements ChainListener {
    private record Part(String service, String topic) {}

    /** Of one part and the topic that it reads. */
    static final class Failures {
        final AtomicLong retries = new AtomicLong();
        final AtomicLong deadLetters = new AtomicLong();
    }

    /** Of one part and the topic that it writes. Thread-safe. */
    static final class Pressure {
        private static final long NONE = Long.MIN_VALUE;

        private long times;
        private long endedNanos; // of all that ended
        private long sinceNanos = NONE; // of the one that lasts

        private synchronized void begin() {
            times++;
            sinceNanos = System.nanoTime();
        }

        private synchronized void end(long nanos) {
            endedNanos += nanos;
            sinceNanos = NONE;
        }

        /** The part is gone: nobody tells of the end of what lasts. */
        private synchronized void endUntold() {
            if (sinceNanos != NONE) {
                end(System.nanoTime() - sinceNanos);
            }
        }

        synchronized long times() {
            return times;
        }

        /** With the one that lasts up to now. */
        synchronized long nanos() {
            return endedNanos + (sinceNanos == NONE ? 0 : System.nanoTime() - sinceNanos);
        }
    }

    private final Map<Part, Failures> failures = new ConcurrentHashMap<>();
    private final Map<Part, Pressure> pressures = new ConcurrentHashMap<>();

    /** A part was opened whose events are told here. */
    void watched(ServiceContext context) {
        failures(context.service(), context.input());
        pressures.forEach((part, pressure) -> {
            if (part.service().equals(context.service())
                    && PartitionTopic.partition(part.topic()) == context.partition()) {
                pressure.endUntold();
            }
        });
    }

    /** Whether the events of a part are told here. */
    boolean isWatched(String service, String input) {
        return failures.containsKey(new Part(service, input));
    }

    Failures failures(String service, String input) {
        return failures.computeIfAbsent(new Part(service, input), part -> new Failures());
    }

    Pressure pressure(String service, String output) {
        return pressures.computeIfAbsent(new Part(service, output), part -> new Pressure());
    }

    @Override
    public void onRetry(String service, String topic, long sequence, int attempts, Throwable thrown) {
        failures(service, topic).retries.incrementAndGet();
    }

    @Override
    public void onDeadLetter(String service, String topic, long sequence, int attempts, Throwable thrown) {
        failures(service, topic).deadLetters.incrementAndGet();
    }

    @Override
    public void onBackPressure(String service, String topic) {
        pressure(service, topic).begin();
    }

    @Override
    public void onBackPressureEnded(String service, String topic, long nanos) {
        pressure(service, topic).end(nanos);
    }
}
