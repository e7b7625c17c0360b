package dev.baton.engine.writing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Environment;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WallClockTest {
    private static final long AHEAD = TimeUnit.DAYS.toNanos(20_000);
    private static final long READING_NANOS = 25;
    private static final long SUSPENSION_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long PRECISION_NANOS = 2_000;

    private final HostileTransport transport = new HostileTransport();
    private long now = TimeUnit.HOURS.toNanos(1);
    private long ahead = AHEAD;
    private int readings;
    private int suspendedAt; // the reading before which the thread is suspended; 0 for none
    private final Environment clocks = (Environment) Proxy.newProxyInstance(
            Environment.class.getClassLoader(),
            new Class<?>[] {Environment.class},
            (proxy, method, given) -> read(method.getName()));

    @BeforeEach
    void createTopic() {
        transport.createTopics(List.of("t"));
        transport.room = 100;
    }

    private long read(String clock) {
        now += ++readings == suspendedAt ? SUSPENSION_NANOS : READING_NANOS;
        return switch (clock) {
            case "nanoTime" -> now;
            case "wallNanos" -> (now + ahead) / 1_000 * 1_000;
            default -> throw new UnsupportedOperationException(clock);
        };
    }

    @Test
    void suspensionBetweenReadingsShiftsNoTime() {
        WriterOutlet outlet = outlet();
        for (int reading = 1; reading <= 4; reading++) {
            send(outlet, now);
            readings = 0;
            suspendedAt = reading;
            send(outlet, now);
            suspendedAt = 0;
        }
        send(outlet, now);
        assertThat(walls()).hasSize(9).isSorted();
        assertAhead(0, AHEAD);
    }

    @Test
    void suspensionInFirstReadingShiftsNoTime() {
        for (int reading = 1; reading <= 4; reading++) {
            readings = 0;
            suspendedAt = reading;
            WriterOutlet outlet = outlet();
            send(outlet, now);
            outlet.writer().close();
        }
        assertThat(walls()).hasSize(4);
        assertAhead(0, AHEAD);
    }

    @Test
    void adjustedWallClockIsFollowedAtOnce() {
        WriterOutlet outlet = outlet();
        send(outlet, now);
        ahead += TimeUnit.HOURS.toNanos(2);
        send(outlet, now);
        assertAhead(1, ahead);
        ahead -= TimeUnit.HOURS.toNanos(3);
        send(outlet, now);
        assertAhead(2, ahead);
    }

    /** Asserts by how much the times of a frame and of all later ones are ahead of their origins. */
    private void assertAhead(int first, long expected) {
        List<Frame> frames = transport.frames("t");
        for (Frame frame : frames.subList(first, frames.size())) {
            assertThat(wall(frame) - frame.originNanos()).isCloseTo(expected, within(PRECISION_NANOS));
        }
    }

    private long[] walls() {
        return transport.frames("t").stream()
                .flatMapToLong(frame -> LongStream.of(wall(frame)))
                .toArray();
    }

    private static long wall(Frame frame) {
        return frame.getFieldLong(frame.field(Extension.WALL_CLOCK));
    }

    private WriterOutlet outlet() {
        WriterOutlet outlet = new WriterOutlet(
                new WriterFactory(false, true, false, 500, "")
                        .ofSource(transport.connect().openWriter("t"), clocks),
                0,
                clocks,
                null);
        outlet.beginSource();
        return outlet;
    }

    private static void send(WriterOutlet outlet, long origin) {
        outlet.claim(8, origin).commit(8);
        outlet.writer().flush();
    }
}
