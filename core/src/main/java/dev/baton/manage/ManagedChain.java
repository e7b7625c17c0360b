package dev.baton.manage;

import dev.baton.ChainStatus;
import dev.baton.RunningChain;
import java.lang.management.ManagementFactory;
import java.util.Hashtable;
import java.util.List;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Shows a running chain to JMX under {@code dev.baton:type=Chain,name=NAME,instance=N} until it is closed. Nothing
 * listens on a network because of it: that is for the JVM's own flags to say. Thread-safe.
 */
public final class ManagedChain implements ChainMXBean, AutoCloseable {
    private final RunningChain running;
    private final MBeanServer server;
    private final ObjectName name;

    private ManagedChain(RunningChain running, MBeanServer server, ObjectName name) {
        this.running = running;
        this.server = server;
        this.name = name;
    }

    /**
     * Registers a chain.
     *
     * @param instance as it was deployed
     * @throws IllegalStateException when a chain of this name and instance is registered in this JVM already
     */
    public static ManagedChain register(RunningChain running, int instance) {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        Hashtable<String, String> keys = new Hashtable<>(); // what ObjectName takes
        keys.put("type", "Chain");
        keys.put("name", running.status().chain());
        keys.put("instance", Integer.toString(instance));
        try {
            ManagedChain managed = new ManagedChain(running, server, new ObjectName("dev.baton", keys));
            server.registerMBean(managed, managed.name);
            return managed;
        } catch (JMException refused) {
            throw new IllegalStateException("cannot show the chain to JMX: " + refused.getMessage(), refused);
        }
    }

    /** Under which it is registered. */
    public String name() {
        return name.toString();
    }

    @Override
    public String getChain() {
        return running.status().chain();
    }

    @Override
    public String getPhase() {
        return running.status().phase().name();
    }

    @Override
    public String getLastError() {
        return running.failure().map(Throwable::toString).orElse("");
    }

    @Override
    public long getBacklog() {
        return running.status().backlog();
    }

    @Override
    public boolean isAnswering() {
        return running.status().isComplete();
    }

    @Override
    public List<ManagedPart> getParts() {
        ChainStatus status = running.status();
        return status.parts().stream().map(ManagedPart::new).toList();
    }

    /** Takes it away from JMX; the chain itself goes on. Idempotent. */
    @Override
    public void close() {
        try {
            if (server.isRegistered(name)) {
                server.unregisterMBean(name);
            }
        } catch (JMException gone) {
            // by somebody else in between
        }
    }
}
