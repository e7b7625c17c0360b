package dev.baton.chronicle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** A file system of a few megabytes, in memory, which can be filled and emptied. Unmounted at close. */
final class SmallFileSystem implements AutoCloseable {
    private static final long LONGEST_SECONDS = 10;
    private static final String BALLAST = "ballast";

    private final Path path;

    private SmallFileSystem(Path path) {
        this.path = path;
    }

    /** Mounts one; the calling test is skipped, with the reason, where that is not permitted. */
    static SmallFileSystem ofMegabytes(int megabytes) {
        Path path = null;
        try {
            path = Files.createTempDirectory("baton-small").toRealPath();
            String refusal = run("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m,mode=700", "tmpfs", path);
            if (!refusal.isEmpty()) {
                Files.delete(path);
            }
            Assumptions.assumeTrue(refusal.isEmpty(), "no small file system can be mounted here: " + refusal);
            return new SmallFileSystem(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path path() {
        return path;
    }

    /** Fills it, but for so many bytes. */
    void fill(long left) throws IOException {
        try (FileChannel ballast =
                FileChannel.open(path.resolve(BALLAST), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            byte[] zeros = new byte[4 << 10];
            while (Files.getFileStore(path).getUsableSpace() > left) {
                ballast.write(ByteBuffer.wrap(zeros), ballast.size());
            }
        }
    }

    /** Takes out what {@link #fill} put in. */
    void empty() throws IOException {
        Files.deleteIfExists(path.resolve(BALLAST));
    }

    @Override
    public void close() {
        try {
            String refusal = run("umount", path);
            if (!refusal.isEmpty()) {
                throw new IOException(refusal);
            }
            Files.delete(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Empty when it went well, otherwise what was said against it. */
    private static String run(Object... words) throws IOException {
        String[] command = new String[words.length];
        for (int i = 0; i < words.length; i++) {
            command[i] = words[i].toString();
        }
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException noSuchProgram) {
            return noSuchProgram.getMessage();
        }
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
            if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                return command[0] + " does not end";
            }
            return process.exitValue() == 0 ? "" : command[0] + " ended with " + process.exitValue() + ": " + said;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            process.destroyForcibly();
        }
    }
}
