package dev.baton.lab.launch;

import dev.baton.operations.line.CommandException;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * A process that was stopped for a while from outside, as a host does that has something else to run. Immutable.
 *
 * @param leastNanos that it certainly stood still
 * @param mostNanos that it stood still at most
 */
public record ProcessStop(long leastNanos, long mostNanos) {
    /**
     * The script of a shell that does both and ignores signals of the keyboard: even after the end of this process, the other one
     * continues.
     */
    private static final String SCRIPT = "trap '' INT TERM HUP; kill -STOP \"$1\" && sleep \"$2\"; kill -CONT \"$1\"";

    private static final long PATIENCE_SECONDS = 10;

    /**
     * Stops a process, waits, and lets it go on. Blocks for as long.
     *
     * @throws CommandException when it cannot be done
     */
    public static ProcessStop of(long pid, long nanos) {
        String seconds = String.format(Locale.ROOT, "%.3f", nanos / 1e9);
        long before = System.nanoTime();
        try {
            Process shell = new ProcessBuilder("/bin/sh", "-c", SCRIPT, "baton-stop", Long.toString(pid), seconds)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            boolean hasEnded = shell.waitFor(PATIENCE_SECONDS + nanos / 1_000_000_000, TimeUnit.SECONDS);
            if (!hasEnded || shell.exitValue() != 0) {
                throw CommandException.environment("cannot stop process " + pid + " for " + seconds + " s: "
                        + (hasEnded ? "kill or sleep refused" : "the shell does not end"));
            }
            return new ProcessStop(nanos, System.nanoTime() - before);
        } catch (IOException failed) {
            throw CommandException.environment(
                    "cannot start /bin/sh to stop a process: " + failed.getMessage(), failed);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt(); // the shell finishes by itself
            return new ProcessStop(0, nanos);
        }
    }
}
