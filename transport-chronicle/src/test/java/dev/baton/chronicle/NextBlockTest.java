package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.TopicWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The block after the one that is written is mapped ahead, and its first pages are in memory before they are written. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "pages are touched ahead by madvise, which only Linux has")
class NextBlockTest {
    private static final int BLOCK = 256 << 10;
    private static final Pattern MAPPING = Pattern.compile("^[0-9a-f]+-[0-9a-f]+ \\S+ ([0-9a-f]+) .*\\.cq4$");
    private static final Pattern RESIDENT = Pattern.compile("^Rss: +(\\d+) kB$");

    private final TemporaryDirectory directory = new TemporaryDirectory();

    @AfterEach
    void remove() {
        directory.close();
    }

    @Test
    void firstPagesOfTheNextBlockAreTouched() throws IOException {
        ChronicleOptions options = ChronicleOptions.defaults().with(ChronicleOptions.BLOCK_SIZE, BLOCK);
        try (Topic topic = Topic.in(directory.path(), options)) {
            TopicWriter writer = topic.writer();
            Topic.write(writer, "x".repeat(1_000));
            int before = residentBytes().size();
            for (int i = 0; i < 2 * BLOCK / 1_000 && residentBytes().size() == before; i++) {
                Topic.write(writer, "x".repeat(1_000));
            }
            TreeMap<Long, Long> blocks = residentBytes();
            assertThat(blocks).as("mapped ahead").hasSizeGreaterThan(before);
            assertThat(blocks.lastEntry().getValue()).as("bytes in memory").isPositive();
        }
    }

    /** Returns the bytes of this test's files that this process has in memory, by the place of their block in the file. */
    private TreeMap<Long, Long> residentBytes() throws IOException {
        TreeMap<Long, Long> bytes = new TreeMap<>();
        long block = -1;
        for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
            Matcher mapping = MAPPING.matcher(line);
            Matcher resident = RESIDENT.matcher(line);
            if (mapping.matches() && line.contains(directory.path().toString())) {
                block = Long.parseLong(mapping.group(1), 16);
            } else if (resident.matches() && block >= 0) {
                bytes.merge(block, Long.parseLong(resident.group(1)) << 10, Long::sum);
                block = -1;
            }
        }
        return bytes;
    }
}
