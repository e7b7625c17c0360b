package dev.baton.measuring.machine;

import dev.baton.measuring.data.Disturbance;
import dev.baton.measuring.data.Disturbance.Kind;
import dev.baton.measuring.data.HostActivity.Cause;
import dev.baton.measuring.machine.Evidence.Stop;
import java.util.Locale;

/** What the instruments saw, as disturbances of a trial. Stateless, thread-safe. */
final class Disturbances {
    private static final double NANOS_PER_MICRO = 1_000;

    private Disturbances() {}

    /** A stop of the JVM. @param fromNanos the moment that disturbances count from */
    static Disturbance ofStop(Stop stop, long fromNanos) {
        return new Disturbance(
                stop.collectionNanos() > 0 ? Kind.GC : Kind.SAFEPOINT,
                stop.startNanos() - fromNanos,
                stop.nanos(),
                String.format(
                        Locale.ROOT, "%s, %.1f us to reach", stop.operation(), stop.reachingNanos() / NANOS_PER_MICRO));
    }

    /** A stall of the machine that no stop of the JVM covers. */
    static Disturbance ofStall(Cause cause, long startNanos, long nanos) {
        return new Disturbance(
                cause.isForeign() ? Kind.HOST : Kind.BUSY,
                startNanos,
                nanos,
                switch (cause) {
                    case OTHER_PROCESSES -> "other processes had the cores";
                    case BUSY -> "all cores busy with the trial itself";
                    case HOST, JVM -> "nobody here had the cores";
                });
    }
}
