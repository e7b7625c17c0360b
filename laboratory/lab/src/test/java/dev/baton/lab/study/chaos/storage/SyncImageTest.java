package dev.baton.lab.study.chaos.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The library in processes of its own; it needs a C compiler. */
class SyncImageTest {
    @TempDir
    private Path temporary;

    private Path root;
    private Path image;
    private SyncImage library;

    @BeforeEach
    void build() throws IOException {
        assumeTrue(SyncImage.refusal() == null, "there is no C compiler");
        root = Files.createDirectories(temporary.resolve("root/topic")).getParent();
        image = temporary.resolve("image");
        library = SyncImage.build(temporary);
        Files.writeString(root.resolve("topic/synced"), "content");
        Files.writeString(root.resolve("topic/other"), "content");
    }

    @Test
    void syncedFileIsInImage() throws IOException {
        assertThat(run(0, "sync", "-d", root.resolve("topic/synced").toString()))
                .isZero();

        assertThat(image.resolve("topic/synced")).hasContent("content");
        assertThat(image.resolve("topic/other")).doesNotExist();
    }

    @Test
    void syncedDirectoryHasNamesWithoutContent() throws IOException {
        assertThat(run(0, "sync", root.resolve("topic").toString())).isZero();

        assertThat(image.resolve("topic/other")).isEmptyFile();
    }

    @Test
    void renamedFileKeepsItsSyncedContent() throws IOException {
        Path synced = root.resolve("topic/synced");
        assertThat(run(0, "sync", synced.toString())).isZero();
        Files.move(synced, root.resolve("topic/renamed"));
        assertThat(image.resolve("topic/renamed")).doesNotExist();

        assertThat(run(0, "sync", root.resolve("topic").toString())).isZero();

        assertThat(image.resolve("topic/renamed")).hasContent("content");
        assertThat(image.resolve("topic/synced")).doesNotExist();
    }

    @Test
    void syncOfMappingCopiesItsRange() throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Path file = root.resolve("topic/mapped");

        assertThat(run(0, java, "-cp", System.getProperty("java.class.path"), Mapping.class.getName(), file.toString()))
                .isZero();

        byte[] content = Files.readAllBytes(image.resolve("topic/mapped"));
        assertThat(content[4096]).isEqualTo((byte) 1);
        assertThat(content[0]).isZero();
    }

    @Test
    void syncsFailFromNumberOn() throws IOException {
        String file = root.resolve("topic/synced").toString();
        assertThat(run(2, "sync", file)).isZero();
        assertThat(SyncImage.hasFailed(image)).isFalse();

        assertThat(run(1, "sync", file)).isNotZero();

        assertThat(SyncImage.hasFailed(image)).isTrue();
    }

    private int run(int failing, String... command) throws IOException {
        List<String> all = new ArrayList<>(library.prefix(root, image, failing));
        all.addAll(List.of(command));
        return new ProcessBuilder(all)
                .redirectErrorStream(true)
                .redirectOutput(temporary.resolve("output").toFile())
                .start()
                .onExit()
                .join()
                .exitValue();
    }

    /** A process that maps a file and syncs its second page. */
    public static final class Mapping {
        private Mapping() {}

        public static void main(String[] arguments) throws IOException {
            try (FileChannel file = FileChannel.open(
                    Path.of(arguments[0]),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE)) {
                MappedByteBuffer bytes = file.map(FileChannel.MapMode.READ_WRITE, 0, 3 * 4096);
                bytes.put(0, (byte) 1).put(4096, (byte) 1);
                bytes.force(4096, 4096);
            }
        }
    }
}
