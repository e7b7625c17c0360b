package dev.baton.chronicle.platform;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * What the files below a directory take of its file system, which Java cannot say. A process that opens and closes a file loses
 * its locks on it, those of writers among them, so another one looks: {@code du(1)}. Stateless.
 */
public final class TakenSpace {
    private static final long UNIT = 1 << 10;
    private static final long LONGEST_SECONDS = 5;

    private TakenSpace() {}

    /** Bytes of all files below a directory, without their holes; empty where {@code du} is missing or does not end. */
    public static OptionalLong below(Path directory) {
        Process du;
        try {
            du = new ProcessBuilder("du", "-sk", directory.toString())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException missing) {
            return OptionalLong.empty();
        }
        try (InputStream out = du.getInputStream()) {
            if (!du.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                return OptionalLong.empty();
            }
            String first = new String(out.readAllBytes(), StandardCharsets.UTF_8).split("\\s", 2)[0];
            return first.matches("[0-9]{1,15}")
                    ? OptionalLong.of(Long.parseLong(first) * UNIT)
                    : OptionalLong.empty(); // exit codes tell of files that vanished meanwhile
        } catch (IOException unreadable) {
            return OptionalLong.empty();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return OptionalLong.empty();
        } finally {
            du.destroyForcibly();
        }
    }
}
