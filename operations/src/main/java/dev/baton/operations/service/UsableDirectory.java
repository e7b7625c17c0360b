package dev.baton.operations.service;

import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** The check of a directory for topics from the command line. Stateless, thread-safe. */
final class UsableDirectory {
    private UsableDirectory() {}

    /** Refuses a path that cannot become a directory, however long a process waits. */
    static void require(String typed) {
        if (typed == null) {
            return;
        }
        Checks.require(!typed.isBlank(), "--dir: the path is empty; write . for the working directory");
        Path directory = Path.of(typed).toAbsolutePath().normalize();
        Path there = directory;
        while (there != null && !Files.exists(there)) {
            there = there.getParent();
        }
        if (there == null || !Files.isDirectory(there)) {
            throw CommandException.environment("--dir " + typed + ": " + there + " is not a directory; name one");
        }
        if (there.equals(directory) && Files.isWritable(there)) {
            return;
        }
        try {
            requireName(directory);
            Files.delete(Files.createTempDirectory(there, ".baton"));
        } catch (IOException refused) {
            throw CommandException.environment(
                    "--dir " + typed + ": nothing can be made in " + there + ": " + refused.getMessage()
                            + "; name another directory, or change its permissions",
                    refused);
        }
    }

    /** Refuses a path that does not exist and whose name no file can have. */
    private static void requireName(Path directory) throws IOException {
        try {
            Files.readAttributes(directory, BasicFileAttributes.class);
        } catch (NoSuchFileException notThereYet) {
            // it is made
        }
    }
}
