package dev.baton.lab.study.chaos.storage;

import dev.baton.operations.line.CommandException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The preload library that keeps an image of what a process has synced ({@code chaos/sync_image.c}), built by this machine's C compiler.
 * Immutable, thread-safe.
 */
public record SyncImage(Path library) {
    private static final String SOURCE = "/chaos/sync_image.c";
    private static final String FAILED = ".failed";

    /** {@return why it cannot be built on this machine; null when it can} */
    public static String refusal() {
        try {
            Process compiler = new ProcessBuilder("cc", "--version")
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return compiler.onExit().join().exitValue() == 0 ? null : "cc --version fails";
        } catch (IOException none) {
            return "there is no C compiler 'cc'";
        }
    }

    static SyncImage build(Path directory) {
        return CommandException.guarded("cannot build the library that records syncs", () -> {
            Path source = directory.resolve("sync_image.c");
            Path library = directory.resolve("sync_image.so");
            try (InputStream text = SyncImage.class.getResourceAsStream(SOURCE)) {
                Files.write(source, text.readAllBytes());
            }
            Process compiler = new ProcessBuilder(
                            "cc", "-shared", "-fPIC", "-O2", "-o", library.toString(), source.toString(), "-lpthread")
                    .redirectErrorStream(true)
                    .start();
            String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (compiler.onExit().join().exitValue() != 0) {
                throw new IOException(said);
            }
            return new SyncImage(library);
        });
    }

    /**
     * Returns the beginning of a command that runs under the library.
     *
     * @param root only files below it count
     * @param failing number of the first sync that fails; 0: none
     */
    List<String> prefix(Path root, Path image, int failing) {
        return List.of(
                "env",
                "LD_PRELOAD=" + library,
                "BATON_SYNC_ROOT=" + root,
                "BATON_SYNC_IMAGE=" + image,
                "BATON_SYNC_FAIL=" + failing);
    }

    /** {@return whether a sync has failed} */
    static boolean hasFailed(Path image) {
        return Files.exists(image.resolveSibling(image.getFileName() + FAILED));
    }
}
