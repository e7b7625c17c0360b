package dev.baton.lab.study.density;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chronicle.ChronicleProvider;
import dev.baton.disruptor.DisruptorProvider;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Shape;
import dev.baton.measuring.machine.SystemLimits;
import dev.baton.spi.TransportProvider;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a number of instances needs, against machines of made-up size. */
class AvailableResourcesTest {
    private static final long GIBI = 1L << 30;
    private static final double SECONDS = 40;

    private static final ResourceModel CHRONICLE = needs(new ChronicleProvider(), Map.of(), false);
    private static final ResourceModel RINGS =
            needs(new DisruptorProvider(), Map.of("slots", "256", "max-payload", "16"), false);
    private static final ResourceModel THREADS = needs(new DisruptorProvider(), Map.of("slots", "256"), true);

    @Test
    void fittingNeedsHaveNoShortage() {
        assertThat(supply(24, 100, false, 20_000, 65_530, 30_000).shortage(CHRONICLE.at(500, SECONDS)))
                .isNull();
    }

    @Test
    void tooFewOpenFilesNameTheRemedy() {
        AvailableResources.MissingResource shortage =
                supply(24, 100, false, 1024, 65_530, 30_000).shortage(CHRONICLE.at(500, SECONDS));
        assertThat(shortage.text(500))
                .isEqualTo("500 instances need 6,100 open files, there are 1,024: raise it with 'ulimit -n 6100'");
    }

    @Test
    void tooFewMapsNameTheRemedy() {
        assertThat(supply(24, 100, false, 100_000, 5_000, 30_000)
                        .shortage(CHRONICLE.at(500, SECONDS))
                        .text(500))
                .isEqualTo("500 instances need 14,300 memory maps, there are 5,000: raise it with 'sudo sysctl -w"
                        + " vm.max_map_count=14300'");
    }

    @Test
    void tooFewThreadsNameTheRemedy() {
        assertThat(supply(24, 100, false, 100_000, 65_530, 1_000)
                        .shortage(THREADS.at(500, SECONDS))
                        .text(500))
                .isEqualTo("500 instances need 3,560 threads, there are 1,000: raise it with 'ulimit -u unlimited'");
        assertThat(RINGS.at(500, SECONDS).threads()).as("shared").isLessThan(100);
    }

    @Test
    void tooLittleMemoryIsReportedBeforeSwapping() {
        assertThat(supply(1, 100, false, 100_000, 65_530, 30_000)
                        .shortage(RINGS.at(10_000, SECONDS))
                        .text(10_000))
                .startsWith("10,000 instances need ")
                .contains(" GiB of memory, there are 0.9 GiB: lower --max");
    }

    @Test
    void queuesInMemoryCountAsMemory() {
        AvailableResources disk = supply(8, 100, false, 100_000, 65_530, 30_000);
        AvailableResources memory = supply(8, 100, true, 100_000, 65_530, 30_000);
        assertThat(disk.shortage(CHRONICLE.at(500, SECONDS))).isNull();
        assertThat(memory.shortage(CHRONICLE.at(500, SECONDS)).text(500))
                .contains(
                        " GiB of memory, /queues included, there are 7.2 GiB: lower --duration, or name a directory on a"
                                + " disk with --dir");
    }

    @Test
    void tooLittleDiskSpaceIsReported() {
        assertThat(supply(24, 1, false, 100_000, 65_530, 30_000)
                        .shortage(CHRONICLE.at(500, SECONDS))
                        .text(500))
                .contains(" GiB free in /queues, there are 0.9 GiB: lower --duration");
    }

    @Test
    void greatestFittingNumberHasNoShortage() {
        AvailableResources supply = supply(24, 100, false, 20_000, 65_530, 30_000);
        int most = CHRONICLE.most(supply, SECONDS, 100_000);
        assertThat(supply.shortage(CHRONICLE.at(most, SECONDS))).isNull();
        assertThat(supply.shortage(CHRONICLE.at(most + 1, SECONDS))).isNotNull();
        assertThat(CHRONICLE.most(supply, SECONDS, 10)).isEqualTo(10);
        assertThat(CHRONICLE.most(supply(24, 100, false, 50, 65_530, 30_000), SECONDS, 10))
                .isZero();
    }

    @Test
    void directMemoryFollowsTheRings() {
        ResourceModel large = needs(new DisruptorProvider(), Map.of("slots", "4096"), false);
        assertThat(large.at(100, SECONDS).directBytes())
                .isGreaterThan(16 * RINGS.at(100, SECONDS).directBytes() / 2);
        assertThat(RINGS.at(3_000, SECONDS).memoryBytes()).isLessThan(2 * GIBI);
    }

    private static ResourceModel needs(TransportProvider provider, Map<String, String> options, boolean isSplit) {
        Load load = new Load(1000, Load.Arrivals.EVEN, 1);
        return ResourceModel.of(provider.topicFootprint(options), 0, new Shape(5, 1, 0), load, isSplit, 1);
    }

    private static AvailableResources supply(
            long memory, long disk, boolean isMemory, long descriptors, long maps, long threads) {
        return new AvailableResources(
                new SystemLimits(memory * GIBI, descriptors, maps, threads, "ulimit -u unlimited"),
                Path.of("/queues"),
                disk * GIBI,
                isMemory);
    }
}
