package dev.baton.manage;

/**
 * The disk usage of a transport's topics for JMX. A reading takes a sample if the last one is 30 seconds old. Growth is known
 * after a minute, and is measured over the last hour at most. Thread-safe.
 */
public interface StorageMXBean {
    /** {@return the disk space of all topics in bytes, without holes and with reserved space; -1 for unknown} */
    long getBytes();

    /** {@return the disk space that writers may still use, in bytes; -1 for unknown} */
    long getFreeBytes();

    /** {@return whether the growth is known} */
    boolean isGrowthKnown();

    /** {@return the growth of the topics in bytes per hour, negative if they shrink; 0 while it is not known} */
    long getBytesPerHour();

    /**
     * {@return the seconds until the disk is full, at the rate at which the topics grow or the file system loses space,
     * whichever is faster; -1 if neither happens or it is not known}
     */
    long getSecondsUntilFull();
}
