package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Chain;
import dev.baton.Merge;
import dev.baton.RunningChain;
import dev.baton.run.Loops;
import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.TopicWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a branch and a merge have left when their process was killed while they were at work. */
@Tag("slow")
class KilledMergeTest {
    private static final int KILLS = 2;
    private static final Merge MERGE =
            Merge.named("trail").from("source").from("branch-1").build();
    private static final Chain BRANCH = Chain.named("branch")
            .from("source", in -> in.getLong(0) % 3 == 0)
            .then("pass", () -> (in, out) -> out.forward(in))
            .build();

    private final TemporaryDirectory directory = new TemporaryDirectory();

    @AfterEach
    void remove() {
        directory.close();
    }

    @Test
    void killedProcessRepeatsAndDropsNothing() throws InterruptedException {
        for (int i = 0; i < KILLS; i++) {
            try (QueueProcess child =
                    QueueProcess.start(MergesUntilKilled.class, directory.path().toString())) {
                String line = child.line();
                while (line != null && line.contains(" WARN ")) { // of a lock that the one killed before has left
                    line = child.line();
                }
                assertThat(line).isEqualTo(MergesUntilKilled.MERGING);
                child.kill();
            }
        }
        try (ChronicleTransport transport = ChronicleTransport.in(directory.path(), Topic.SMALL)) {
            try (Loops loops = Loops.cooperative(1);
                    RunningChain branch = BRANCH.on(transport).with(loops).start();
                    RunningChain merge = MERGE.on(transport).with(loops).start()) {
                Duration limit = Duration.ofSeconds(30);
                assertThat(branch.close(limit)).isTrue();
                assertThat(merge.close(limit)).isTrue();
            }
            long written = newest(transport, "source");
            assertThat(written).isGreaterThan(KILLS * MergesUntilKilled.FRAMES);
            assertThat(newest(transport, MERGE.topic())).isEqualTo(written + written / 3);
            audit(transport, written);
        }
    }

    private static long newest(ChronicleTransport transport, String topic) {
        try (TopicInspector inspector = transport.inspect(topic)) {
            return inspector.newestSequence();
        }
    }

    /** Values and causes of each input, read by a tap, which names the input. */
    private static void audit(ChronicleTransport transport, long written) {
        long[] newest = new long[2];
        try (Loops loops = Loops.cooperative(1);
                RunningChain tap = Chain.tap("audit", MERGE.topic())
                        .on(transport)
                        .with(loops)
                        .onOutput(in -> {
                            boolean isBranch = MERGE.inputOf(in).equals("branch-1");
                            int input = isBranch ? 1 : 0;
                            newest[input]++;
                            assertThat(in.cause()).isEqualTo(newest[input]);
                            assertThat(in.getLong(0)).isEqualTo(isBranch ? 3 * newest[input] : newest[input]);
                        })
                        .start()) {
            assertThat(tap.close(Duration.ofSeconds(30)))
                    .as(tap.failure().toString())
                    .isTrue();
        }
        assertThat(newest).containsExactly(written, written / 3);
    }

    static final class MergesUntilKilled {
        static final String MERGING = "merging";
        static final int FRAMES = 3_000;

        private MergesUntilKilled() {}

        public static void main(String[] arguments) {
            ChronicleTransport transport = ChronicleTransport.in(Path.of(arguments[0]), Topic.SMALL);
            transport.createTopics(List.of("source"));
            Loops loops = Loops.cooperative(1);
            BRANCH.on(transport).with(loops).start();
            MERGE.on(transport).with(loops).start();
            Connection connection = transport.connect();
            TopicWriter writer = connection.openWriter("source");
            long first = writer.sequence();
            while (true) {
                if (writer.remainingCapacity() > 0) {
                    Frame frame = writer.claim(Long.BYTES);
                    frame.putLong(0, writer.sequence() + 1);
                    frame.stamp(0, 0, 0, 0, 0);
                    writer.commit(Long.BYTES);
                    writer.flush();
                }
                if (writer.sequence() == first + FRAMES + 1) {
                    System.out.println(MERGING);
                }
            }
        }
    }
}
