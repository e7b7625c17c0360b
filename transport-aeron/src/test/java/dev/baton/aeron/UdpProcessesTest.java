package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Readers and writers in processes of their own, which are killed. */
@Tag("long")
class UdpProcessesTest {
    private static final int FRAMES = 2_000;

    private final UdpOptions options = UdpPorts.options();

    private String[] arguments(String what, String role) {
        return new String[] {
            what,
            Integer.toString(FRAMES),
            "role=" + role,
            UdpOptions.CONTROL + "=" + options.get(UdpOptions.CONTROL),
            UdpOptions.REQUESTS + "=" + options.get(UdpOptions.REQUESTS),
            UdpOptions.TERM_LENGTH + "=" + options.get(UdpOptions.TERM_LENGTH),
            UdpOptions.MAX_PAYLOAD + "=" + options.get(UdpOptions.MAX_PAYLOAD)
        };
    }

    private UdpSide reading() {
        return new UdpSide(
                options.with(UdpOptions.ROLE, UdpOptions.Role.READER).with(UdpOptions.TIMEOUT, Duration.ofSeconds(30)));
    }

    @Test
    void killedWriterIsReportedOnceItBeginsAnew() throws Exception {
        try (UdpSide side = reading()) {
            try (AeronJvm writing = AeronJvm.start(UdpSide.class, arguments("write", "writer"))) {
                assertThat(writing.line()).isEqualTo(UdpSide.READY);
                TopicReader reader = side.reader();
                List<Long> read = side.read(reader, FRAMES / 2);
                assertThat(read)
                        .isEqualTo(
                                LongStream.rangeClosed(1, read.size()).boxed().toList());
                writing.kill();
                try (AeronJvm next = AeronJvm.start(UdpSide.class, arguments("write", "writer"))) {
                    assertThat(next.line()).isEqualTo(UdpSide.READY);
                    assertThat(side.failure(reader)).hasMessageContaining("are lost if there were any");
                    reader.close();
                    assertThat(side.read(side.reader(), FRAMES))
                            .isEqualTo(LongStream.rangeClosed(1, FRAMES).boxed().toList());
                }
            }
        }
    }

    @Test
    void consumerOfAKilledReaderContinues() throws Exception {
        try (UdpSide side = new UdpSide(options)) {
            TopicWriter writer = side.writer();
            try (AeronJvm killed = AeronJvm.start(UdpSide.class, arguments(UdpSide.CONSUMER, "reader"))) {
                side.await("its acknowledgement", () -> {
                    UdpSide.offer(writer);
                    return writer.slowestConsumer() != null
                            && writer.sequence() - writer.slowestConsumer().frames() > 100;
                });
                killed.kill();
            }
            while (UdpSide.offer(writer)) {
                side.connection.doWork();
            }
            long acknowledged = writer.sequence() - writer.slowestConsumer().frames();
            assertThat(acknowledged).isPositive();
            TopicReader reader = side.reader(); // waits until the killed one is silent
            assertThat(reader.found().acknowledged()).isEqualTo(acknowledged);
            assertThat(side.read(reader, writer.sequence()))
                    .isEqualTo(LongStream.rangeClosed(acknowledged + 1, writer.sequence())
                            .boxed()
                            .toList());
        }
    }
}
