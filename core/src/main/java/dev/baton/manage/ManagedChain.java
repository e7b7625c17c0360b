package dev.baton.manage;

import dev.baton.ChainStatus;
import dev.baton.HeldBack;
import dev.baton.RunningChain;
import dev.baton.RunningPartitions;
import dev.baton.SupervisedChain;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.management.ObjectName;

/**
 * A running chain that is registered in JMX as {@code dev.baton:type=Chain,name=NAME,instance=N} until this object is closed.
 * It opens no network port: the JVM's own flags decide about that. Thread-safe.
 */
public final class ManagedChain implements ChainMXBean, AutoCloseable {
    /** A monitor reads one attribute after the other: they are of one answer of the loops then. */
    private static final Duration MAX_AGE = Duration.ofMillis(500);

    private final Supplier<ChainStatus> status;
    private final Supplier<Optional<Throwable>> failure;
    private final ObjectName name;

    private ManagedChain(Supplier<ChainStatus> status, Supplier<Optional<Throwable>> failure, ObjectName name) {
        this.status = status;
        this.failure = failure;
        this.name = name;
    }

    /**
     * Registers a chain.
     *
     * @param running chain that this process started
     * @param instance instance number of its deployment
     * @return the registration, to be closed with the chain
     * @throws IllegalStateException when a chain of this name and instance is registered in this JVM already
     */
    public static ManagedChain register(RunningChain running, int instance) {
        return register(() -> running.status(MAX_AGE), running::failure, instance);
    }

    /**
     * Registers a chain that is opened again when it fails. It stays registered while it restarts.
     *
     * @param supervised chain that this process started
     * @param instance instance number of its deployment
     * @return the registration, to be closed with the chain
     * @throws IllegalStateException when a chain of this name and instance is registered in this JVM already
     */
    public static ManagedChain register(SupervisedChain supervised, int instance) {
        return register(() -> supervised.status(MAX_AGE), supervised::lastFailure, instance);
    }

    /**
     * Registers all partitions of a chain that run here under one name; the topics of a part name its partition.
     *
     * @param running partitions that this process started
     * @param instance instance number of their deployment
     * @return the registration, to be closed with the partitions
     * @throws IllegalStateException when a chain of this name and instance is registered in this JVM already
     */
    public static ManagedChain register(RunningPartitions running, int instance) {
        return register(() -> running.status(MAX_AGE), running::failure, instance);
    }

    private static ManagedChain register(
            Supplier<ChainStatus> status, Supplier<Optional<Throwable>> failure, int instance) {
        ObjectName name = ManagedNames.name("Chain", status.get().chain(), Integer.toString(instance));
        ManagedChain managed = new ManagedChain(status, failure, name);
        ManagedNames.register(managed, name);
        return managed;
    }

    /** {@return the name under which the chain is registered} */
    public String name() {
        return name.toString();
    }

    @Override
    public String getChain() {
        return status.get().chain();
    }

    @Override
    public String getPhase() {
        return status.get().phase().name();
    }

    @Override
    public String getLastError() {
        return failure.get().map(Throwable::toString).orElse("");
    }

    @Override
    public long getBacklog() {
        return status.get().backlog();
    }

    @Override
    public boolean isAnswering() {
        return status.get().isComplete();
    }

    @Override
    public String getBlocked() {
        return status.get().blocked().orElse("");
    }

    @Override
    public long getBlockedMillis() {
        return status.get().blockedFor().toMillis();
    }

    @Override
    public boolean isHealthy() {
        return status.get().health().isHealthy();
    }

    @Override
    public String getReason() {
        return status.get().health().reason().orElse("");
    }

    @Override
    public int getRestarts() {
        return status.get().restarts();
    }

    @Override
    public List<String> getHeldBack() {
        return status.get().heldBack().stream().map(HeldBack::toString).toList();
    }

    @Override
    public List<ManagedPart> getParts() {
        return status.get().parts().stream().map(ManagedPart::new).toList();
    }

    /** Removes the chain from JMX; the chain itself continues. Idempotent. */
    @Override
    public void close() {
        ManagedNames.unregister(name);
    }
}
