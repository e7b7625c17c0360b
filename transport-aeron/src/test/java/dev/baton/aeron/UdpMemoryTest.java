package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.errors.TransportException;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The creation of more topics than a process has memory for, of which each takes three quarters of a term. */
@Tag("slow")
class UdpMemoryTest {
    private static final int MORE = 40; // of 3 MiB, and the process has 64 MiB

    @Test
    void topicsWithoutMemoryAreNotCreated() throws Exception {
        UdpOptions ports = UdpPorts.options();
        try (AeronJvm process =
                AeronJvm.start(UdpMemoryTest.class, ports.get(UdpOptions.CONTROL), ports.get(UdpOptions.REQUESTS))) {
            assertThat(process.line()).contains("gets no memory", "term-length");
            assertThat(process.line()).isEqualTo("[first]");
            assertThat(process.line()).isEqualTo("[next]");
            assertThat(process.exitCode()).isZero();
        }
    }

    /** Prints the failure, the topics that are left, and those that are created then. */
    public static void main(String[] addresses) {
        UdpOptions options = UdpOptions.parse(new TreeMap<>())
                .with(UdpOptions.CONTROL, addresses[0])
                .with(UdpOptions.REQUESTS, addresses[1])
                .with(UdpOptions.TERM_LENGTH, 4 << 20);
        try (UdpTransport transport = UdpTransport.open(options)) {
            transport.createTopics(List.of("first"));
            List<String> more =
                    IntStream.range(0, MORE).mapToObj(number -> "more" + number).toList();
            try {
                transport.createTopics(more);
            } catch (TransportException | OutOfMemoryError refused) {
                System.out.println(refused.getMessage());
            }
            Set<String> left = transport.topics();
            System.out.println(left);
            System.out.println(transport.createTopics(List.of("next")));
        }
    }
}
