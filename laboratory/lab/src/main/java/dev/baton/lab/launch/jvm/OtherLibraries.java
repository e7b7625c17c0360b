package dev.baton.lab.launch.jvm;

import dev.baton.operations.line.CommandException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;

/**
 * Jars of libraries that stand in front of the laboratory's class path, so that a trial runs with another version.
 * Immutable, thread-safe.
 *
 * @param jars by the name of the library that was typed, in alphabetical order
 */
public record OtherLibraries(Map<String, List<Path>> jars) {
    /** The libraries of the laboratory's own jar. */
    public static final OtherLibraries NONE = new OtherLibraries(Map.of());

    /** The system property that names the versions to the trial. */
    private static final String PROPERTY = "baton.libraries";

    private static final String OWN = "own";
    private static final String FORM = "; NAME=JAR[:JAR...] is allowed, several sets separated by commas, and 'own' for"
            + " the version of the laboratory's own jar, such as kafka=own,/lib/kafka-clients-4.4.0.jar";

    public OtherLibraries {
        jars = Collections.unmodifiableMap(new TreeMap<>(jars));
    }

    /**
     * Reads the values of {@code --library}.
     *
     * @param typed one text for each library, with one or more sets of jars
     * @return every combination, at least one
     * @throws CommandException if a text has another form, or names something that is not a jar
     */
    public static List<OtherLibraries> combinations(List<String> typed) {
        List<OtherLibraries> all = List.of(NONE);
        for (String text : typed) {
            int end = text.indexOf('=');
            if (!text.matches("[A-Za-z][A-Za-z0-9.-]*=.+")) {
                throw CommandException.usage("--library '" + text + "'" + FORM);
            }
            String name = text.substring(0, end);
            List<OtherLibraries> further = new ArrayList<>();
            for (OtherLibraries before : all) {
                if (before.jars.containsKey(name)) {
                    throw CommandException.usage("--library " + name + " was given twice" + FORM);
                }
                for (String set : text.substring(end + 1).split(",")) {
                    further.add(before.with(name, set.trim()));
                }
            }
            all = further;
        }
        return all;
    }

    private OtherLibraries with(String name, String set) {
        Map<String, List<Path>> more = new TreeMap<>(jars);
        List<Path> paths = new ArrayList<>();
        if (!set.equals(OWN)) {
            for (String each : set.split(File.pathSeparator)) {
                paths.add(checked(name, each));
            }
        }
        more.put(name, List.copyOf(paths));
        return new OtherLibraries(more);
    }

    private static Path checked(String name, String text) {
        Path path = Path.of(text);
        if (!Files.isRegularFile(path) || !isJar(path)) {
            throw CommandException.usage("--library " + name + ": " + text + " is not a jar" + FORM);
        }
        return path.toAbsolutePath().normalize();
    }

    private static boolean isJar(Path path) {
        try (JarFile jar = new JarFile(path.toFile())) {
            return jar.size() > 0;
        } catch (IOException other) {
            return false;
        }
    }

    /** Returns the class path of a trial. */
    String classPath(String own) {
        String front = jars.values().stream()
                .flatMap(List::stream)
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
        return front.isEmpty() ? own : front + File.pathSeparator + own;
    }

    /** Returns the flags that tell a trial which versions it runs with. */
    List<String> flags() {
        Map<String, String> versions = new TreeMap<>();
        jars.forEach((name, paths) -> paths.stream().limit(1).forEach(first -> versions.put(name, version(first))));
        return versions.isEmpty()
                ? List.of()
                : List.of("-D" + PROPERTY + "="
                        + versions.entrySet().stream()
                                .map(each -> each.getKey() + "=" + each.getValue())
                                .collect(Collectors.joining(";")));
    }

    /** Returns the libraries and their versions, for people; empty for the laboratory's own. */
    public String label() {
        return jars.entrySet().stream()
                .map(each -> each.getKey() + " "
                        + (each.getValue().isEmpty()
                                ? OWN
                                : version(each.getValue().get(0))))
                .collect(Collectors.joining(" "));
    }

    /** Returns the version in the file's name, or else the one that the jar states, or else the file's name. */
    private static String version(Path path) {
        String file = path.getFileName().toString();
        String named = file.replaceAll("^.*?-(\\d[\\w.+-]*)\\.jar$", "$1");
        if (!named.equals(file)) {
            return named;
        }
        try (JarFile jar = new JarFile(path.toFile())) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                if (entry.getName().matches("META-INF/maven/[^/]+/[^/]+/pom.properties")) {
                    return ofProperties(jar, entry);
                }
            }
            String stated = jar.getManifest() == null
                    ? null
                    : jar.getManifest().getMainAttributes().getValue("Implementation-Version");
            return stated == null ? file : stated;
        } catch (IOException unreadable) {
            throw CommandException.environment(path + " cannot be read: " + unreadable.getMessage());
        }
    }

    private static String ofProperties(JarFile jar, JarEntry entry) throws IOException {
        Properties properties = new Properties();
        try (InputStream in = jar.getInputStream(entry)) {
            properties.load(in);
        }
        return properties.getProperty("version", "unknown");
    }
}
