package dev.baton.measuring.machine;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * Versions of the libraries that this laboratory was built with, as the build wrote them down: an executable jar has one
 * manifest for all. What a transport of others runs with is among its facts.
 */
final class Libraries {
    private static final String FILE = "libraries.properties";

    private Libraries() {}

    /** By name. */
    static Map<String, String> versions() {
        Properties properties = new Properties();
        try (InputStream in = Libraries.class.getResourceAsStream(FILE)) {
            if (in != null) {
                properties.load(in);
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(FILE + " in the laboratory's own jar cannot be read", unreadable);
        }
        Map<String, String> versions = new TreeMap<>();
        properties.stringPropertyNames().forEach(name -> versions.put(name, properties.getProperty(name)));
        return versions;
    }
}
