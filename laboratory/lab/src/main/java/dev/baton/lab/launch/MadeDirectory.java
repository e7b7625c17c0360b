package dev.baton.lab.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A directory that exists, and how much of its path had to be made for it. Immutable; what it removes is not.
 *
 * @param path absolute
 * @param existing the part of it that was there before
 */
public record MadeDirectory(Path path, Path existing) {
    static MadeDirectory of(Path wanted) throws IOException {
        Path existing = existingPartOf(wanted);
        return new MadeDirectory(Files.createDirectories(wanted.toAbsolutePath().normalize()), existing);
    }

    /** The path itself, or its nearest parent that exists. */
    public static Path existingPartOf(Path wanted) {
        Path existing = wanted.toAbsolutePath().normalize();
        while (existing.getParent() != null && Files.notExists(existing)) {
            existing = existing.getParent();
        }
        return existing;
    }

    /** Removes what had to be made, as far as it is empty. */
    void removeIfEmpty() {
        try {
            for (Path each = path; !each.equals(existing); each = each.getParent()) {
                Files.delete(each);
            }
        } catch (IOException inUse) {
            // whatever is in it stays
        }
    }
}
