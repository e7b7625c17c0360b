package dev.baton.engine.letters;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The list of the inputs that have letters, and its field. */
class LetteredInputsTest {
    private static LetteredInputs read(LetteredInputs list, int room) {
        list.allow(room);
        int bytes = list.bytes();
        assertThat(bytes).isLessThanOrEqualTo(room);
        Frame claim = new Frame().wrap(ByteBuffer.allocate(2_048).order(ByteOrder.LITTLE_ENDIAN), 0, 1_000);
        list.add(claim);
        assertThat(claim.extensionBytes()).isLessThanOrEqualTo(bytes);
        return new LetteredInputs(Extension.copy(claim, Extension.LETTERED));
    }

    @Test
    void newestInputsOfEachWriterAreRead() {
        Random random = new Random(1);
        for (int run = 0; run < 300; run++) {
            LetteredInputs list = new LetteredInputs(null);
            Set<Long> added = new TreeSet<>();
            long bound = 1L << 1 + random.nextInt(40);
            for (int i = 0; i < 1 + random.nextInt(40); i++) {
                long sequence = 1 + Math.floorMod(random.nextLong(), bound);
                list.add(7, sequence);
                added.add(sequence);
            }
            list.add(8, 3);
            LetteredInputs again = read(list, 1_000);
            assertThat(again.contains(8, 3)).isTrue();
            long newest = added.stream().max(Long::compare).orElseThrow();
            assertThat(again.newest()).isEqualTo(Math.max(3, newest));
            assertThat(again.contains(7, newest)).isTrue();
            boolean isWhole = added.stream().allMatch(each -> again.contains(7, each));
            assertThat(isWhole).isTrue();
            for (int i = 0; i < 50; i++) {
                long other = 1 + Math.floorMod(random.nextLong(), bound);
                assertThat(again.contains(7, other)).isEqualTo(added.contains(other));
                assertThat(again.contains(9, other)).isFalse();
            }
        }
    }

    @Test
    void longOutageTakesFewBytes() {
        LetteredInputs list = new LetteredInputs(null);
        for (long sequence = 1_000_000; sequence < 1_100_000; sequence++) {
            list.add(7, sequence);
        }
        LetteredInputs again = read(list, 64);
        assertThat(again.contains(7, 1_000_000)).isTrue();
        assertThat(again.contains(7, 1_099_999)).isTrue();
        assertThat(again.contains(7, 999_999)).isFalse();
    }

    @Test
    void oldestInputsAreLeftOutWithoutRoom() {
        LetteredInputs list = new LetteredInputs(null);
        for (long sequence = 2; sequence <= 4_000; sequence += 2) {
            list.add(7, sequence);
        }
        LetteredInputs again = read(list, 1_000);
        assertThat(again.contains(7, 4_000)).isTrue();
        assertThat(again.contains(7, 3_900)).isTrue();
        assertThat(again.contains(7, 3_999)).isFalse();
        assertThat(again.contains(7, 2)).isFalse();
        assertThat(read(list, 36).newest()).isZero();
    }

    @Test
    void damagedFieldsContainNothing() {
        assertThat(new LetteredInputs(new byte[3]).newest()).isZero();
        byte[] field = new byte[40];
        field[8] = 5;
        assertThat(new LetteredInputs(field).newest()).isZero();
    }
}
