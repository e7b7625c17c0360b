package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TopicMismatchException;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.driver.ext.DebugReceiveChannelEndpoint;
import io.aeron.driver.ext.DebugSendChannelEndpoint;
import io.aeron.driver.ext.LossGenerator;
import io.aeron.driver.ext.RandomLossGenerator;
import io.aeron.protocol.DataHeaderFlyweight;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.agrona.IoUtil;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Datagrams that Aeron's generators of loss drop, and a reader whose media driver stands still until its image is lost. */
@Tag("long")
class UdpLossTest {
    private static final int FRAMES = 3_000;
    private static final double RATE = 0.1;
    private static final Duration LIVENESS = Duration.ofSeconds(1);

    /** Readers and writer have one driver, which loses data, status messages and requests in both directions. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void lostDatagramsAreSentAgain(boolean isUnicast) throws Exception {
        Path directory =
                Files.createTempDirectory(AeronOptions.defaults().get(AeronOptions.DIRECTORY), "baton-driver-test-");
        long[] seed = {43};
        MediaDriver.Context context = new MediaDriver.Context()
                .aeronDirectoryName(directory.toString())
                .threadingMode(ThreadingMode.SHARED)
                .dirDeleteOnStart(true)
                .sendChannelEndpointSupplier((channel, status, of) -> new DebugSendChannelEndpoint(
                        channel,
                        status,
                        of,
                        new RandomLossGenerator(RATE, seed[0]++),
                        new RandomLossGenerator(RATE, seed[0]++)))
                .receiveChannelEndpointSupplier((channel, dispatcher, status, of) -> new DebugReceiveChannelEndpoint(
                        channel,
                        dispatcher,
                        status,
                        of,
                        new RandomLossGenerator(RATE, seed[0]++),
                        new RandomLossGenerator(RATE, seed[0]++)));
        UdpOptions options = isUnicast ? UdpPorts.unicast() : UdpPorts.options();
        try (MediaDriver driver = MediaDriver.launch(context);
                UdpSide writing = new UdpSide(options.with(UdpOptions.DRIVER, Path.of(driver.aeronDirectoryName())));
                UdpSide reading = new UdpSide(options.with(UdpOptions.DRIVER, Path.of(driver.aeronDirectoryName()))
                        .with(UdpOptions.ROLE, UdpOptions.Role.READER))) {
            TopicWriter writer = writing.writer();
            TopicReader reader = writing.admit(reading);
            List<Long> read = new ArrayList<>();
            writing.await(
                    FRAMES + " frames",
                    () -> {
                        if (writer.sequence() < FRAMES) {
                            UdpSide.offer(writer);
                        }
                        UdpSide.poll(reader, read);
                        return read.size() >= FRAMES;
                    },
                    reading);
            assertThat(read).isEqualTo(LongStream.rangeClosed(1, FRAMES).boxed().toList());
        } finally {
            IoUtil.delete(directory.toFile(), true);
        }
    }

    /** A driver that never gets the stream of the topic, as one that has no room for its log. */
    @Test
    void streamThatDoesNotArriveIsReported() throws Exception {
        Path directory =
                Files.createTempDirectory(AeronOptions.defaults().get(AeronOptions.DIRECTORY), "baton-driver-test-");
        LossGenerator none = (address, buffer, length) -> false;
        LossGenerator topic = (address, buffer, length) ->
                buffer.getInt(DataHeaderFlyweight.STREAM_ID_FIELD_OFFSET, ByteOrder.LITTLE_ENDIAN)
                        == UdpSide.TOPIC.hashCode();
        MediaDriver.Context context = new MediaDriver.Context()
                .aeronDirectoryName(directory.toString())
                .threadingMode(ThreadingMode.SHARED)
                .dirDeleteOnStart(true)
                .receiveChannelEndpointSupplier((channel, dispatcher, status, of) ->
                        new DebugReceiveChannelEndpoint(channel, dispatcher, status, of, topic, none));
        UdpOptions options = UdpPorts.options().with(UdpOptions.CONSUMER_TIMEOUT, Duration.ZERO);
        try (MediaDriver driver = MediaDriver.launch(context);
                UdpSide writing = new UdpSide(options);
                UdpSide reading = new UdpSide(options.with(UdpOptions.DRIVER, Path.of(driver.aeronDirectoryName()))
                        .with(UdpOptions.TIMEOUT, Duration.ofSeconds(1))
                        .with(UdpOptions.ROLE, UdpOptions.Role.READER))) {
            TopicWriter writer = writing.writer();
            writing.write(writer, 1);
            TopicReader reader = writing.admit(reading);
            assertThat(reading.failure(reader, writing))
                    .hasMessageContainingAll("has not arrived within timeout=1s", UdpOptions.CONTROL.toString());
            writing.await(
                    "a consumer that the failed reader has left", () -> writer.slowestConsumer() == null, reading);
        } finally {
            IoUtil.delete(directory.toFile(), true);
        }
    }

    @Test
    void readerWhoseImageWasLostContinues() {
        try (TestDriver driver = TestDriver.start(LIVENESS)) {
            UdpOptions options = UdpPorts.options();
            try (UdpSide writing = new UdpSide(options);
                    UdpSide reading = reading(options, driver)) {
                TopicWriter writer = writing.writer();
                TopicReader reader = writing.admit(reading);
                writing.write(writer, 10, reading);
                List<Long> read = reading.read(reader, 10, writing);
                cutOff(driver, writing, writer, reading, true);
                read.addAll(reading.read(reader, writer.sequence(), writing));
                assertThat(read)
                        .isEqualTo(LongStream.rangeClosed(1, writer.sequence())
                                .boxed()
                                .toList());
                assertThat(writer.sequence()).isGreaterThan(10);
            }
        }
    }

    @Test
    void framesMissedByACutReaderAreNamed() {
        try (TestDriver driver = TestDriver.start(LIVENESS)) {
            UdpOptions options = UdpPorts.options().with(UdpOptions.CONSUMER_TIMEOUT, Duration.ZERO);
            try (UdpSide writing = new UdpSide(options);
                    UdpSide reading = reading(options, driver)) {
                TopicWriter writer = writing.writer();
                TopicReader reader = writing.admit(reading);
                writing.write(writer, 10, reading);
                assertThat(reading.read(reader, 10, writing)).hasSize(10);
                cutOff(driver, writing, writer, reading, false);
                writing.write(writer, 20 * options.window() / 48);
                driver.goOn();
                List<Long> read = new ArrayList<>();
                writing.await(
                        "the failure",
                        () -> {
                            if (reader.failure() == null) {
                                UdpSide.poll(reader, read);
                            }
                            return reader.failure() != null;
                        },
                        reading);
                long next = 10 + read.size() + 1;
                assertThat(read).isEqualTo(LongStream.range(11, next).boxed().toList());
                assertThat(reader.failure())
                        .isInstanceOf(TopicMismatchException.class)
                        .hasMessageContaining("no longer has the frames " + next + " to ");
            }
        }
    }

    private static UdpSide reading(UdpOptions options, TestDriver driver) {
        return new UdpSide(options.with(UdpOptions.ROLE, UdpOptions.Role.READER)
                .with(UdpOptions.DRIVER, driver.directory())
                .with(UdpOptions.TIMEOUT, Duration.ofSeconds(30)));
    }

    /** Stops the reader's driver until its image has timed out, while the writer fills the window. */
    private static void cutOff(
            TestDriver driver, UdpSide writing, TopicWriter writer, UdpSide reading, boolean goesOn) {
        driver.standStill();
        long end = System.nanoTime() + 3 * LIVENESS.toNanos();
        writing.await(
                "the end of the image",
                () -> {
                    if (goesOn) {
                        UdpSide.offer(writer);
                    }
                    return System.nanoTime() > end;
                },
                reading);
        if (goesOn) {
            driver.goOn();
        }
    }
}
