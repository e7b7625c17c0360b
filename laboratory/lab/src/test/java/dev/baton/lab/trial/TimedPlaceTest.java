package dev.baton.lab.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Message;
import dev.baton.lab.trial.ends.Window;
import dev.baton.measuring.data.Stage;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A chain of two services without loops: each message is shown to the three places on its way at times that are known. */
class TimedPlaceTest {
    private static final long MEASURED = 1_000_000;

    private final Window window = StartedWindow.at(0, MEASURED, 9_000_000, 0);
    private final List<TimedPlace> places = new ArrayList<>();
    private StageTimes times;
    private long now;

    private void everyMessageOf(int oneOf) {
        times = new StageTimes(List.of("one", "two"), oneOf, window, 1_000_000_000);
        for (int i = 0; i < 3; i++) {
            places.add(new TimedPlace(times, i, i == 0 ? null : places.get(i - 1), () -> now));
        }
    }

    private static Message message(long sequence, long origin, long sent) {
        return (Message) Proxy.newProxyInstance(
                Message.class.getClassLoader(),
                new Class<?>[] {Message.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "sequence" -> sequence;
                    case "originNanos" -> origin;
                    case "sentNanos" -> sent;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private void arrives(int place, long sequence, long sent, long at) {
        now = MEASURED + at;
        places.get(place).seen(message(sequence, MEASURED, MEASURED + sent));
    }

    private List<Long> longest() {
        return times.stages().stream().map(Stage::maxNanos).toList();
    }

    @Test
    void stagesAddUpToTheWhole() {
        everyMessageOf(1);
        arrives(0, 1, 10, 30);
        arrives(1, 1, 35, 50);
        arrives(2, 1, 90, 100);

        assertThat(longest()).containsExactly(20L, 5L, 15L, 40L, 10L); // 90 from the first stamp to the end
        assertThat(times.stages()).extracting(Stage::samples).containsOnly(1L);
    }

    @Test
    void topicTimeOfBatchBeginsWithTurn() {
        everyMessageOf(1);
        arrives(0, 1, 10, 30);
        arrives(0, 2, 10, 40); // its output is stamped 31 with the first one's
        arrives(1, 2, 31, 60);

        assertThat(longest()).containsExactly(30L, 0L, 20L, null, null);
    }

    @Test
    void ofManyMessagesOneIsTimed() {
        everyMessageOf(64);

        assertThat(places.get(0).isTimed(message(64, 0, 0))).isTrue();
        assertThat(places.get(0).isTimed(message(128, 0, 0))).isTrue();
        assertThat(places.get(0).isTimed(message(65, 0, 0))).isFalse();
        assertThatThrownBy(() -> new StageTimes(List.of(), 48, window, 10)).hasMessageContaining("one of 48 messages");
    }

    @Test
    void theWarmUpIsNotAmongTheStages() {
        everyMessageOf(1);
        now = MEASURED;
        places.get(0).seen(message(1, MEASURED - 1, MEASURED - 1));

        assertThat(times.stages()).extracting(Stage::samples).containsOnly(0L);
    }

    @Test
    void overwrittenTimesAreNotInvented() {
        everyMessageOf(1);
        for (long sequence = 1; sequence <= 5_000; sequence++) {
            arrives(0, sequence, sequence, sequence + 1);
        }
        arrives(1, 1, 6_000, 6_001);
        arrives(1, 5_000, 6_000, 6_002);

        assertThat(times.stages()).extracting(Stage::samples).containsExactly(5_000L, 1L, 1L, 0L, 0L);
        assertThat(times.stages()).extracting(Stage::untimed).containsExactly(0L, 1L, 1L, 0L, 0L);
    }

    @Test
    void overwrittenWarmUpTimesAreNotCounted() {
        everyMessageOf(1);
        now = MEASURED - 1;
        places.get(1).seen(message(1, MEASURED - 1, MEASURED - 1));

        assertThat(times.stages()).extracting(Stage::untimed).containsOnly(0L);
    }
}
