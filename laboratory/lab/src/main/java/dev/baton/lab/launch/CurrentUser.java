package dev.baton.lab.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;

/** Who this process runs as, as the file system knows it; a name may be missing or wrong. Stateless, thread-safe. */
final class CurrentUser {
    private CurrentUser() {}

    /** The owner of a file that this process has made. */
    static UserPrincipal principal() throws IOException {
        Path probe = Files.createTempFile(".baton-", ".owner");
        try {
            return Files.getOwner(probe);
        } finally {
            Files.delete(probe);
        }
    }
}
