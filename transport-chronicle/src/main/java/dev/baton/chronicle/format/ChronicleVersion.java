package dev.baton.chronicle.format;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import net.openhft.chronicle.queue.ChronicleQueue;

/** The version of Chronicle Queue on the class path, read from its jar. Loads none of its static state. Stateless. */
public final class ChronicleVersion {
    private static final String POM = "/META-INF/maven/net.openhft/chronicle-queue/pom.properties";

    private ChronicleVersion() {}

    /** {@return the version, such as {@code 2026.4}; {@code unknown} where a build has dropped it} */
    public static String text() {
        try (InputStream in = ChronicleQueue.class.getResourceAsStream(POM)) {
            Properties pom = new Properties();
            if (in != null) {
                pom.load(in);
            }
            return pom.getProperty("version", packaged());
        } catch (IOException unreadable) {
            return packaged();
        }
    }

    /** What the manifest says, which in a jar of many libraries is the version of something else. */
    private static String packaged() {
        String version = ChronicleQueue.class.getPackage().getImplementationVersion();
        return version == null ? "unknown" : version;
    }
}
