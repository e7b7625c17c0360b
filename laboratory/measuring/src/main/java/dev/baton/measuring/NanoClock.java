package dev.baton.measuring;

/** The clock of a measurement, an interface so that tests can advance it. Thread-safe. */
@FunctionalInterface
public interface NanoClock {
    /** The clock of this JVM. */
    NanoClock SYSTEM = System::nanoTime;

    /** Nanoseconds since an arbitrary moment; compare by difference. */
    long nanoTime();
}
