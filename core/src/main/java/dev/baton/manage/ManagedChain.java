package dev.baton.manage;

import dev.baton.RunningChain;
import dev.baton.manage.ChainMXBean.ManagedPart;
import dev.baton.status.ChainStatus;
import dev.baton.status.ChainStatus.BlockedPart;
import dev.baton.status.ChainStatus.HeldBack;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.management.ObjectName;

/**
 * A running chain that is registered in JMX as {@code dev.baton:type=Chain,name=NAME,instance=N} until this object is
 * closed. It opens no network port; the flags of the JVM do. Thread-safe.
 */
public final class ManagedChain implements ChainMXBean, AutoCloseable {
    /** The maximum age of a cached status, so that attributes that a monitor reads one after another are of one query. */
    private static final Duration MAX_AGE = Duration.ofMillis(500);

    private final RunningChain running;
    private final ObjectName name;
    private final AtomicBoolean isClosed = new AtomicBoolean(); // another registration may use the name after the close

    private ManagedChain(RunningChain running, ObjectName name) {
        this.running = running;
        this.name = name;
    }

    private ChainStatus status() {
        return running.status(MAX_AGE);
    }

    /**
     * Registers a chain. It remains registered while it restarts. All partitions that run here have one name; the topics of
     * a part name its partition.
     *
     * @param running chain that this process started
     * @param instance instance number of its deployment; another number for a tap with the consumer name of another one
     * @return the registration, to be closed with the chain
     * @throws IllegalStateException when a chain of this name and instance is registered in this JVM already
     */
    public static ManagedChain register(RunningChain running, int instance) {
        ObjectName name = ManagedNames.name("Chain", running.status().chain().name(), Integer.toString(instance));
        ManagedChain managed = new ManagedChain(running, name);
        ManagedNames.register(
                managed,
                name,
                "another chain of this JVM has the name; register this one with another instance number, or give it"
                        + " another name, which for a tap is its consumer name; or first close the other registration");
        return managed;
    }

    /** {@return the name under which the chain is registered} */
    public String name() {
        return name.toString();
    }

    @Override
    public String getChain() {
        return status().chain().name();
    }

    @Override
    public String getPhase() {
        return status().phase().name();
    }

    @Override
    public String getLastError() {
        return running.lastFailure().map(Throwable::toString).orElse("");
    }

    @Override
    public long getBacklog() {
        return status().backlog();
    }

    @Override
    public boolean isAnswering() {
        return status().isComplete();
    }

    @Override
    public String getBlocked() {
        return status().blocked().map(BlockedPart::name).orElse("");
    }

    @Override
    public long getBlockedMillis() {
        return status().blocked().map(each -> each.duration().toMillis()).orElse(0L);
    }

    @Override
    public boolean isHealthy() {
        return status().health().isHealthy();
    }

    @Override
    public String getReason() {
        return status().health().reason().orElse("");
    }

    @Override
    public int getRestarts() {
        return status().restarts();
    }

    @Override
    public List<String> getHeldBack() {
        return status().heldBack().stream().map(HeldBack::toString).toList();
    }

    @Override
    public List<ManagedPart> getParts() {
        return status().parts().stream().map(ManagedPart::new).toList();
    }

    /** Removes the chain from JMX; the chain itself continues. Idempotent. */
    @Override
    public void close() {
        if (!isClosed.getAndSet(true)) {
            ManagedNames.unregister(name);
        }
    }
}
