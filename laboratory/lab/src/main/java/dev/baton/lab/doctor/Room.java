package dev.baton.lab.doctor;

import dev.baton.operations.terminal.Units;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Free space for queues and temporary files. Immutable, thread-safe.
 *
 * @param sharedBytes in {@code /dev/shm}; null without such a directory
 * @param temporary the system's directory for temporary files
 * @param temporaryBytes free there; null when unknown
 */
record Room(Long sharedBytes, String temporary, Long temporaryBytes) implements Diagnosis.Reading {
    private static final Path SHARED = Path.of("/dev/shm");
    private static final long AMPLE = 1L << 30;
    private static final long SCARCE = 256L << 20;

    static Room look() {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        return new Room(free(SHARED), temporary.toString(), free(temporary));
    }

    private static Long free(Path directory) {
        try {
            return Files.isWritable(directory) ? Files.getFileStore(directory).getUsableSpace() : null;
        } catch (IOException | RuntimeException unknown) {
            return null;
        }
    }

    @Override
    public List<Finding> findings() {
        List<Finding> all = new ArrayList<>();
        all.add(finding(SHARED.toString(), sharedBytes, "sudo mount -o remount,size=50% /dev/shm"));
        if (!SHARED.toString().equals(temporary)) {
            all.add(finding(temporary, temporaryBytes, "./baton ... --dir DIRECTORY-WITH-MORE"));
        }
        return all;
    }

    private static Finding finding(String directory, Long free, String remedy) {
        if (free == null) {
            return Finding.hidden(directory, "not there, or not writable");
        }
        return Finding.of(
                free < SCARCE ? GradeLetter.D : free < AMPLE ? GradeLetter.B : GradeLetter.A,
                directory,
                Units.bytes(free) + " free",
                "queues of a longer run do not fit",
                remedy);
    }
}
