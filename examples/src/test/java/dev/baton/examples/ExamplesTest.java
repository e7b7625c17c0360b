package dev.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs every example as its reader would, over every transport. */
@Timeout(60)
@Tag("long")
class ExamplesTest {
    interface Main {
        void run() throws Exception;
    }

    @ParameterizedTest
    @ValueSource(strings = {"disruptor", "chronicle", "kafka"})
    void fiveServiceChainDeliversAndPrintsPercentiles(String transport) throws Exception {
        assertThat(printed(() -> Example01FiveServiceChain.main(new String[] {transport})))
                .contains("10,000 messages through five services over " + transport)
                .contains("p50.0")
                .contains("p99.9")
                .contains("max");
    }

    @ParameterizedTest
    @ValueSource(strings = {"disruptor", "chronicle", "kafka"})
    void orderPipelineBooksRejectsAndDrops(String transport) throws Exception {
        // of 1,000 orders: 100 without a symbol, 40 more with a bad quantity, 430 beyond 50,000.00 of exposure
        assertThat(printed(() -> Example02OrderPipeline.main(new String[] {transport})))
                .contains("validate rejected order 0: no symbol")
                .contains("validate rejected order 7: quantity -1")
                .contains("1,000 orders over " + transport + ": 430 booked, 140 rejected, 430 beyond the risk limit");
    }

    @ParameterizedTest
    @ValueSource(strings = {"disruptor", "chronicle", "kafka"})
    void sharedServiceKeepsAccountsInOrder(String transport) throws Exception {
        assertThat(printed(() -> Example04SharedService.main(new String[] {transport})))
                .contains(
                        transport.equals("kafka")
                                ? "b has left, a runs partitions [0, 1, 2, 3, 4, 5]"
                                : "all of them run here")
                .contains("5,000 orders of 100 accounts booked over " + transport + ", 0 out of order");
    }

    @ParameterizedTest
    @ValueSource(strings = {"chronicle", "kafka"})
    void killedProcessLosesAndRepeatsNothing(String transport) throws Exception {
        assertThat(printed(() -> Example05OneProcessPerService.main(new String[] {transport})))
                .contains("3,000 numbers through 3 processes over " + transport)
                .contains("each came out once, in order");
    }

    @ParameterizedTest
    @ValueSource(strings = {"chronicle", "kafka"})
    void eachReleaseReadsTheOrdersOfTheOther(String transport) throws Exception {
        assertThat(printed(() -> Example06EvolvingOrders.main(new String[] {transport})))
                .contains("book Order[id=1, quantity=10, currency=978]")
                .contains("book Order[id=6, quantity=60, currency=756]")
                .contains("undo Cancel[id=1]")
                .contains("read FirstOrder[id=6, quantity=60] with key order-6 on orders-loop")
                .contains("6 orders of two releases over " + transport);
    }

    @ParameterizedTest
    @ValueSource(strings = {"disruptor", "chronicle", "kafka"})
    void auditTrailContainsBothBranches(String transport) throws Exception {
        assertThat(printed(() -> Example07AuditTrail.main(new String[] {transport})))
                .contains("first of booked-1: order 1")
                .contains("first of rejected-1: order 8")
                .contains("1,000 orders over " + transport + ": the trail has 875 booked and 125 rejected");
    }

    @Test
    void compositionPageShowsTheExamplesCode() throws IOException {
        String code = words(
                Files.readString(Path.of("src/main/java/dev/baton/examples").resolve("Example07AuditTrail.java")));
        assertThat(Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                        .matcher(Files.readString(Path.of("../docs/composition.md")))
                        .results())
                .hasSize(2)
                .allSatisfy(block -> assertThat(code).contains(words(block.group(1))));
    }

    @Test
    void chainBetweenPlainTopicsKeepsHeaders() throws Exception {
        assertThat(printed(() -> Example08KafkaTopics.main(new String[] {"chronicle"})))
                .contains("customer-1: ORDER 1 (trace t1)")
                .contains("customer-0: ORDER 6 (trace t6)")
                .contains("6 records through a chain over chronicle");
    }

    @ParameterizedTest
    @ValueSource(strings = {"chronicle", "kafka"})
    void windowsOfCardsSurviveARestart(String transport) throws Exception {
        assertThat(printed(() -> Example09CardWindows.main(new String[] {transport})))
                .containsSubsequence(
                        "begins with the state after input 0",
                        "payments of the card: 1200",
                        "begins with the state after input 2",
                        "payments of the card: 1300",
                        "payments of the card: 1600");
    }

    @Test
    void statePageShowsTheExamplesCode() throws IOException {
        String code = words(
                Files.readString(Path.of("src/main/java/dev/baton/examples").resolve("Example09CardWindows.java")));
        String page = Files.readString(Path.of("../docs/state.md"));
        assertThat(Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                        .matcher(page)
                        .results()
                        .findFirst())
                .hasValueSatisfying(block -> assertThat(code).contains(words(block.group(1))));
    }

    @Test
    void payloadsPageShowsTheExamplesCode() throws IOException {
        Path sources = Path.of("src/main/java/dev/baton/examples");
        String code = words(Files.readString(sources.resolve("EvolvingOrders.java"))
                + Files.readString(sources.resolve("Example06EvolvingOrders.java")));
        String page = Files.readString(Path.of("../docs/payloads.md"));
        String own = page.substring(0, page.indexOf("## Codecs of libraries")); // those have examples of their own
        assertThat(Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                        .matcher(own)
                        .results())
                .hasSize(2)
                .allSatisfy(block -> assertThat(code).contains(words(block.group(1))));
    }

    private static String words(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }

    @Test
    void unknownTransportListsKnownOnes() {
        assertThatThrownBy(() -> Example01FiveServiceChain.main(new String[] {"pigeon"}))
                .hasMessageContaining("no transport 'pigeon'; there are chronicle, disruptor, kafka");
    }

    @Test
    void scriptListsExamplesWithArguments() throws Exception {
        Path sources = Path.of("src/main/java/dev/baton/examples");
        Process script =
                new ProcessBuilder("sh", "run").redirectErrorStream(true).start();
        String usage = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(script.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(script.exitValue()).isEqualTo(2);
        try (Stream<Path> files = Files.list(sources)) {
            assertThat(files.map(file -> file.getFileName().toString())
                            .filter(name -> name.matches("Example\\d\\d.*\\.java"))
                            .map(name -> name.replace(".java", ""))
                            .toList())
                    .hasSizeGreaterThan(2)
                    .allSatisfy(example -> assertThat(usage).contains("  " + example + " "));
        }
    }

    static String printed(Main main) throws Exception {
        PrintStream console = System.out;
        ByteArrayOutputStream captured = new ByteArrayOutputStream();
        System.setOut(new PrintStream(captured, true, StandardCharsets.UTF_8));
        try {
            main.run();
        } finally {
            System.setOut(console);
        }
        return captured.toString(StandardCharsets.UTF_8);
    }
}
