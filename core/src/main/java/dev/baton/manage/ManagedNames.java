package dev.baton.manage;

import java.lang.management.ManagementFactory;
import java.util.Hashtable;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** Registers the MBeans of this package with the platform MBean server, and removes them. Stateless, thread-safe. */
final class ManagedNames {
    private ManagedNames() {}

    /**
     * Returns a name in JMX.
     *
     * @param instance instance number; null for none
     */
    static ObjectName name(String type, String name, String instance) {
        Hashtable<String, String> keys = new Hashtable<>(); // type required by ObjectName
        keys.put("type", type);
        keys.put("name", name);
        if (instance != null) {
            keys.put("instance", instance);
        }
        try {
            return new ObjectName("dev.baton", keys);
        } catch (JMException refused) {
            throw new IllegalStateException(
                    "cannot register '" + name + "' with JMX: " + refused.getMessage(), refused);
        }
    }

    static void register(Object shown, ObjectName name) {
        try {
            ManagementFactory.getPlatformMBeanServer().registerMBean(shown, name);
        } catch (JMException refused) {
            throw new IllegalStateException("cannot register " + name + " with JMX: " + refused.getMessage(), refused);
        }
    }

    static void unregister(ObjectName name) {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        try {
            if (server.isRegistered(name)) {
                server.unregisterMBean(name);
            }
        } catch (JMException gone) {
            // registered concurrently
        }
    }
}
