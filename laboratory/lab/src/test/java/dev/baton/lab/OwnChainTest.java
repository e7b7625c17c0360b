package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.launch.FakeTrial;
import dev.baton.lab.results.ResultFolder;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.trial.TrialRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The order pipeline of the examples, a chain of a jar on the class path, in JVMs of its own. */
@Timeout(120)
@Tag("slow")
class OwnChainTest {
    @TempDir
    private Path temporary;

    private FakeLaboratory chain(String... typed) {
        return chain(List.of(0, 4), typed); // 4: a busy machine disturbed it
    }

    private FakeLaboratory chain(List<Integer> allowed, String... typed) {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialRunner.class);
        List<String> arguments = new ArrayList<>(List.of(
                "chain",
                "--chain=orders",
                "--chain-option=rejected=10",
                "--warmup=200ms",
                "--duration=600ms",
                "--out=" + temporary.resolve("results"),
                "--dir=" + temporary.resolve("data")));
        arguments.addAll(List.of(typed));
        assertThat(laboratory.run(arguments.toArray(String[]::new)))
                .as(laboratory::err)
                .isIn(allowed);
        return laboratory;
    }

    private TrialResult onlyResult() throws IOException {
        try (Stream<Path> files = Files.walk(temporary.resolve("results"))) {
            return ResultFolder.readTrial(files.filter(file -> file.toString().endsWith(".trial.json"))
                    .findFirst()
                    .orElseThrow());
        }
    }

    @Test
    void everyOrderOfThePipelineIsAccountedFor() throws IOException {
        FakeLaboratory laboratory = chain("--transport=disruptor", "--instances=2", "--rate=1k");

        assertThat(unwrapped(laboratory.out()))
                .as(laboratory::err)
                .contains("chain orders (", "5 services, 2 instances at 1,000 msg/s, payload up to 48 B")
                .containsPattern("filtered +\\d+")
                .containsPattern("disruptor: the chain\'s generator took .* for each message\\.");
        TrialResult result = onlyResult();
        assertThat(result.plan().shape().chain()).satisfies(chain -> {
            assertThat(chain.name()).isEqualTo("orders");
            assertThat(chain.options()).isEqualTo(Map.of("rejected", "10"));
            assertThat(chain.jar()).isNotEmpty();
        });
        assertThat(result.delivery().isFaultless()).isTrue();
        assertThat(result.delivery().sent()).isEqualTo(1_600);
        assertThat(result.delivery().filtered()).isBetween(150L, 330L); // 10 % rejected, 5 % risky
        assertThat(result.delivery().delivered())
                .isEqualTo(1_600 - result.delivery().filtered());
    }

    @Test
    void saturatedOrdersAreAccountedFor() throws IOException {
        chain("--transport=disruptor", "--rate=max", "--chain-option=rejected=0"); // no exceptions

        TrialResult result = onlyResult();
        assertThat(result.delivery().isFaultless()).isTrue();
        assertThat(result.delivery().filtered()).isPositive();
        assertThat(result.delivery().delivered()).isGreaterThan(1_000);
        assertThat(result.machine().allocatedBytesPerMessage()).isLessThan(8);
    }

    @Test
    @Tag("long")
    void pipelineServicesRunInSeparateProcesses() throws IOException {
        // 1: six JVMs on a busy machine may not reach 99.9 % of 300 messages in time; that all arrive is asserted
        chain(List.of(0, 1, 4), "--transport=chronicle", "--processes=per-service", "--rate=500");

        TrialResult result = onlyResult();
        assertThat(result.place().spread().pids()).hasSize(5);
        assertThat(result.delivery().isFaultless()).isTrue();
        assertThat(result.delivery().delivered())
                .isEqualTo(400 - result.delivery().filtered())
                .isPositive();
    }

    @Test
    void densitySearchesOwnChains() throws IOException {
        FakeLaboratory laboratory = new FakeLaboratory(FakeTrial.class);
        int code = laboratory.run(
                "density",
                "--chain=orders",
                "--transport=plain",
                "-o",
                "do=hold-3",
                "--out=" + temporary.resolve("results"),
                "--dir=" + temporary.resolve("data"));

        assertThat(code).as(laboratory::err).isZero();
        assertThat(unwrapped(laboratory.out())).contains("how many chains of orders (", "payload up to 48 B");
        assertThat(onlyResult().plan().shape().chain().name()).isEqualTo("orders");
        assertThat(onlyResult().plan().shape().services()).isEqualTo(5);
    }

    @Test
    void adviceIsMeasuredWithTheChainItself() throws IOException {
        FakeLaboratory laboratory = new FakeLaboratory(FakeTrial.class);
        int code = laboratory.run(
                "advise",
                "--chain=orders",
                "--chain-option=rejected=10",
                "--rate=100k",
                "--limit=p99<50ms",
                "--survives=nothing",
                "--transport=plain",
                "-o=do=cost-5-20000",
                "--gc=serial",
                "--budget=90s",
                "--out=" + temporary.resolve("results"),
                "--dir=" + temporary.resolve("data"));

        assertThat(code).as(laboratory::err).isZero();
        assertThat(unwrapped(laboratory.out())).contains("1 chain orders (", "of 5 services", "payload up to 48 B");
        assertThat(onlyResult().plan().shape().chain().options()).isEqualTo(Map.of("rejected", "10"));
        try (Stream<Path> files = Files.walk(temporary.resolve("results"))) {
            Path arguments = files.filter(file -> file.endsWith("advice.args"))
                    .findFirst()
                    .orElseThrow();
            assertThat(arguments).content().contains("--chain=orders", "\"rejected=10\"");
        }
    }

    /** Where lines are wrapped depends on how the jar is named. */
    private static String unwrapped(String text) {
        return text.replaceAll("\\s+", " ");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    chain --chain orders --services 5          | --services is for --chain forwarding; orders has services
                    chain --chain orders --payload 8           | --payload is for --chain forwarding
                    chain --chain orders --engine reference    | reference loops forward and run no services of yours
                    chain --chain orders --stages on           | of the chain orders (
                    chain --chain orders --chain-option risky=51 | orders: risky='51' is not allowed; 0 to 50
                    chain --chain orders --chain-option risky=env:NO_SUCH_NAME | the environment variable 'NO_SUCH_NAME' is not set
                    chain --chain accounts                     | those of disruptor do not: name durable ones, such as --transport chronicle,kafka
                    chain --chain order                        | unknown chain 'order'; known: forwarding, accounts, leaking, orders;
                    chain --chain-option risky=5               | the chain forwarding has none
                    density --chain orders --engine baton,reference | reference loops forward
                    advise --chain orders --rate 1k --limit p50<1s --survives nothing --payload 8 | --payload is for --chain forwarding
                    advise --chain order --rate 1k --limit p50<1s --survives nothing | unknown chain 'order'; known: forwarding, accounts, leaking, orders;
                    advise --chain-option risky=5 --rate 1k --limit p50<1s --survives nothing | the chain forwarding has none
                    soak --chain orders --services 2           | --services is for --chain forwarding
                    """)
    void unsupportedUseOfJarIsRefused(String line, String complaint) {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialRunner.class);

        assertThat(laboratory.run((line + " --transport disruptor").split(" +")))
                .isEqualTo(2);
        assertThat(laboratory.err().lines()).as(laboratory.err()).hasSize(1);
        assertThat(laboratory.err()).startsWith("baton: ").contains(complaint);
    }
}
