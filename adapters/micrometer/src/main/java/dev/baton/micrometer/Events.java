package dev.baton.micrometer;

import dev.baton.ChainListener;
import dev.baton.ServiceContext;
import dev.baton.spi.PartitionTopic;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the events that chains report to their listeners. Thread-safe. */
final class Events {
    /** A part; chains that read one topic may have services of the same name. */
    private record Part(String chain, int instance, String service, String topic) {}

    /** Failures of one part and its input topic. */
    static final class Failures {
        final AtomicLong retries = new AtomicLong();
        final AtomicLong deadLetters = new AtomicLong();
    }

    /** Back-pressure of one part and its output topic. Thread-safe. */
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

        /** Ends a pause of a part that has left, as no event ends it. */
        private synchronized void endUntold() {
            if (sinceNanos != NONE) {
                end(System.nanoTime() - sinceNanos);
            }
        }

        synchronized long times() {
            return times;
        }

        /** {@return the time of all pauses} The present pause counts up to now. */
        synchronized long nanos() {
            return endedNanos + (sinceNanos == NONE ? 0 : System.nanoTime() - sinceNanos);
        }
    }

    private final Map<Part, Failures> failures = new ConcurrentHashMap<>();
    private final Map<Part, Pressure> pressures = new ConcurrentHashMap<>();

    /** Creates the listener of a deployment. */
    Watch watch() {
        return new Watch();
    }

    /** {@return whether the events of a part arrive here} */
    boolean isWatched(String chain, int instance, String service, String input) {
        return failures.containsKey(new Part(chain, instance, service, input));
    }

    Failures failures(String chain, int instance, String service, String input) {
        return failures.computeIfAbsent(new Part(chain, instance, service, input), part -> new Failures());
    }

    Pressure pressure(String chain, int instance, String service, String output) {
        return pressures.computeIfAbsent(new Part(chain, instance, service, output), part -> new Pressure());
    }

    /** The listener of one deployment, whose parts name its chain when they are opened. Thread-safe. */
    final class Watch implements ChainListener {
        private volatile String chain; // null before the first part is opened
        private volatile int instance;

        /** Registers a part that was opened and whose events arrive here. */
        void opened(ServiceContext context) {
            of(context.chain(), context.instance());
            failures(chain, instance, context.service(), context.input());
            pressures.forEach((part, pressure) -> {
                if (part.chain().equals(chain)
                        && part.instance() == instance
                        && part.service().equals(context.service())
                        && PartitionTopic.partition(part.topic()) == context.partition()) {
                    pressure.endUntold();
                }
            });
        }

        void of(String name, int number) {
            instance = number;
            chain = name;
        }

        @Override
        public void onRetry(String service, String topic, long sequence, int attempts, Throwable thrown) {
            if (chain != null) {
                failures(chain, instance, service, topic).retries.incrementAndGet();
            }
        }

        @Override
        public void onDeadLetter(String service, String topic, long sequence, int attempts, Throwable thrown) {
            if (chain != null) {
                failures(chain, instance, service, topic).deadLetters.incrementAndGet();
            }
        }

        @Override
        public void onBackPressure(String service, String topic) {
            if (chain != null) {
                pressure(chain, instance, service, topic).begin();
            }
        }

        @Override
        public void onBackPressureEnded(String service, String topic, long nanos) {
            if (chain != null) {
                pressure(chain, instance, service, topic).end(nanos);
            }
        }
    }
}
