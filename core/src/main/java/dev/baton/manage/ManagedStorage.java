package dev.baton.manage;

import java.util.Optional;
import javax.management.ObjectName;

/**
 * Shows to JMX how fast topics fill their disk, under {@code dev.baton:type=Storage,name=NAME} until it is closed. Nothing
 * listens on a network because of it. Thread-safe.
 */
public final class ManagedStorage implements StorageMXBean, AutoCloseable {
    private static final long UNKNOWN = -1;

    private final StorageWatch watch;
    private final ObjectName name;

    private ManagedStorage(StorageWatch watch) {
        this.watch = watch;
        this.name = ManagedNames.name("Storage", watch.name(), null);
    }

    /**
     * Registers a watch.
     *
     * @param watch asked when a monitor reads
     * @return what shows it, to be closed in front of the transport
     * @throws IllegalStateException when a watch of this name is registered in this JVM already
     */
    public static ManagedStorage register(StorageWatch watch) {
        ManagedStorage managed = new ManagedStorage(watch);
        ManagedNames.register(managed, managed.name);
        return managed;
    }

    /** {@return the name under which it is registered} */
    public String name() {
        return name.toString();
    }

    @Override
    public long getBytes() {
        return watch.growth().map(StorageGrowth::bytes).orElse(UNKNOWN);
    }

    @Override
    public long getFreeBytes() {
        return watch.growth().map(StorageGrowth::freeBytes).orElse(UNKNOWN);
    }

    @Override
    public boolean isGrowthKnown() {
        return bytesPerHour().isPresent();
    }

    @Override
    public long getBytesPerHour() {
        return bytesPerHour().orElse(0L);
    }

    private Optional<Long> bytesPerHour() {
        return watch.growth().map(StorageGrowth::bytesPerHour);
    }

    @Override
    public long getSecondsUntilFull() {
        return watch.growth().map(StorageGrowth::secondsUntilFull).orElse(UNKNOWN);
    }

    /** Takes it away from JMX. Idempotent. */
    @Override
    public void close() {
        ManagedNames.unregister(name);
    }
}
