package dev.baton.operations.replay;

import dev.baton.Chain;
import dev.baton.chains.ChainProvider;
import dev.baton.operations.line.CommandException;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.jar.JarFile;
import java.util.regex.Pattern;

/**
 * The classes of another build of a chain: its jar's own before those of the class path, but for Baton's, so that both builds
 * run side by side on one core. Thread-safe.
 */
final class JarLoader extends URLClassLoader {
    static {
        registerAsParallelCapable();
    }

    private static final Pattern CORE = Pattern.compile(
            "dev\\.baton\\.([^.]+|(async|chains|codec|deadletters|engine|manage|partitions|run|spi|state|status)\\..+)");
    private static final String PROVIDERS = "META-INF/services/" + ChainProvider.class.getName();

    private JarLoader(URL[] jars, ClassLoader parent) {
        super("baton-against", jars, parent);
    }

    /**
     * Checks that a jar exists.
     *
     * @throws CommandException when there is no such file
     */
    static void check(Path jar) {
        if (!Files.isRegularFile(jar) || !Files.isReadable(jar)) {
            throw CommandException.environment("--against " + jar + " is not a jar that can be read");
        }
        try (JarFile opened = new JarFile(jar.toFile())) {
            Objects.requireNonNull(opened, "a jar");
        } catch (IOException other) {
            throw CommandException.environment("--against " + jar + " is not a jar: " + other.getMessage(), other);
        }
    }

    /**
     * {@return a loader of the classes in a jar}
     *
     * @throws CommandException as {@link #check}
     */
    static JarLoader of(Path jar) {
        check(jar);
        try {
            return new JarLoader(
                    new URL[] {jar.toUri().toURL()}, Thread.currentThread().getContextClassLoader());
        } catch (IOException impossible) {
            throw CommandException.environment("--against " + jar + ": " + impossible.getMessage(), impossible);
        }
    }

    Chain open(Supplier<Chain> opening) {
        Thread current = Thread.currentThread();
        ClassLoader before = current.getContextClassLoader();
        current.setContextClassLoader(this);
        try {
            return opening.get();
        } finally {
            current.setContextClassLoader(before);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded == null && findResource(name.replace('.', '/') + ".class") != null && !isOfCore(name)) {
                loaded = findClass(name);
            }
            return loaded == null ? super.loadClass(name, resolve) : loaded;
        }
    }

    /** Returns whether a class is Baton's own: a jar may contain a copy of it, which the running core would not know. */
    private static boolean isOfCore(String name) {
        return CORE.matcher(name).matches();
    }

    /** The chains of this jar alone: those of the class path have the same names. */
    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        return PROVIDERS.equals(name) ? findResources(name) : super.getResources(name);
    }
}
