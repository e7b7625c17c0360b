package dev.baton.manage;

/**
 * The disk of a transport's topics as a monitor sees it. A reading takes a sample when the last one is 30 seconds old; growth is
 * known after a minute, and is that of the last hour at most. Thread-safe.
 */
public interface StorageMXBean {
    /** {@return the bytes that all topics take, without holes, with what is reserved for them; -1 for unknown} */
    long getBytes();

    /** {@return the bytes that writers may still take; -1 for unknown} */
    long getFreeBytes();

    /** {@return whether the growth is known} */
    boolean isGrowthKnown();

    /** {@return the bytes by which the topics grow in an hour, negative where they shrink; 0 while that is not known} */
    long getBytesPerHour();

    /**
     * {@return the seconds until the disk is full, at that rate or at that at which the file system loses space, if that is
     * faster; -1 when neither happens, or it is not known}
     */
    long getSecondsUntilFull();
}
