package dev.baton.chronicle;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** What a file takes of its file system, which Java cannot say. */
final class HoleCount {
    private HoleCount() {}

    /** Bytes that a file takes, its holes not counted, by {@code stat(1)}. */
    static long bytesOf(Path file) throws IOException {
        Process stat = new ProcessBuilder("stat", "-c", "%b %B", file.toString()).start();
        try {
            String[] words = new String(stat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                    .trim()
                    .split(" ");
            if (!stat.waitFor(10, TimeUnit.SECONDS)) {
                throw new IOException("stat does not end");
            }
            return Long.parseLong(words[0]) * Long.parseLong(words[1]);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            stat.destroyForcibly();
        }
    }
}
