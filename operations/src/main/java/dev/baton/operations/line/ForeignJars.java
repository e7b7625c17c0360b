package dev.baton.operations.line;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/** Foreign jars on the class path: finds their providers, and describes the faults of a jar. Stateless, thread-safe. */
public final class ForeignJars {
    private static final String REMEDY =
            "; the jar of a transport, a chain or a system and all jars that it depends on go into BATON_CLASSPATH,"
                    + " and META-INF/services in it names classes that it holds";

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,63}");

    private ForeignJars() {}

    /**
     * Adds jars to the class path of a JVM that was started without them, as {@code java -jar} does, which reads no class path
     * but the jar's. This thread and those that it starts find their classes from then on, and so do JVMs that are started
     * with the property {@code java.class.path}.
     *
     * @param named as in BATON_CLASSPATH: jars, directories and {@code directory/*}, separated by ':'; null for none
     * @throws CommandException when an entry does not exist
     */
    static void addToClassPath(String named) {
        String own = System.getProperty("java.class.path");
        List<String> present = List.of(own.split(File.pathSeparator));
        List<String> added = Stream.of(named == null ? new String[0] : named.split(File.pathSeparator))
                .filter(entry -> !entry.isEmpty())
                .flatMap(entry -> expanded(entry).stream())
                .filter(entry -> !present.contains(entry))
                .distinct()
                .toList();
        if (added.isEmpty()) {
            return;
        }
        URL[] urls = added.stream().map(ForeignJars::url).toArray(URL[]::new);
        Thread.currentThread()
                .setContextClassLoader(
                        new URLClassLoader("baton-class-path", urls, ForeignJars.class.getClassLoader()));
        System.setProperty("java.class.path", own + File.pathSeparator + String.join(File.pathSeparator, added));
    }

    /** Expands an entry as the launcher does: an asterisk after a directory's name stands for all of its jars. */
    private static List<String> expanded(String entry) {
        boolean isWild = entry.equals("*") || entry.endsWith(File.separator + "*");
        File file = new File(isWild ? entry.substring(0, entry.length() - 1) : entry);
        File place = isWild && file.getPath().isEmpty() ? new File(".") : file;
        if (isWild ? !place.isDirectory() : !place.exists()) {
            throw CommandException.environment("BATON_CLASSPATH names " + entry + ", which does not exist");
        }
        if (!isWild) {
            return List.of(entry);
        }
        File[] jars = place.listFiles((directory, name) -> name.endsWith(".jar") || name.endsWith(".JAR"));
        return Stream.of(jars == null ? new File[0] : jars)
                .map(File::getPath)
                .sorted()
                .toList();
    }

    private static URL url(String entry) {
        try {
            return new File(entry).toURI().toURL();
        } catch (MalformedURLException impossible) {
            throw CommandException.environment(
                    "BATON_CLASSPATH names " + entry + ": " + impossible.getMessage(), impossible);
        }
    }

    /**
     * Loads all providers of a type from the jars of the class path.
     *
     * @param kind noun for error texts, such as {@code a transport}
     * @param name returns a provider's name, which must be present, and calls the other methods that commands show
     * @throws CommandException when a named provider cannot be loaded, fails when it is asked, or has no name
     */
    public static <P> List<P> providers(Class<P> type, String kind, Function<P, String> name) {
        List<P> found = new ArrayList<>();
        P asked = null;
        try {
            for (P provider : ServiceLoader.load(type)) {
                asked = provider;
                String typed = name.apply(provider);
                if (typed == null || typed.isBlank()) {
                    throw CommandException.environment(
                            describe(provider) + " is " + kind + " without a name; remove it");
                }
                asked = null;
                found.add(provider);
            }
        } catch (CommandException ours) {
            throw ours;
        } catch (ServiceConfigurationError | LinkageError broken) {
            throw CommandException.environment(complaint(kind, broken), broken);
        } catch (RuntimeException | Error thrown) {
            throw CommandException.environment(
                    (asked == null ? kind : describe(asked)) + " failed while its description was read: " + thrown,
                    thrown);
        }
        return found;
    }

    /**
     * Sorts providers by name.
     *
     * @param kind noun for error texts, such as {@code transport}
     * @param taken a reserved name; null for none
     * @throws CommandException when two have the same name, or a name cannot be written on a command line
     */
    public static <P> SortedMap<String, P> byName(
            String kind, List<P> providers, Function<P, String> nameOf, String taken) {
        SortedMap<String, P> byName = new TreeMap<>();
        for (P provider : providers) {
            String name = nameOf.apply(provider);
            if (!NAME.matcher(name).matches() || name.equals(taken)) {
                throw CommandException.environment("the " + kind + " '" + name + "' of " + describe(provider)
                        + " has an invalid name: lower-case letters, digits and hyphens are allowed, 64 at"
                        + " most" + (taken == null ? "" : ", and not " + taken));
            }
        }
        for (P provider : providers) {
            P other = byName.putIfAbsent(nameOf.apply(provider), provider);
            if (other != null) {
                throw twice(kind, nameOf.apply(provider), describe(other), provider);
            }
        }
        return byName;
    }

    /** The error for a provider whose name another provider has. */
    public static CommandException twice(String kind, String name, String other, Object provider) {
        return CommandException.environment("two " + kind + "s are called '" + name + "': " + other + " and "
                + describe(provider) + "; remove one of them from the class path (BATON_CLASSPATH)");
    }

    /**
     * Refuses a jar that a JVM passes over in silence: one that does not exist or cannot be read, and a file that is not a jar.
     *
     * @param classPath as the property {@code java.class.path} has it
     * @throws CommandException for the first one
     */
    static void requireReadable(String classPath) {
        for (String entry : classPath.split(File.pathSeparator)) {
            File file = new File(entry);
            if (file.isFile() || entry.endsWith(".jar") && !file.isDirectory()) {
                try {
                    new ZipFile(file).close();
                } catch (IOException unreadable) {
                    throw CommandException.environment(
                            entry + " is not a jar that can be read: "
                                    + (file.exists() ? unreadable.getMessage() : "it does not exist")
                                    + "; remove it from the class path (BATON_CLASSPATH)",
                            unreadable);
                }
            }
        }
    }

    /**
     * Refuses a provider whose class is in several jars, of which the JVM would silently load the first.
     *
     * @throws CommandException that names the jars
     */
    public static void requireOnce(Object provider) {
        String file = provider.getClass().getName().replace('.', '/') + ".class";
        try {
            List<String> places = Collections.list(
                            provider.getClass().getClassLoader().getResources(file))
                    .stream()
                    .map(url -> url.getPath()
                            .replaceFirst("^file:", "")
                            .replaceFirst("!?/" + Pattern.quote(file) + "$", ""))
                    .distinct()
                    .toList();
            if (places.size() > 1) {
                throw CommandException.environment(provider.getClass().getName() + " is in "
                        + String.join(" and in ", places) + "; remove all but one from BATON_CLASSPATH");
            }
        } catch (IOException unreadable) {
            throw CommandException.environment(
                    "the jars of BATON_CLASSPATH cannot be read: " + unreadable.getMessage(), unreadable);
        }
    }

    /** Describes a class that is missing or does not fit, for the user of the command line. */
    public static String complaint(Error broken) {
        return complaint("a provider", broken);
    }

    private static String complaint(String kind, Error broken) {
        Throwable cause = broken;
        while (cause.getCause() != null && !(cause instanceof NoClassDefFoundError)) {
            cause = cause.getCause();
        }
        if (cause instanceof InvalidPathException path && UnreadableName.complaint(path) != null) {
            return UnreadableName.complaint(path); // met by a class as it was initialized
        }
        String missing =
                cause == broken || String.valueOf(broken.getMessage()).contains(String.valueOf(cause.getMessage()))
                        ? ""
                        : ": " + named(cause);
        return "cannot load " + (broken instanceof ServiceConfigurationError ? kind : "a class") + ": "
                + (broken instanceof ServiceConfigurationError ? broken.getMessage() : named(broken)) + missing
                + remedy(cause);
    }

    private static String remedy(Throwable cause) {
        if (cause instanceof UnsupportedClassVersionError) {
            return "; compile it with javac --release " + Runtime.version().feature()
                    + ", or set JAVA_HOME to the newer Java";
        }
        return cause instanceof IllegalAccessException || cause instanceof NoSuchMethodException
                ? "; the class is public and has a public constructor without arguments"
                : REMEDY;
    }

    private static String named(Throwable failure) {
        return failure instanceof NoClassDefFoundError
                ? "class " + String.valueOf(failure.getMessage()).replace('/', '.') + " is missing"
                : failure.toString();
    }

    /** The class of a provider and the jar that it is from. */
    public static String describe(Object provider) {
        Path from = source(provider);
        return provider.getClass().getName() + (from == null ? "" : " from " + from);
    }

    /** The jar of a provider's class, or its directory; null when it is unknown. */
    public static Path source(Object provider) {
        CodeSource source = provider.getClass().getProtectionDomain().getCodeSource();
        try {
            return source == null || source.getLocation() == null
                    ? null
                    : Path.of(source.getLocation().toURI());
        } catch (URISyntaxException | IllegalArgumentException | FileSystemNotFoundException noFile) {
            return null;
        }
    }
}
