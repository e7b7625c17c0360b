package dev.baton.lab.engines.cooperative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.aeron.AeronProvider;
import dev.baton.chronicle.ChronicleProvider;
import dev.baton.lab.engines.PassedOptions;
import dev.baton.lab.engines.Pause;
import dev.baton.lab.engines.QueueLibrary;
import dev.baton.lab.engines.StreamLibrary;
import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.rig.ChainEnds;
import dev.baton.measuring.rig.MessageSink;
import dev.baton.measuring.rig.MessageSource;
import dev.baton.operations.settings.Subject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import net.openhft.posix.PosixAPI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StepsTest {
    private static final Pause NONE = new Pause(Pause.Kind.SPIN, 0);
    private static final int PAYLOAD = 200;
    private static final List<String> TOPICS = List.of("a", "b", "c");

    @TempDir
    private Path directory;

    private int received;

    private ChainEnds ends() {
        PayloadPattern pattern = new PayloadPattern(PAYLOAD, 1);
        return new ChainEnds() {
            @Override
            public int index() {
                return 0;
            }

            @Override
            public MessageSource generator() {
                throw new UnsupportedOperationException("the test sends");
            }

            @Override
            public MessageSink receiver() {
                return (origin, tag, hops, length, payload) -> received++;
            }

            @Override
            public PayloadPattern pattern() {
                return pattern;
            }
        };
    }

    /** Sends messages one by one through the chain, one turn of each step after each message. */
    private void carry(StepLibrary library, int messages) {
        library.createTopics(TOPICS);
        StepLibrary.Chain chain =
                library.chain(ends(), TOPICS, Collections.nCopies(TOPICS.size() + 1, StepLibrary.Io.NONE));
        chain.steps().forEach(LoopStep::open);
        for (int sent = 1; sent <= messages; sent++) {
            assertThat(chain.entry().trySend(sent, 0, 0)).isTrue();
            assertThat(chain.entry().flush()).as("message %d has room", sent).isTrue();
            chain.steps().forEach(LoopStep::turn);
            assertThat(received).as("after message %d", sent).isEqualTo(sent);
            if (sent % 1_000 == 0) {
                System.gc(); // Chronicle holds its index pages by weak references, and reads them again
            }
        }
        chain.steps().forEach(LoopStep::close);
        chain.entry().close();
    }

    @Test
    void fragmentsPassTermsWithoutWaiting() {
        Map<String, String> options = Map.of("term-length", "64k", "driver-dir", directory.toString());
        PassedOptions settings = new PassedOptions(
                new Subject(Subject.REFERENCE_COOPERATIVE, "aeron", options), new AeronProvider().options());
        try (FragmentSteps steps = new FragmentSteps(new StreamLibrary(settings, NONE, true), 256)) {
            carry(steps, 2_000); // some 8 terms
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1024", "4"}) // no further index page, or one after each 4,096 excerpts
    void excerptsThatWereReadFreeTheirSpace(String spacing) throws Exception {
        Map<String, String> options = Map.of(
                "dir", directory.toString(), "block-size", "256k", "index-count", "1024", "index-spacing", spacing);
        PassedOptions settings = new PassedOptions(
                new Subject(Subject.REFERENCE_COOPERATIVE, "chronicle", options), new ChronicleProvider().options());
        try (ExcerptSteps steps = new ExcerptSteps(new QueueLibrary(settings, NONE, false, true), 256)) {
            carry(steps, 20_000); // some 5 MB in each queue
        }
        assertThat(usedKilobytes()).isLessThan(6_000);
    }

    @Test
    void excerptsAreSyncedWithDurabilityHost() {
        PosixAPI.posix(); // an interrupted thread could not load its native library
        try (ExcerptSteps steps = steps("process")) {
            Thread.currentThread().interrupt();
            carry(steps, 1);
            assertThat(Thread.interrupted()).isTrue();
        }
        received = 0;
        try (ExcerptSteps steps = steps("host")) {
            carry(steps, 100);
            Thread.currentThread().interrupt(); // which is what a sync of an interrupted thread fails for
            assertThatThrownBy(() -> carry(steps, 1)).hasMessageContaining("cannot sync");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    private ExcerptSteps steps(String durability) {
        Map<String, String> options =
                Map.of("dir", directory.resolve(durability).toString(), "block-size", "256k", "durability", durability);
        PassedOptions settings = new PassedOptions(
                new Subject(Subject.REFERENCE_COOPERATIVE, "chronicle", options), new ChronicleProvider().options());
        return new ExcerptSteps(new QueueLibrary(settings, NONE, false, true), 256);
    }

    private long usedKilobytes() throws Exception {
        Process du = new ProcessBuilder("du", "-sk", directory.toString()).start();
        String first = new String(du.getInputStream().readAllBytes(), StandardCharsets.UTF_8).split("\\s")[0];
        assertThat(du.waitFor()).isZero();
        return Long.parseLong(first);
    }
}
