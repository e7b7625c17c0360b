package dev.baton.manage;

import dev.baton.manage.StorageWatch.StorageGrowth;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.management.ObjectName;

/**
 * The disk usage of topics, registered in JMX as {@code dev.baton:type=Storage,name=NAME} until this object is closed. It opens
 * no network port. Thread-safe.
 */
public final class ManagedStorage implements StorageMXBean, AutoCloseable {
    private static final long UNKNOWN = -1;

    private final StorageWatch watch;
    private final ObjectName name;
    private final AtomicBoolean isClosed = new AtomicBoolean(); // another registration may use the name after the close

    private ManagedStorage(StorageWatch watch) {
        this.watch = watch;
        this.name = ManagedNames.name("Storage", watch.name(), null);
    }

    /**
     * Registers a watch.
     *
     * @param watch watch, which is queried when a monitor reads
     * @return the registration, to be closed before the transport
     * @throws IllegalStateException when a watch of this name is registered in this JVM already
     */
    public static ManagedStorage register(StorageWatch watch) {
        ManagedStorage managed = new ManagedStorage(watch);
        ManagedNames.register(
                managed,
                managed.name,
                "another watch of this JVM has the name; give this one another with StorageWatch.of(name, storage), or"
                        + " first close the other registration");
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

    /** Removes it from JMX. Idempotent. */
    @Override
    public void close() {
        if (!isClosed.getAndSet(true)) {
            ManagedNames.unregister(name);
        }
    }
}
