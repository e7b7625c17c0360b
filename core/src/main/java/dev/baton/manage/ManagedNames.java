package dev.baton.manage;

import java.lang.management.ManagementFactory;
import java.util.Hashtable;
import javax.management.InstanceAlreadyExistsException;
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

    /**
     * Registers an MBean.
     *
     * @param clash text for the case that the name is taken: by what, and what to do
     */
    static void register(Object shown, ObjectName name, String clash) {
        try {
            ManagementFactory.getPlatformMBeanServer().registerMBean(shown, name);
        } catch (InstanceAlreadyExistsException taken) {
            throw new IllegalStateException("cannot register " + name + " with JMX: " + clash, taken);
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
