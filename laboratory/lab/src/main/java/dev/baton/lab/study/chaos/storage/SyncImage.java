package dev.baton.lab.study.chaos.storage;

import dev.baton.lab.launch.Tool;
import dev.baton.operations.line.CommandException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The preload library that keeps an image of what a process has synced ({@code chaos/sync_image.c}), built by this machine's C compiler.
 * Immutable, thread-safe.
 */
public record SyncImage(Path library) {
    private static final String SOURCE = "/chaos/sync_image.c";
    private static final String FAILED = ".failed";

    /** A compiler takes longer than 10 s on a busy host. */
    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** {@return why it cannot be built on this machine; null when it can} */
    public static String refusal() {
        try {
            return Tool.run(List.of("cc", "--version"), LIMIT).isOk() ? null : "cc --version fails";
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
            Tool compiled = Tool.run(
                    List.of("cc", "-shared", "-fPIC", "-O2", "-o", library.toString(), source.toString(), "-lpthread"),
                    LIMIT);
            if (!compiled.isOk()) {
                throw new IOException(compiled.all());
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
