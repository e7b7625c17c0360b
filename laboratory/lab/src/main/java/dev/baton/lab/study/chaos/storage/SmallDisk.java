package dev.baton.lab.study.chaos.storage;

import dev.baton.lab.launch.Tool;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A file system of a few megabytes in memory that can be filled up to its last byte. A shell has mounted it, which
 * unmounts it when its standard input ends, and so also when this process is killed. Confined to one thread.
 */
public record SmallDisk(Path directory, Tool.Holder shell) implements AutoCloseable {
    private static final String SCRIPT =
            "trap '' INT TERM HUP; mount -t tmpfs -o size=\"$2\",mode=0700 baton-chaos \"$1\""
                    + " && echo mounted && read -r end; umount -l \"$1\"";

    private static final String FILLER = "filler";
    private static final int CHUNK = 1 << 20;

    /**
     * Mounts one.
     *
     * @param directory that exists and is empty
     * @throws IOException when this machine does not allow it: the text says why
     */
    public static SmallDisk at(Path directory, long bytes) throws IOException {
        Tool.Holder shell = new Tool.Holder(SCRIPT, "baton-disk", directory.toString(), Long.toString(bytes));
        String said = shell.line();
        if (!"mounted".equals(said)) {
            shell.close();
            throw new IOException(said == null ? "mount printed nothing" : said.toLowerCase(Locale.ROOT));
        }
        return new SmallDisk(directory, shell);
    }

    /** Leaves no byte of it, or gives back what was taken so. */
    public void fill(boolean isFull) throws IOException {
        if (!isFull) {
            Files.deleteIfExists(directory.resolve(FILLER));
            return;
        }
        try (OutputStream filler = Files.newOutputStream(directory.resolve(FILLER))) {
            byte[] chunk = new byte[CHUNK];
            boolean hasRoom = true;
            while (hasRoom) {
                try {
                    filler.write(chunk);
                } catch (IOException full) {
                    hasRoom = false;
                }
            }
        }
    }

    @Override
    public void close() {
        shell.close();
    }
}
