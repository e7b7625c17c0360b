package dev.baton.lab.trial.ends;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.measuring.Mix;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PartitionNumbersTest {
    private static final int PARTITIONS = 4;
    private static final int SENT = 1_000;

    private final AtomicLong sent = new AtomicLong(SENT);
    private final PartitionNumbers numbers = of(2);
    private final List<Long> expected = LongStream.range(0, SENT)
            .filter(number -> partitionOf(number) == 2)
            .boxed()
            .toList();

    private static int partitionOf(long number) {
        return (int) Long.remainderUnsigned(Mix.of(1, number), PARTITIONS);
    }

    private PartitionNumbers of(int partition) {
        return new PartitionNumbers(PartitionNumbersTest::partitionOf, partition, sent::get);
    }

    @Test
    void indexAndNumberAreInverseInAnyOrder() {
        Random random = new Random(1);
        for (int i = 0; i < 1_000; i++) {
            int index = random.nextInt(expected.size());
            assertThat(numbers.number(index)).isEqualTo(expected.get(index));
            int other = random.nextInt(expected.size());
            assertThat(numbers.index(expected.get(other))).isEqualTo(other);
        }
    }

    @Test
    void messagesOfOtherPartitionsHaveNoIndex() {
        LongStream.range(0, SENT)
                .filter(number -> partitionOf(number) != 2)
                .forEach(number -> assertThat(numbers.index(number)).isEqualTo(-1));
    }

    @Test
    void messagesThatWereNotSentHaveNoIndex() {
        long later = LongStream.iterate(SENT + 1, number -> number + 1)
                .filter(number -> partitionOf(number) == 2)
                .findFirst()
                .orElseThrow();
        assertThat(numbers.index(later)).isEqualTo(-1);
        assertThat(numbers.contains(later)).isTrue();
        sent.set(later); // whose send is not counted yet
        assertThat(numbers.number(numbers.index(later))).isEqualTo(later);
    }

    @Test
    void unsentNumberIsReturnedAgain() {
        sent.set(expected.get(1) - 1);
        assertThat(numbers.number(1)).isEqualTo(expected.get(0));
        sent.set(expected.get(1));
        assertThat(numbers.number(1)).isEqualTo(expected.get(1));
    }

    @Test
    void countsOfAllPartitionsAddUp() {
        long sum = 0;
        for (int partition = 0; partition < PARTITIONS; partition++) {
            PartitionNumbers each = of(partition);
            assertThat(each.countBelow(0)).isZero();
            sum += each.countBelow(SENT);
            assertThat(each.countBelow(0)).isZero();
        }
        assertThat(sum).isEqualTo(SENT);
    }
}
