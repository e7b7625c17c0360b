package dev.baton.proofs;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * One defect in a line of the engine, which a proof has to detect: the changed source of the class is compiled and found before the right
 * class. So a proof that could not fail is detected, and no copy of the engine can become outdated. Immutable, thread-safe.
 *
 * @param name description of the defect
 * @param proof the class that has to fail
 * @param source the class that is changed, below the root
 * @param right the right text, which occurs exactly once
 * @param wrong the text in its place
 * @param isHidden whether processors that keep the order of stores, as x86 does, hide it
 */
record Mutant(String name, Class<?> proof, String source, String right, String wrong, boolean isHidden) {
    /**
     * Compiles the changed class.
     *
     * @param root of the sources
     * @param classes a directory for the result
     * @throws IllegalStateException when the source has changed so that the mutant no longer fits
     */
    void compile(Path root, Path classes) throws IOException {
        Files.createDirectories(classes);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        List<String> options = List.of(
                "-d",
                classes.toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-proc:none",
                "-nowarn",
                "-XDignore.symbol.file",
                "-implicit:none");
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            boolean isCompiled = compiler.getTask(said, files, null, options, null, List.of(new Changed(changed(root))))
                    .call();
            if (!isCompiled) {
                throw new IllegalStateException("mutant '" + name + "' does not compile: " + said);
            }
        }
    }

    /**
     * The source with the defect in it.
     *
     * @throws IllegalStateException when the source has changed so that the mutant no longer fits
     */
    String changed(Path root) throws IOException {
        String text = Files.readString(root.resolve(source));
        int found = text.indexOf(right);
        if (found < 0 || text.indexOf(right, found + 1) >= 0) {
            throw new IllegalStateException("mutant '" + name + "': " + source + " has to contain once, but "
                    + (found < 0 ? "does not hold" : "holds more than once") + ":\n" + right);
        }
        return text.replace(right, wrong);
    }

    private final class Changed extends SimpleJavaFileObject {
        private final String text;

        Changed(String text) {
            super(
                    URI.create("string:///"
                            + source.substring(source.indexOf("dev/")).replace(File.separatorChar, '/')),
                    Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
