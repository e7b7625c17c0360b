package dev.baton.chronicle.platform;

import dev.baton.spi.TransportException;
import java.util.ArrayList;
import java.util.List;

/**
 * The flags that Chronicle needs of the JVM, and the check that they are effective.
 *
 * <p>Without them Chronicle fails late and with other words, such as "Can't append to a read-only chronicle". The check
 * asks the module system, so it is content wherever the flags came from: the command line, {@code JDK_JAVA_OPTIONS} or
 * an executable jar's manifest. Stateless.
 */
public final class JvmFlags {
    /**
     * From here on {@code sun.misc.Unsafe}'s memory access can be allowed; before, the option does not exist. Without it
     * some versions print a warning and work all the same, so that it is given but not asked for: a manifest cannot have it.
     */
    private static final int UNSAFE_OPTION_SINCE = 23;

    private static final int NATIVE_ACCESS_WARNS_SINCE = 24;

    private static final String UNSAFE = "--sun-misc-unsafe-memory-access=allow";
    private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";
    private static final String ALL_UNNAMED = "=ALL-UNNAMED";
    private static final List<String> OPENED = List.of("java.lang", "java.lang.reflect", "sun.nio.ch");
    private static final List<String> EXPORTED = List.of("jdk.internal.misc", "jdk.internal.ref");

    private JvmFlags() {}

    /** All flags for a JVM of this feature version, in the order to type them. */
    public static List<String> of(int featureVersion) {
        List<String> flags = new ArrayList<>();
        OPENED.forEach(name -> flags.add(open(name)));
        EXPORTED.forEach(name -> flags.add(export(name)));
        if (featureVersion >= UNSAFE_OPTION_SINCE) {
            flags.add(UNSAFE);
        }
        if (featureVersion >= NATIVE_ACCESS_WARNS_SINCE) {
            flags.add(NATIVE_ACCESS);
        }
        return List.copyOf(flags);
    }

    /**
     * Says which flags are missing.
     *
     * @param user the module that needs them: Chronicle's
     * @throws TransportException naming each missing flag
     */
    public static void check(Module user) {
        List<String> missing = missing(user);
        if (!missing.isEmpty()) {
            throw new TransportException("Chronicle Queue cannot work in this JVM (Java "
                    + Runtime.version().feature() + "): start it with " + String.join(" ", missing)
                    + " before -jar or the main class; the environment variable JDK_JAVA_OPTIONS takes them, too");
        }
    }

    private static List<String> missing(Module user) {
        Module base = Object.class.getModule();
        List<String> missing = new ArrayList<>();
        for (String name : OPENED) {
            if (!base.isOpen(name, user)) {
                missing.add(open(name));
            }
        }
        for (String name : EXPORTED) {
            // Gone in a later JDK: then nothing asks for it
            if (base.getPackages().contains(name) && !base.isExported(name, user)) {
                missing.add(export(name));
            }
        }
        return missing;
    }

    private static String open(String packageName) {
        return "--add-opens=java.base/" + packageName + ALL_UNNAMED;
    }

    private static String export(String packageName) {
        return "--add-exports=java.base/" + packageName + ALL_UNNAMED;
    }
}
