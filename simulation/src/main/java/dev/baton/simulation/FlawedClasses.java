package dev.baton.simulation;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A class loader with core and the simulator, in which the classes of one source are replaced by those of a defective one. */
final class FlawedClasses extends ClassLoader {
    private static final String OURS = "dev.baton.";

    private final Map<String, byte[]> flawed;

    private FlawedClasses(Map<String, byte[]> flawed) {
        super(FlawedClasses.class.getClassLoader());
        this.flawed = flawed;
    }

    /** Searches for the defect: {@link Hunt#find}, over the defective classes. */
    static String hunt(Flaw flaw, Path root, long firstSeed, int seeds) throws Exception {
        String rule = flaw.rule() == null ? "" : flaw.rule().name();
        Class<?>[] types = {long.class, int.class, String.class};
        return call(flaw, root, "find", types, firstSeed, seeds, rule);
    }

    /** Simplifies a schedule that meets the defect: {@link Hunt#shrunk}, over the defective classes. */
    static String shrunk(Flaw flaw, Path root, long firstSeed, int seeds) throws Exception {
        Class<?>[] types = {long.class, int.class, String.class};
        return call(flaw, root, "shrunk", types, firstSeed, seeds, flaw.rule().name());
    }

    private static String call(Flaw flaw, Path root, String method, Class<?>[] types, Object... arguments)
            throws Exception {
        try {
            return (String) new FlawedClasses(compiled(flaw, root))
                    .loadClass(Hunt.class.getName())
                    .getMethod(method, types)
                    .invoke(null, arguments);
        } catch (InvocationTargetException thrown) {
            throw new IllegalStateException("flaw '" + flaw.name() + "'", thrown.getCause());
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean isResolved) throws ClassNotFoundException {
        if (!name.startsWith(OURS)) {
            return super.loadClass(name, isResolved);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            byte[] bytes = flawed.get(name);
            if (bytes == null) {
                bytes = asItIs(name);
            }
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    private byte[] asItIs(String name) throws ClassNotFoundException {
        try (InputStream stream = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (stream == null) {
                throw new ClassNotFoundException(name);
            }
            return stream.readAllBytes();
        } catch (IOException failed) {
            throw new ClassNotFoundException(name, failed);
        }
    }

    private static Map<String, byte[]> compiled(Flaw flaw, Path root) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        Map<String, byte[]> classes = new HashMap<>();
        List<String> options =
                List.of("-cp", System.getProperty("java.class.path"), "-proc:none", "-nowarn", "-implicit:none");
        try (StandardJavaFileManager standard = compiler.getStandardFileManager(null, null, null);
                JavaFileManager files = new InMemory(standard, classes)) {
            Source source = new Source(flaw.source(), flaw.changed(root));
            if (!compiler.getTask(said, files, null, options, null, List.of(source))
                    .call()) {
                throw new IllegalStateException("flaw '" + flaw.name() + "' does not compile: " + said);
            }
        }
        return classes;
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String path, String text) {
            super(URI.create("string:///" + path.substring(path.indexOf("dev/"))), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class InMemory extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, byte[]> classes;

        InMemory(JavaFileManager files, Map<String, byte[]> classes) {
            super(files);
            this.classes = classes;
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("memory:///" + name.replace('.', '/') + kind.extension), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return new ByteArrayOutputStream() {
                        @Override
                        public void close() {
                            classes.put(name, toByteArray());
                        }
                    };
                }
            };
        }
    }
}
