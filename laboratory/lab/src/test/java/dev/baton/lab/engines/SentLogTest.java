package dev.baton.lab.engines;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SentLogTest {
    private final SentLog log = new SentLog();

    @Test
    void timesRiseAlsoWhereTheClockDoesNot() {
        assertThat(List.of(log.add(1, 0, 100), log.add(2, 0, 100), log.add(3, 0, 90), log.add(4, 0, 103)))
                .containsExactly(100L, 101L, 102L, 103L);
    }

    @Test
    void sentMessagesAreFoundInAnyOrder() {
        List<Long> stamps = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            stamps.add(log.add(7L * i, i, 10L * i));
        }
        assertThat(log.find(5)).isFalse();
        for (int i : new int[] {0, 1, 2, 50, 49, 99, 3, 3}) {
            assertThat(log.find(stamps.get(i))).isTrue();
            assertThat(log.originNanos()).isEqualTo(7L * i);
            assertThat(log.tag()).isEqualTo(i);
        }
        assertThat(log.find(991)).isFalse();
        assertThat(log.find(stamps.get(4))).isTrue();
    }

    @Test
    void onlyBacklogGrowsTheLog() {
        Random random = new Random(1);
        long sent = 0;
        long received = 0;
        while (received < 200_000) {
            for (int burst = random.nextInt(20_000); burst > 0; burst--) {
                assertThat(log.add(sent, (int) sent, 2 * sent)).isEqualTo(2 * sent);
                sent++;
            }
            for (int burst = random.nextInt(20_000); burst > 0 && received < sent; burst--) {
                assertThat(log.find(2 * received)).isTrue();
                assertThat(log.originNanos()).isEqualTo(received);
                received++;
            }
        }
    }
}
