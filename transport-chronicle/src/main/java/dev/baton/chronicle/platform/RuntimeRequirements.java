package dev.baton.chronicle.platform;

import dev.baton.spi.errors.TransportException;
import java.text.DecimalFormatSymbols;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import net.openhft.chronicle.core.Jvm;
import net.openhft.posix.PosixAPI;

/**
 * The requirements of Chronicle Queue on the operating system and the JVM: the checks that they are met, and the system
 * properties that keep it quiet.
 *
 * <p>Without its flags Chronicle fails late and with other messages, such as "Can't append to a read-only chronicle". The
 * check asks the module system, so it passes wherever the flags came from: the command line, {@code JDK_JAVA_OPTIONS} or an
 * executable jar's manifest. Stateless.
 */
public final class RuntimeRequirements {
    /**
     * The first version that has the option to allow {@code sun.misc.Unsafe}'s memory access. Without it some versions print a
     * warning and work all the same, so it is a flag to give but not checked: a manifest cannot have it.
     */
    private static final int UNSAFE_OPTION_SINCE = 23;

    private static final int NATIVE_ACCESS_WARNS_SINCE = 24;

    private static final String UNSAFE = "--sun-misc-unsafe-memory-access=allow";
    private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";
    private static final String ALL_UNNAMED = "=ALL-UNNAMED";
    private static final List<String> OPENED = List.of("java.lang", "java.lang.reflect", "sun.nio.ch");
    private static final List<String> EXPORTED = List.of("jdk.internal.misc", "jdk.internal.ref");

    private static final long LIBRARY_BYTES = 1 << 20; // more than the native library takes

    /** Chronicle reports nothing, announces nothing, watches no disk and starts no thread. */
    private static final Map<String, String> QUIET = Map.of(
            "chronicle.analytics.disable", "true",
            "chronicle.announcer.disable", "true",
            "chronicle.disk.monitor.disable", "true",
            "disable.perf.info", "true",
            // read by slf4j-simple alone; any other binding has its own configuration
            "org.slf4j.simpleLogger.log.net.openhft", "warn",
            // unmap and close on the calling thread, not on a daemon thread that outlives the transport
            "background.releaser", "false",
            // where JNA, loaded for the sake of pinning threads, unpacks itself: not below the home directory
            "jna.tmpdir", System.getProperty("java.io.tmpdir"));

    private RuntimeRequirements() {}

    /**
     * Sets the system properties that keep Chronicle quiet, and checks that it can work here.
     *
     * @throws TransportException when it cannot, with the cause and the remedy
     */
    public static void check() {
        requireLinux(System.getProperty("os.name"));
        keepQuiet();
        requireFlags(Jvm.class.getModule());
        requireNativeLibrary();
    }

    /**
     * Sets the system properties that keep Chronicle quiet, except those that a user has set. Chronicle reads them once, when its
     * classes load: to be called before that.
     */
    public static void keepQuiet() {
        QUIET.forEach((name, value) -> {
            if (System.getProperty(name) == null) {
                System.setProperty(name, value);
            }
        });
    }

    /**
     * Checks the operating system. On others space cannot be taken before something is stored there, so a full disk would leave
     * torn excerpts; and where file names have no case, topics whose names differ in case only would share a directory while
     * each has a lock of its own.
     *
     * @throws TransportException when the system is not Linux
     */
    public static void requireLinux(String system) {
        if (!system.startsWith("Linux")) {
            throw new TransportException("chronicle writes topics on Linux, and this is " + system
                    + ": a full disk would leave torn excerpts there, and topics whose names differ in case only would"
                    + " share files; use disruptor or kafka");
        }
    }

    /** Returns all flags for a JVM of this feature version, in the order to type them. */
    public static List<String> jvmFlags(int featureVersion) {
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

    private static void requireFlags(Module chronicle) {
        List<String> missing = missing(chronicle);
        if (!missing.isEmpty()) {
            throw new TransportException("Chronicle Queue cannot work in this JVM (Java "
                    + Runtime.version().feature() + "): start it with " + String.join(" ", missing)
                    + " before -jar or the main class; the environment variable JDK_JAVA_OPTIONS takes them, too");
        }
    }

    private static List<String> missing(Module chronicle) {
        Module base = Object.class.getModule();
        List<String> missing = new ArrayList<>();
        for (String name : OPENED) {
            if (!base.isOpen(name, chronicle)) {
                missing.add(open(name));
            }
        }
        for (String name : EXPORTED) {
            // a later JDK may not have the package: then nothing uses it
            if (base.getPackages().contains(name) && !base.isExported(name, chronicle)) {
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

    /**
     * Checks that Chronicle's system calls work, for which the native library jffi is loaded. Without it Chronicle fails at the
     * first topic, with other messages. The library formats the name of its file in the JVM's default locale: with digits other
     * than 0 to 9 it does not find that file. An interrupted thread could not write the file, so the interrupt waits. A JVM in
     * which this has failed once cannot load the library any more.
     */
    private static void requireNativeLibrary() {
        boolean isInterrupted = Thread.interrupted();
        try {
            PosixAPI.posix().getpid();
        } catch (RuntimeException | LinkageError missing) {
            throw new TransportException(
                    "Chronicle Queue cannot work in this JVM, as its native library (jffi) was not loaded: "
                            + reason(Locale.getDefault(Locale.Category.FORMAT), missing),
                    missing);
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The library writes a file of its own into the directory for temporary files. */
    private static String limit() {
        long limit = MaxFileSize.bytes();
        return limit < LIBRARY_BYTES ? "; " + MaxFileSize.text(limit) : "";
    }

    private static String reason(Locale locale, Throwable missing) {
        char zero = DecimalFormatSymbols.getInstance(locale).getZeroDigit();
        return zero == '0'
                ? missing.getMessage() + limit()
                : "it does not find its file in the locale " + locale + ", which writes numbers with the digits " + zero
                        + " to " + (char) (zero + 9)
                        + "; start the JVM with -Duser.language.format=en before -jar or the main"
                        + " class; the environment variable JDK_JAVA_OPTIONS takes it, too";
    }
}
