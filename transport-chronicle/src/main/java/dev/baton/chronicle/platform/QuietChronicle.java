package dev.baton.chronicle.platform;

import java.util.Map;

/**
 * The system properties that keep Chronicle to itself: it reports nothing, announces nothing, watches no disk and
 * starts no thread. Chronicle reads them once, when its classes load; what a user has set is left alone. Stateless.
 */
public final class QuietChronicle {
    private static final Map<String, String> PROPERTIES = Map.of(
            "chronicle.analytics.disable", "true",
            "chronicle.announcer.disable", "true",
            "chronicle.disk.monitor.disable", "true",
            "disable.perf.info", "true",
            // read by slf4j-simple alone; any other binding has its own configuration
            "org.slf4j.simpleLogger.log.net.openhft", "warn",
            // unmap and close on the thread that lets go, not on a daemon thread that outlives the transport
            "background.releaser", "false",
            // where JNA, loaded for the sake of pinning threads, unpacks itself: not below the home directory
            "jna.tmpdir", System.getProperty("java.io.tmpdir"));

    private QuietChronicle() {}

    /** Sets those that are not set. To be called before anything touches a class of Chronicle's. */
    public static void apply() {
        PROPERTIES.forEach((name, value) -> {
            if (System.getProperty(name) == null) {
                System.setProperty(name, value);
            }
        });
    }
}
