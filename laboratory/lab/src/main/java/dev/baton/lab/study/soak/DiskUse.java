package dev.baton.lab.study.soak;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.CloseHelper;

/**
 * The space of a directory in its file system, without holes: {@code du}, run repeatedly by one shell that lives as long as this, so
 * that a reading starts no thread and opens no file in this process. Confined to one thread.
 */
final class DiskUse implements AutoCloseable {
    private static final String SCRIPT = "while read line; do du -s -k . 2>/dev/null; done";
    private static final long PATIENCE_NANOS = 10_000_000_000L;
    private static final long CHECK_NANOS = 1_000_000;
    private static final long KILO = 1_024;

    private final Process shell;
    private final Writer in;
    private final BufferedReader out;
    private final long patienceNanos;
    private int unanswered; // readings whose line has not come yet, which precedes that of the next one

    private DiskUse(Process shell, long patienceNanos) {
        this.shell = shell;
        this.patienceNanos = patienceNanos;
        in = shell.outputWriter(StandardCharsets.US_ASCII);
        out = shell.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts to observe a directory; null without one, or without a shell. */
    static DiskUse of(Path directory) {
        return of(directory, SCRIPT, PATIENCE_NANOS);
    }

    /**
     * Starts to observe a directory.
     *
     * @param script prints a line that begins with the kilobytes for each line that it reads
     * @param patienceNanos for one line
     */
    static DiskUse of(Path directory, String script, long patienceNanos) {
        if (directory == null) {
            return null;
        }
        try {
            Process shell = new ProcessBuilder("sh", "-c", script)
                    .directory(directory.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return new DiskUse(shell, patienceNanos);
        } catch (IOException noShell) {
            return null;
        }
    }

    /** Bytes now; null when unknown. Blocks for ten seconds at most. The late line of an earlier reading is not taken for this one. */
    Long bytes() {
        try {
            in.write("\n");
            in.flush();
            unanswered++;
            String line = null;
            long start = System.nanoTime();
            while (unanswered > 0) {
                if (out.ready()) {
                    line = out.readLine();
                    unanswered--;
                } else if (System.nanoTime() - start > patienceNanos || !shell.isAlive()) {
                    return null;
                } else {
                    LockSupport.parkNanos(CHECK_NANOS);
                }
            }
            return line == null ? null : Long.valueOf(Long.parseLong(line.split("\\s", 2)[0]) * KILO);
        } catch (IOException | NumberFormatException unreadable) {
            return null;
        }
    }

    @Override
    public void close() {
        CloseHelper.quietClose(in); // or it has ended already
        shell.destroy();
        try {
            shell.waitFor(2, TimeUnit.SECONDS);
            out.close();
        } catch (IOException | InterruptedException hurried) {
            shell.destroyForcibly();
        }
    }
}
