package dev.baton.measuring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.measuring.DeliveryAccount.Arrival;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeliveryAccountTest {
    private final DeliveryAccount account = new DeliveryAccount();

    @Test
    void messagesInOrderAreDelivered() {
        assertThat(arrive(0, 1, 2)).containsOnly(Arrival.IN_ORDER);
        assertThat(account.deliveredCount()).isEqualTo(3);
        assertThat(account.lostCount(3)).isZero();
    }

    @Test
    void aGapIsLostUntilItIsFilled() {
        assertThat(arrive(0, 3)).containsExactly(Arrival.IN_ORDER, Arrival.AFTER_GAP);
        assertThat(account.lostCount(4)).isEqualTo(2);
        assertThat(arrive(2, 1)).containsOnly(Arrival.REORDERED);
        assertThat(account.lostCount(4)).isZero();
        assertThat(account.reorderedCount()).isEqualTo(2);
    }

    @Test
    void secondArrivalIsADuplicate() {
        arrive(0, 1, 4, 2);
        assertThat(arrive(0, 4, 2)).containsOnly(Arrival.DUPLICATE);
        assertThat(account.duplicatedCount()).isEqualTo(3);
        assertThat(account.deliveredCount()).isEqualTo(4);
    }

    @Test
    void missingLastMessagesAreLost() {
        arrive(0, 1, 5);

        assertThat(account.lostCount(10)).isEqualTo(7);
        assertThat(lost(account, 10)).containsExactly(2L, 3L, 4L, 6L, 7L, 8L, 9L);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void agreesWithASetOnAnyFaults(long seed) {
        Random random = new Random(seed);
        int sent = 5_000;
        List<Integer> arrivals = new ArrayList<>();
        for (int i = 0; i < sent; i++) {
            int copies = random.nextInt(20) == 0 ? random.nextInt(3) : 1;
            for (int c = 0; c < copies; c++) {
                int back = random.nextInt(10) == 0 ? random.nextInt(200) : 0;
                arrivals.add(Math.max(0, arrivals.size() - back), i);
            }
        }
        BitSet seen = new BitSet();
        int duplicates = 0;
        int reordered = 0;
        int newest = -1;
        for (int number : arrivals) {
            if (seen.get(number)) {
                duplicates++;
            } else if (number < newest) {
                reordered++;
            }
            seen.set(number);
            newest = Math.max(newest, number);
            account.arrived(number);
        }

        assertThat(account.unplacedCount()).isZero();
        assertThat(account.duplicatedCount()).isEqualTo(duplicates);
        assertThat(account.reorderedCount()).isEqualTo(reordered);
        assertThat(account.deliveredCount()).isEqualTo(seen.cardinality());
        assertThat(account.lostCount(sent)).isEqualTo(sent - seen.cardinality());
        assertThat(lost(account, sent)).noneMatch(number -> seen.get(number.intValue()));
    }

    @Test
    void gapsBeyondTheLimitAreCounted() {
        DeliveryAccount small = new DeliveryAccount(2);
        for (int number = 1; number < 20; number += 2) {
            small.arrived(number);
        }

        assertThat(small.unplacedCount()).isEqualTo(8);
        assertThat(small.lostCount(20)).isEqualTo(10);
        assertThat(small.arrived(18)).isEqualTo(Arrival.REORDERED);
        assertThat(small.lostCount(20)).isEqualTo(9);
    }

    @Test
    void splittingRangeOfFullSetKeepsCount() {
        DeliveryAccount small = new DeliveryAccount(1);
        small.arrived(10);
        small.arrived(5);

        assertThat(small.lostCount(11)).isEqualTo(9);
        assertThat(small.arrived(7)).isEqualTo(Arrival.REORDERED);
        assertThat(small.lostCount(11)).isEqualTo(8);
    }

    private List<Arrival> arrive(long... numbers) {
        List<Arrival> arrivals = new ArrayList<>();
        for (long number : numbers) {
            arrivals.add(account.arrived(number));
        }
        return arrivals;
    }

    private static List<Long> lost(DeliveryAccount account, long sent) {
        List<Long> lost = new ArrayList<>();
        account.forEachLost(sent, (first, last) -> {
            for (long number = first; number <= last; number++) {
                lost.add(number);
            }
        });
        return lost;
    }
}
