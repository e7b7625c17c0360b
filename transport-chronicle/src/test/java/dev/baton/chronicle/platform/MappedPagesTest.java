package dev.baton.chronicle.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import net.openhft.chronicle.bytes.MappedBytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages that are made writable ahead keep their content. */
class MappedPagesTest {
    private static final int LENGTH = 64 << 10;

    @TempDir
    Path temporary;

    @Test
    void populatedPagesKeepTheirContent() throws Exception {
        byte[] content = new byte[LENGTH];
        new Random(1).nextBytes(content);
        File file = Files.write(temporary.resolve("file"), content).toFile();
        try (MappedBytes bytes = MappedBytes.singleMappedBytes(file, LENGTH)) {
            assertThat(MappedPages.populate(bytes.addressForWrite(0), LENGTH))
                    .as("Linux 5.14 or later")
                    .isTrue();
            bytes.writeInt(4096, 7);
        }
        content[4096] = 7;
        content[4097] = content[4098] = content[4099] = 0;
        assertThat(Files.readAllBytes(file.toPath())).isEqualTo(content);
    }
}
