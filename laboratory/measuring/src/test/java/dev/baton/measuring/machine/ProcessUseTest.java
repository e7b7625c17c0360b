package dev.baton.measuring.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessUseTest {
    @TempDir
    private Path process;

    @Test
    void figuresComeFromTheKernelsFiles() throws IOException {
        Files.writeString(process.resolve("status"), "Name:\tjava\nVmHWM:\t  100 kB\nVmRSS:\t   90 kB\n");
        Files.writeString(process.resolve("stat"), "12 (a (odd) name) S 1 2 3 4 5 6 700 8 42 10 11 12\n");
        thread("1", "GC Thread#0", "1000 5 6");
        thread("2", "VM Thread", "200 5 6");
        thread("3", "G1 Conc#0", "30 5 6");
        thread("4", "main", "99999 5 6");
        assertThat(ProcessUse.read(new KernelTree(process), 7L)).isEqualTo(new ProcessUse(102_400L, 42L, 7L, 1_230L));
    }

    @Test
    void unknownFiguresAreNull() {
        assertThat(ProcessUse.read(new KernelTree(process.resolve("nowhere")), null))
                .isEqualTo(new ProcessUse(null, null, null, null));
    }

    private void thread(String id, String name, String scheduling) throws IOException {
        Path thread = Files.createDirectories(process.resolve("task/" + id));
        Files.writeString(thread.resolve("comm"), name + "\n");
        Files.writeString(thread.resolve("schedstat"), scheduling + "\n");
    }
}
