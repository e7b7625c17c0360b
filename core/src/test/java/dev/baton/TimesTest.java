package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import dev.baton.spi.Incarnation;
import dev.baton.spi.support.SequenceRanges;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a message was sent, by which clock, and when that cannot be told. */
class TimesTest {
    private final HostileTransport transport = new HostileTransport();
    private final List<Long> origins = new ArrayList<>();
    private final List<Long> walls = new ArrayList<>();
    private final List<Integer> lengths = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void wallClockOriginIsForwardedBesideThePayload(boolean isChecked) {
        long before = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis() - 1);
        run(true, isChecked, 3);
        long after = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis() + 1);
        assertThat(lengths).containsExactly(8, 8, 8);
        assertThat(walls)
                .hasSize(3)
                .allMatch(wall -> wall >= before && wall <= after)
                .isSorted();
    }

    @Test
    void withoutItNothingIsAddedToAFrame() {
        run(false, false, 1);
        assertThat(walls).containsExactly(Message.UNKNOWN_TIME);
        assertThat(transport.frames("c-0").get(0).length()).isEqualTo(8);
        assertThat(transport.frames("c-0").get(0).isPlain()).isTrue();
    }

    @Test
    void timestampsOfAnotherBootAreUnknown() {
        run(false, false, 1);
        assertThat(origins.get(0)).isNotEqualTo(Message.UNKNOWN_TIME);
        HostileTransport.Topic topic = transport.topic("c-0");
        Incarnation here = topic.writers.newest();
        topic.writers = SequenceRanges.<Incarnation>none()
                .with(
                        1,
                        new Incarnation(
                                here.id(), here.topology(), here.boot() + 2, here.wallOffsetNanos(), "elsewhere"));
        topic.acknowledged.put("s1", 0L);
        transport.deleteTopics(List.of("c-1"));
        origins.clear();
        run(false, false, 1);
        assertThat(origins).hasSize(2);
        assertThat(origins.get(0)).as("written in another boot").isEqualTo(Message.UNKNOWN_TIME);
        assertThat(origins.get(1)).as("written in this one").isNotEqualTo(Message.UNKNOWN_TIME);
    }

    private void run(boolean isDated, boolean isChecked, int messages) {
        try (Loops loops = Loops.manual();
                RunningChain running = Chain.named("c")
                        .then("s1", () -> (in, out) -> out.forward(in))
                        .build()
                        .on(transport)
                        .with(loops)
                        .wallClock(isDated)
                        .checksums(isChecked)
                        .onOutput(in -> {
                            origins.add(in.originNanos());
                            walls.add(in.originWallNanos());
                            lengths.add(in.length());
                        })
                        .start()) {
            for (int i = 0; i < messages; i++) {
                running.inlet().tryClaim(8).putLong(0, i).commit(8);
                loops.turn();
            }
            loops.turn();
            assertThat(running.close(RunningChain.CLOSE_LIMIT)).isTrue();
        }
    }
}
