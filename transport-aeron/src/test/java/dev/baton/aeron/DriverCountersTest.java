package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.aeron.driver.DriverCounters;
import dev.baton.spi.Transport;
import io.aeron.CncFileDescriptor;
import io.aeron.CommonContext;
import io.aeron.driver.Configuration;
import io.aeron.driver.ext.DebugChannelEndpointConfiguration;
import io.aeron.driver.ext.DebugReceiveChannelEndpointSupplier;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.agrona.IoUtil;
import org.agrona.concurrent.errors.ErrorLogReader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counters of a media driver in a process of its own, as the transports over it report them. */
@Tag("slow")
class DriverCountersTest {
    private static final String ERRORS = "media driver errors";
    private static final String TIMEOUTS = "client timeouts";
    private static final String NAKS = "NAKs sent";
    private static final String RETRANSMITS = "retransmits sent";
    private static final String FILLS = "loss gap fills";
    private static final String BACK_PRESSURE = "back-pressure events";

    /** Of each ten packets of data the driver drops one. */
    private static final String[] LOSSES = {
        "-D" + Configuration.RECEIVE_CHANNEL_ENDPOINT_SUPPLIER_PROP_NAME + "="
                + DebugReceiveChannelEndpointSupplier.class.getName(),
        "-D" + DebugChannelEndpointConfiguration.RECEIVE_DATA_LOSS_RATE_PROP_NAME + "=0.1"
    };

    private static final Duration LIVENESS = Duration.ofSeconds(2);
    private static final int FRAMES = 2_000;

    @TempDir
    Path directory;

    @Test
    void embeddedDriversHaveNone() {
        try (AeronTransport transport = AeronTransport.open()) {
            assertThat(transport.counters()).isEmpty();
        }
    }

    @Test
    void lossesOverUdpAreCounted() {
        try (ArchiveJvm archive = ArchiveJvm.start(LIVENESS, LOSSES);
                ArchiveTopic topic = ArchiveTopic.in(
                        ArchiveOptions.defaults()
                                .with(ArchiveOptions.DRIVER, archive.driver())
                                .with(ArchiveOptions.ARCHIVE, archive.address())
                                .with(ArchiveOptions.TERM_LENGTH, AeronOptions.LEAST_TERM),
                        "lossy")) {
            topic.store(topic.writer(), FRAMES, 100);
            Map<String, Long> counters = topic.transport.counters();
            assertThat(counters)
                    .containsOnlyKeys(ERRORS, TIMEOUTS, NAKS, RETRANSMITS, FILLS, BACK_PRESSURE)
                    .hasEntrySatisfying(NAKS, count -> assertThat(count).isPositive())
                    .hasEntrySatisfying(RETRANSMITS, count -> assertThat(count).isPositive())
                    .containsEntry(FILLS, 0L);
            // On a busy machine the Archive may log that a keep-alive came too late.
            assertThat(counters.get(ERRORS)).isBetween(0L, errorsOf(archive.driver()));
        }
    }

    /** Returns the number of errors that a driver has logged. */
    private static long errorsOf(Path driver) {
        LongAdder errors = new LongAdder();
        MappedByteBuffer cnc = IoUtil.mapExistingFile(
                driver.resolve(CncFileDescriptor.CNC_FILE).toFile(), "cnc");
        try {
            ErrorLogReader.read(CommonContext.errorLogBuffer(cnc), (count, first, last, text) -> errors.add(count));
        } finally {
            IoUtil.unmap(cnc);
        }
        return errors.sum();
    }

    @Test
    void clientsThatTheDriverHasDroppedAreCounted() throws Exception {
        try (ArchiveJvm driver = ArchiveJvm.start(LIVENESS);
                Transport transport =
                        AeronTransport.open(AeronOptions.defaults().with(AeronOptions.DRIVER, driver.driver()))) {
            assertThat(transport.counters()).containsEntry(TIMEOUTS, 0L).containsEntry(NAKS, 0L);
            transport.createTopics(List.of("t"));
            AeronEnds.until(
                    "the driver to drop a client without turns",
                    () -> transport.counters().get(TIMEOUTS) == 1);
        }
    }

    @Test
    void unreadableCountersAreEmpty() throws IOException {
        assertThat(DriverCounters.of(directory)).isEmpty();
        CncFiles.ofAFailedStart(directory);
        assertThat(DriverCounters.of(directory)).isEmpty();
    }

    @Test
    void countersOfAnotherVersionAreEmpty() throws IOException {
        try (TestDriver driver = TestDriver.start(LIVENESS)) {
            CncFiles.ofAnotherVersion(driver.directory(), directory);
            assertThat(DriverCounters.of(directory)).isEmpty();
            assertThat(DriverCounters.of(driver.directory())).containsEntry(ERRORS, 0L);
        }
    }
}
