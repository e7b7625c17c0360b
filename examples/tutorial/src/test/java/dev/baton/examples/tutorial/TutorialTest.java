package dev.baton.examples.tutorial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the programs of docs/tutorial.md as its reader does, and compares the page with their code and output. */
@Timeout(180)
@Tag("slow")
class TutorialTest {
    private static final Path PAGE = Path.of("../../docs/tutorial.md");
    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    @TempDir
    private Path folder;

    private final String page = read(PAGE);

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    private static String words(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }

    @Test
    void pageShowsTheCode() throws IOException {
        List<String> sources;
        try (Stream<Path> files = Files.walk(Path.of("src"))) {
            sources = files.filter(file -> file.toString().endsWith(".java"))
                    .map(file -> words(read(file)))
                    .toList();
        }
        List<String> shown =
                JAVA.matcher(page).results().map(block -> words(block.group(1))).toList();
        assertThat(shown)
                .hasSizeGreaterThan(4)
                .allSatisfy(block -> assertThat(sources)
                        .anySatisfy(source -> assertThat(source).contains(block)));
    }

    @Test
    void pageHasAtMost1500Words() {
        assertThat(words(page).split(" ")).hasSizeLessThanOrEqualTo(1500);
    }

    @Test
    void chainPrintsPricedOrders() throws Exception {
        try (Program chain = Program.start(Step1Chain.class, folder)) {
            assertThat(chain.exitCode()).isZero();
            assertThat(page).contains("\n$ examples/tutorial/run Step1Chain\n" + chain.printed() + "```");
        }
    }

    @Test
    void frontAnswersOrders() throws Exception {
        try (Program front = Program.start(Step2Front.class, folder, 0)) {
            answered(front, "{\"id\":1,\"customer\":\"ada\",\"item\":\"tea\",\"quantity\":2}");
            answered(front, "{\"id\":2,\"customer\":\"bob\",\"item\":\"tea\",\"quantity\":0}");
            front.stop();
        }
    }

    @Test
    void stateSurvivesAKill() throws Exception {
        Path topics = folder.resolve("topics");
        try (Program first = Program.start(Step3State.class, folder, 0, topics)) {
            answered(first, "{\"id\":3,\"customer\":\"ada\",\"item\":\"tea\",\"quantity\":2}");
            answered(first, "{\"id\":4,\"customer\":\"ada\",\"item\":\"milk\",\"quantity\":1}");
            assertThat(page).contains(first.await("price gave up .*"));
        }
        try (Program second = Program.start(Step3State.class, folder, 0, topics)) {
            answered(second, "{\"id\":5,\"customer\":\"ada\",\"item\":\"coffee\",\"quantity\":1}");
            second.stop();
        }
    }

    @Test
    @Tag("long")
    void updateOfAMemberContinuesItsState() throws Exception {
        try (Program broker = Program.start(Broker.class, folder)) {
            String servers = broker.await("127.0.0.1:\\d+\\R").strip();
            try (Program a = Program.start(Step4Kafka.class, folder, "a", 0, servers)) {
                a.await("partition 3 assigned");
                updated(servers, a);
            }
            broker.stop();
        }
    }

    private void updated(String servers, Program a) throws Exception {
        try (Program front = Program.start(Step4Kafka.class, folder, "front", 0, servers)) {
            answered(front, "{\"id\":6,\"customer\":\"ada\",\"item\":\"tea\",\"quantity\":2}");
            List<String> meters =
                    page.lines().filter(line -> line.startsWith("baton_")).toList();
            assertThat(meters).hasSize(5);
            assertThat(a.request("/metrics", null).lines()).containsAll(meters);
            answered(a, "/health");
            try (Program b = Program.start(Step4Kafka.class, folder, "b", 0, servers)) {
                b.await("partition \\d assigned");
                a.stop();
                answered(front, "{\"id\":7,\"customer\":\"ada\",\"item\":\"coffee\",\"quantity\":1}");
                b.stop();
            }
            front.stop();
        }
    }

    /** Sends a request, and checks that the page shows it with this reply. */
    private void answered(Program program, String what) throws Exception {
        boolean isOrder = what.startsWith("{");
        String reply = program.request(isOrder ? "/orders" : what, isOrder ? what : null);
        String command = isOrder ? "-d '" + what + "' localhost:8080/orders" : "localhost:8081" + what;
        assertThat(page).contains("\n$ curl " + command + "\n" + reply);
    }
}
