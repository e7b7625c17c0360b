package dev.baton.lab.study.soak;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What a directory takes of its file system, holes not counted: {@code du}, asked again and again by one shell that lives
 * as long as this, so that asking starts no thread and opens nothing in this process. Confined to one thread.
 */
final class DiskUse implements AutoCloseable {
    private static final String SCRIPT = "while read line; do du -s -k . 2>/dev/null; done";
    private static final long PATIENCE_NANOS = 10_000_000_000L;
    private static final long CHECK_NANOS = 1_000_000;
    private static final long KILO = 1_024;

    private final Process shell;
    private final Writer in;
    private final BufferedReader out;

    private DiskUse(Process shell) {
        this.shell = shell;
        in = shell.outputWriter(StandardCharsets.US_ASCII);
        out = shell.inputReader(StandardCharsets.UTF_8);
    }

    /** Of a directory; null where there is none, or no shell. */
    static DiskUse of(Path directory) {
        if (directory == null) {
            return null;
        }
        try {
            ProcessBuilder builder = new ProcessBuilder("sh", "-c", SCRIPT).directory(directory.toFile());
            return new DiskUse(
                    builder.redirectError(ProcessBuilder.Redirect.DISCARD).start());
        } catch (IOException noShell) {
            return null;
        }
    }

    /** Bytes now; null when it cannot be told. Blocks for ten seconds at most. */
    Long bytes() {
        try {
            in.write("\n");
            in.flush();
            long start = System.nanoTime();
            while (!out.ready()) {
                if (System.nanoTime() - start > PATIENCE_NANOS || !shell.isAlive()) {
                    return null;
                }
                LockSupport.parkNanos(CHECK_NANOS);
            }
            String line = out.readLine();
            return line == null ? null : Long.valueOf(Long.parseLong(line.split("\\s", 2)[0]) * KILO);
        } catch (IOException | NumberFormatException unreadable) {
            return null;
        }
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException ended) {
            // it is ended anyway
        }
        shell.destroy();
        try {
            shell.waitFor(2, TimeUnit.SECONDS);
            out.close();
        } catch (IOException | InterruptedException hurried) {
            shell.destroyForcibly();
        }
    }
}
