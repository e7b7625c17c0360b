package dev.baton.lab.study.advice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.launch.jvm.InstalledJvm;
import dev.baton.lab.launch.jvm.JvmChoice;
import dev.baton.lab.launch.jvm.OtherLibraries;
import dev.baton.operations.chains.NamedChain;
import dev.baton.operations.line.KnownTransports;
import dev.baton.operations.options.ChosenTransport;
import dev.baton.operations.settings.LoopPlan;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The code of a recommendation, as a compiler reads it. */
class ConfigurationTest {
    @TempDir
    private Path classes;

    @ParameterizedTest
    @CsvSource(textBlock = """
            disruptor, cooperative:2, spin,      0,       0
            chronicle, cooperative:1, park:50us, 6500000, 1024
            kafka,     per-service,   backoff,   0,       16
            kafka,     virtual,       default,   0,       0
            disruptor, cooperative:1, yielding,  0,       1
            """)
    void theCodeCompiles(String transport, String threading, String idle, long budget, int batch) {
        ChosenTransport chosen = new ChosenTransport(
                KnownTransports.onClassPath().select(List.of(transport)).get(0), Map.of("say", "\"a\\b\""), 0);
        Candidate setting = new Candidate(chosen, new LoopPlan(threading, idle, budget, batch), JvmChoice.current());
        String code = Configuration.code(setting);
        assertThat(code).contains("\"" + transport + "\"").contains("\"say\", \"\\\"a\\\\b\\\"\"");
        assertThat(code.contains(".batch(" + batch + ")")).isEqualTo(batch > 0);
        assertThat(complaints(code)).isEmpty();
    }

    @Test
    void transportSecretIsNotWritten() {
        ChosenTransport chosen = new ChosenTransport(
                KnownTransports.onClassPath().select(List.of("kafka")).get(0),
                Map.of("client.ssl.key.password", "xyzzy", "linger", "2ms"),
                0);
        Candidate setting = new Candidate(chosen, new LoopPlan("cooperative:1", null, 0), JvmChoice.current());
        String all = Configuration.code(setting) + Configuration.arguments(setting, null, List.of()) + setting.name();
        assertThat(all)
                .doesNotContain("xyzzy")
                .contains("# *** stands for a value that is not written down")
                .contains("\"linger=2ms\"");
    }

    @Test
    void settingsOfOtherJvmsHaveOtherNames() {
        ChosenTransport chosen = new ChosenTransport(
                KnownTransports.onClassPath().select(List.of("disruptor")).get(0), Map.of(), 0);
        InstalledJvm current = InstalledJvm.current();
        InstalledJvm other = new InstalledJvm(Path.of("/jdk-99/bin/java"), 99, null, OtherLibraries.NONE);
        InstalledJvm newer =
                current.with(new OtherLibraries(Map.of("kafka", List.of(Path.of("/lib/kafka-4.4.0.jar")))));
        assertThat(Stream.of(
                                JvmChoice.current(),
                                new JvmChoice(current, null, null, List.of("-XX:+UseNUMA")),
                                new JvmChoice(other, null, null, List.of()),
                                new JvmChoice(newer, null, null, List.of()))
                        .map(jvm -> new Candidate(chosen, new LoopPlan("cooperative:1", null, 0), jvm).name()))
                .containsExactly(
                        "disruptor, cooperative:1",
                        "disruptor, cooperative:1, -XX:+UseNUMA",
                        "disruptor, cooperative:1, /jdk-99/bin/java",
                        "disruptor, cooperative:1, kafka 4.4.0");
    }

    @Test
    void argumentsForServicesNameFlagsAndTheForwardingChain() {
        ChosenTransport chosen = new ChosenTransport(
                KnownTransports.onClassPath().select(List.of("chronicle")).get(0), Map.of(), 0);
        Candidate setting = new Candidate(chosen, new LoopPlan("cooperative:1", null, 0), JvmChoice.current());
        List<String> flags =
                List.of("-Xmx256m", "-XX:+UseParallelGC", "-Dorg.slf4j.simpleLogger=error", "-Xshare:auto");
        assertThat(Configuration.arguments(setting, null, flags))
                .startsWith("# JDK_JAVA_OPTIONS='-Xmx256m -XX:+UseParallelGC' ./baton service @FILE --only NAME\n")
                .contains("\n--chain=forwarding\n");
    }

    @Test
    void argumentsNameTheChainWithoutItsSecrets() {
        ChosenTransport chosen = new ChosenTransport(
                KnownTransports.onClassPath().select(List.of("disruptor")).get(0), Map.of(), 0);
        Candidate setting = new Candidate(chosen, new LoopPlan("cooperative:1", null, 0), JvmChoice.current());
        NamedChain chain =
                new NamedChain("orders", new TreeMap<>(Map.of("rejected", "10", "password", "xyzzy")), "", "");
        assertThat(Configuration.arguments(setting, chain, List.of()))
                .contains("\n--chain=orders\n", "\n--chain-option\n\"rejected=10\"\n")
                .contains("# *** stands for a value that is not written down")
                .doesNotContain("xyzzy");
    }

    private String complaints(String code) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        SimpleJavaFileObject source =
                new SimpleJavaFileObject(URI.create("string:///Advised.java"), SimpleJavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignored) {
                        return code;
                    }
                };
        List<String> options =
                List.of("-d", classes.toString(), "-proc:none", "-cp", System.getProperty("java.class.path"));
        boolean isCompiled = compiler.getTask(said, null, null, options, null, List.of(source))
                .call();
        return isCompiled ? "" : said.toString();
    }
}
