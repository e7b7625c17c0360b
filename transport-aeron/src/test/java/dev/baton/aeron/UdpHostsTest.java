package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two hosts: network namespaces with a link between them. Needs root and iproute2, and is skipped without them. */
@Tag("slow")
class UdpHostsTest {
    private static final int FRAMES = 5_000;

    /** Makes both, and removes them when its input ends, also when this process is killed; its addresses are those for benchmarks. */
    private static final String SCRIPT = """
            trap '' INT TERM HUP
            a="bu$$a" b="bu$$b"
            ip netns add "$a" && ip netns add "$b" \
            && ip link add eth0 netns "$a" type veth peer name eth0 netns "$b" \
            && ip -n "$a" address add 198.18.0.1/24 dev eth0 && ip -n "$b" address add 198.18.0.2/24 dev eth0 \
            && ip -n "$a" link set eth0 up && ip -n "$b" link set eth0 up \
            && ip -n "$a" link set lo up && ip -n "$b" link set lo up && echo "$$" && read -r end
            ip netns delete "$a"
            ip netns delete "$b"
            """;

    private static Process hosts;
    private static String made;

    @BeforeAll
    static void make() throws IOException {
        hosts = new ProcessBuilder("/bin/sh", "-c", SCRIPT)
                .redirectErrorStream(true)
                .start();
        made = hosts.inputReader().readLine();
        assumeTrue(made != null && made.matches("[0-9]+"), "no network namespaces: " + made);
    }

    @AfterAll
    static void remove() throws Exception {
        hosts.getOutputStream().close();
        if (!hosts.waitFor(10, TimeUnit.SECONDS)) {
            hosts.destroyForcibly();
        }
    }

    private static AeronJvm start(String host, String what, String... options) {
        String role = what.equals("write") ? "role=writer" : "role=reader";
        return AeronJvm.startOn(
                List.of("ip", "netns", "exec", "bu" + made + host),
                UdpSide.class,
                Stream.concat(Stream.of(what, Integer.toString(FRAMES), role), Stream.of(options))
                        .toArray(String[]::new));
    }

    @Test
    void readersOnAnotherHostReceiveEverything() {
        String[] options = {"control=198.18.0.1:40456", "requests=198.18.0.1:40457"};
        try (AeronJvm reader = start("b", "read", options); // before the writer
                AeronJvm writer = start("a", "write", options)) {
            assertThat(writer.line()).isEqualTo(UdpSide.READY);
            try (AeronJvm other = start("b", "read-other", options)) {
                for (AeronJvm each : List.of(reader, other)) {
                    assertThat(each.line()).isEqualTo(UdpSide.READY);
                    assertThat(each.line()).isEqualTo(Integer.toString(FRAMES));
                }
            }
            assertThat(writer.line()).isEqualTo(Integer.toString(FRAMES));
        }
    }

    @Test
    void readerOnAnotherHostReceivesByUnicast() {
        String[] options = {"endpoint=198.18.0.2:40456", "requests=198.18.0.1:40457"};
        try (AeronJvm writer = start("a", "write", options);
                AeronJvm reader = start("b", "read", options)) {
            assertThat(writer.line()).isEqualTo(UdpSide.READY);
            assertThat(reader.line()).isEqualTo(UdpSide.READY);
            assertThat(reader.line()).isEqualTo(Integer.toString(FRAMES));
            assertThat(writer.line()).isEqualTo(Integer.toString(FRAMES));
        }
    }
}
