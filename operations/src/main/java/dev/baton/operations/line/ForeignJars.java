package dev.baton.operations.line;

import dev.baton.spi.TransportProvider;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** Jars of others on the class path: finds their transports, and says what is wrong with one. Stateless, thread-safe. */
public final class ForeignJars {
    private static final String REMEDY =
            "; the jar of a transport and all jars that it depends on go into BATON_CLASSPATH,"
                    + " and META-INF/services in it names classes that it holds";

    private ForeignJars() {}

    /**
     * The transports of all jars.
     *
     * @throws CommandException when one is named that cannot be loaded
     */
    public static List<TransportProvider> providers(ClassLoader loader) {
        List<TransportProvider> found = new ArrayList<>();
        try {
            for (TransportProvider provider : ServiceLoader.load(TransportProvider.class, loader)) {
                if (provider.name() == null || provider.name().isBlank()) {
                    throw CommandException.environment(
                            describe(provider) + " is a transport without a name; remove it");
                }
                found.add(provider);
            }
        } catch (ServiceConfigurationError | LinkageError broken) {
            throw CommandException.environment(complaint(broken), broken);
        }
        return found;
    }

    /** What a class that is missing or does not fit means for who typed the command. */
    public static String complaint(Error broken) {
        Throwable cause = broken;
        while (cause.getCause() != null && !(cause instanceof NoClassDefFoundError)) {
            cause = cause.getCause();
        }
        String missing =
                cause == broken || String.valueOf(broken.getMessage()).contains(String.valueOf(cause.getMessage()))
                        ? ""
                        : ": " + named(cause);
        return "cannot load " + (broken instanceof ServiceConfigurationError ? "a transport" : "a class") + ": "
                + (broken instanceof ServiceConfigurationError ? broken.getMessage() : named(broken)) + missing
                + REMEDY;
    }

    private static String named(Throwable failure) {
        return failure instanceof NoClassDefFoundError
                ? "class " + String.valueOf(failure.getMessage()).replace('/', '.') + " is missing"
                : failure.toString();
    }

    /** The class of a transport and the jar that it is from. */
    static String describe(TransportProvider provider) {
        CodeSource source = provider.getClass().getProtectionDomain().getCodeSource();
        String from = source == null || source.getLocation() == null
                ? ""
                : " from " + source.getLocation().getPath();
        return provider.getClass().getName() + from;
    }
}
