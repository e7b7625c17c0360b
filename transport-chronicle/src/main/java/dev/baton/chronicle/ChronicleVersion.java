package dev.baton.chronicle;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import net.openhft.chronicle.queue.ChronicleQueue;

/** The version of Chronicle Queue on the class path, read from its jar. Loads none of its static state. Stateless. */
final class ChronicleVersion {
    private static final String POM = "/META-INF/maven/net.openhft/chronicle-queue/pom.properties";

    private ChronicleVersion() {}

    /** Such as {@code 2026.4}; {@code unknown} where a build has dropped it. */
    static String text() {
        String packaged = ChronicleQueue.class.getPackage().getImplementationVersion();
        if (packaged != null) {
            return packaged;
        }
        try (InputStream in = ChronicleQueue.class.getResourceAsStream(POM)) {
            Properties pom = new Properties();
            if (in != null) {
                pom.load(in);
            }
            return pom.getProperty("version", "unknown");
        } catch (IOException unreadable) {
            return "unknown";
        }
    }
}
