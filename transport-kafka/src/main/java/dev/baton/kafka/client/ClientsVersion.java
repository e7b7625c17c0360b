package dev.baton.kafka.client;

import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The check that the kafka-clients on the class path are of a version that Baton works with: application frameworks
 * replace it by theirs. Reads a file of the library, and loads none of its classes. Stateless.
 */
public final class ClientsVersion {
    /** Built and tested with this version. */
    static final String BUILT_WITH = "4.4.0";

    /** The oldest version over which a chain runs. 4.0 fails to load a class, 3.9 lacks some. */
    private static final int[] OLDEST = {4, 1};

    private static final String FILE = "/kafka/kafka-version.properties";
    private static final Pattern VERSION = Pattern.compile("(\\d{1,9})\\.(\\d{1,9}).*");

    private ClientsVersion() {}

    /**
     * Throws unless the kafka-clients on the class path can be used.
     *
     * @throws TransportException that names both versions and the remedy
     */
    public static void check() {
        check(found());
    }

    /** Throws unless this version can be used; null stands for an unknown one, which passes. */
    static void check(String found) {
        Matcher version = VERSION.matcher(found == null ? "" : found);
        if (version.matches() && !isUsable(Integer.parseInt(version.group(1)), Integer.parseInt(version.group(2)))) {
            throw new TransportException("kafka-clients " + found + " is on the class path, and baton-kafka needs "
                    + OLDEST[0] + "." + OLDEST[1] + " or a later " + OLDEST[0] + ".x (built with " + BUILT_WITH
                    + "): a framework's version management has replaced it; import dev.baton:baton-bom before the"
                    + " framework's BOM, or set its property (Spring Boot: kafka.version=" + BUILT_WITH + ")");
        }
    }

    private static boolean isUsable(int major, int minor) {
        return major == OLDEST[0] && minor >= OLDEST[1];
    }

    /** Returns the version of the kafka-clients on the class path; null if it is not known. */
    public static String found() {
        try (InputStream file = ClientsVersion.class.getResourceAsStream(FILE)) {
            if (file == null) {
                return null;
            }
            Properties properties = new Properties();
            properties.load(file);
            return properties.getProperty("version");
        } catch (IOException | IllegalArgumentException unreadable) {
            return null;
        }
    }
}
