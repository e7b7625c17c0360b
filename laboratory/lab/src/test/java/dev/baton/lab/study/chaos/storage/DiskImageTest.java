package dev.baton.lab.study.chaos.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskImageTest {
    private static final int PAGE = 4096;
    private static final String FILE = "topic/data";

    @TempDir
    private Path temporary;

    private Path live;
    private Path synced;
    private Path made;

    @BeforeEach
    void prepare() throws IOException {
        live = Files.createDirectories(temporary.resolve("live/topic")).getParent();
        synced = Files.createDirectories(temporary.resolve("synced/topic")).getParent();
        made = temporary.resolve("made");
    }

    @Test
    void copyIsEqual() throws IOException {
        byte[] content = pages(3, 0, 5, 0);
        Files.write(live.resolve(FILE), Arrays.copyOf(content, content.length - 7));

        DiskImage.copy(live, made);

        assertThat(made.resolve(FILE)).hasSameBinaryContentAs(live.resolve(FILE));
    }

    @Test
    void oneBitOfUsedPageFlips() throws IOException {
        byte[] content = pages(0, 3, 0);
        Files.write(live.resolve(FILE), content);

        String what = DiskImage.flip(live, new Random(1));

        BitSet flipped = BitSet.valueOf(Files.readAllBytes(live.resolve(FILE)));
        flipped.xor(BitSet.valueOf(content));
        assertThat(flipped.cardinality()).isOne();
        int bit = flipped.nextSetBit(0);
        assertThat(bit / Byte.SIZE).isBetween(PAGE, 2 * PAGE - 1);
        assertThat(what).isEqualTo(FILE + ", byte " + bit / Byte.SIZE + ", bit " + bit % Byte.SIZE);
    }

    @Test
    void unsyncedPagesAndFilesAreLost() throws IOException {
        Files.write(live.resolve(FILE), pages(1, 2, 3));
        Files.write(live.resolve("topic/new"), pages(4));
        Files.write(synced.resolve(FILE), pages(1, 9));
        Files.write(synced.resolve("topic/deleted"), pages(5));

        String what = DiskImage.losePower(live, synced, made, new Random(1), 0, false);

        assertThat(made.resolve(FILE)).hasBinaryContent(pages(1, 9, 0));
        assertThat(made.resolve("topic/new")).doesNotExist();
        assertThat(made.resolve("topic/deleted")).hasBinaryContent(pages(5));
        assertThat(what).isEqualTo("2 pages and 1 files lost");
    }

    @Test
    void firstUnsyncedPagesSurviveInOrder() throws IOException {
        Files.write(live.resolve(FILE), pages(1, 2, 3, 4, 0, 0));
        Files.write(synced.resolve(FILE), new byte[0]);

        DiskImage.losePower(live, synced, made, new Random(1), 0.5, true);

        assertThat(made.resolve(FILE)).hasBinaryContent(pages(1, 2, 0, 0, 0, 0));
    }

    @Test
    void someUnsyncedPagesSurvive() throws IOException {
        Files.write(live.resolve(FILE), pages(1, 2, 3, 4, 5, 6, 7, 8));
        Files.write(synced.resolve(FILE), new byte[0]);

        DiskImage.losePower(live, synced, made, new Random(1), 0.5, false);

        byte[] content = Files.readAllBytes(made.resolve(FILE));
        long kept = 0;
        for (int page = 0; page < 8; page++) {
            byte first = content[page * PAGE];
            assertThat(first).isIn((byte) 0, (byte) (page + 1));
            kept += first == 0 ? 0 : 1;
        }
        assertThat(kept).isBetween(1L, 7L);
    }

    @Test
    void memoryOfDriverIsNotCopied() throws IOException {
        Files.createDirectories(live.resolve("driver"));
        Files.write(live.resolve("driver/cnc.dat"), pages(1));
        Files.write(live.resolve("archive-mark.dat"), pages(1));

        DiskImage.copy(live, made);

        assertThat(made).doesNotExist();
    }

    /** Pages that consist of one value each. */
    private static byte[] pages(int... values) {
        byte[] all = new byte[values.length * PAGE];
        for (int page = 0; page < values.length; page++) {
            Arrays.fill(all, page * PAGE, (page + 1) * PAGE, (byte) values[page]);
        }
        return all;
    }
}
