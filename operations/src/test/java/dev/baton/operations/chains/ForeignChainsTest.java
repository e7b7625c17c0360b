package dev.baton.operations.chains;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.chains.ProvidedChain;
import dev.baton.chronicle.ChronicleProvider;
import dev.baton.operations.Operations;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.CommandException.Kind;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.terminal.Terminal;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jars with chains, as they are when something is wrong with them: compiled and packed here, and read by a process. */
@Tag("slow")
class ForeignChainsTest {
    private static final String SERVICES = "META-INF/services/dev.baton.chains.ChainProvider";
    private static final String PROVIDER = """
            package other;
            import dev.baton.*;
            import dev.baton.chains.*;
            import dev.baton.spi.*;
            import dev.baton.spi.errors.*;
            import dev.baton.spi.options.*;
            import java.util.*;
            public final class %1$s implements ChainProvider {
                %3$s
                public String name() { return %2$s; }
                public String summary() { return "mills"; }
                public List<OptionSpec> options() { return List.of(new OptionSpec("stones", "2", "1 to 9", "")); }
                public ProvidedChain open(Map<String, String> options) {
                    new Options("mill", options(), options);
                    Stones.turn();
                    return new ProvidedChain() {
                        public Chain chain() {
                            return Chain.named("mill").then("grind", () -> (in, out) -> out.forward(in)).build();
                        }
                        public int maxPayload() { return 8; }
                        public MessageGenerator generator(long seed, int instance) { return (number, into) -> 0; }
                        public OutputCheck check(long seed, int instance) { return (number, index, output) -> null; }
                    };
                }
            }
            """;
    private static final String STONES = "package other; public final class Stones { static void turn() {%s} }";
    private static final String MILL = "\"mill\"";

    @TempDir
    private Path temporary;

    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void end() {
        processes.forEach(Process::destroyForcibly);
    }

    @Test
    void jarIsListedAndRefusesUnknownOptions() throws Exception {
        Path jar = mill("mill.jar", "Mill", MILL, "", "");

        assertThat(listed(jar))
                .contains("forwarding", "mill", "services: grind; payload up to 8 bytes", "from " + jar, "stones=2");
        assertRefused(Kind.USAGE, () -> chosen("sails=4"), List.of(jar), "mill: unknown option 'sails'", "stones");
        assertRefused(Kind.USAGE, () -> chosen("sails"), List.of(jar), "is not key=value");
    }

    @Test
    void chainWithoutGeneratorIsOpenedButNotMeasured() throws Exception {
        String generator = "public MessageGenerator generator(long seed, int instance) { return (number, into) -> 0; }";
        assertThat(PROVIDER).contains(generator);
        Path classes = compiled(PROVIDER.replace(generator, ""), "Mill", MILL, "", "");
        Path jar = packed("mill.jar", "other.Mill", classes);

        assertThat(with(List.of(jar), () -> mill().open().chain().services())).containsExactly("grind");
        assertRefused(
                Kind.USAGE,
                () -> mill().openMeasurable(),
                List.of(jar),
                "chain 'mill' can be run and replayed, but not measured: it has no generator of messages");
    }

    @Test
    void unknownChainIsRefusedWithKnownOnes() throws Exception {
        Path jar = mill("mill.jar", "Mill", MILL, "", "");
        assertRefused(
                Kind.USAGE,
                () -> ChainOptions.choose("milk", List.of()),
                List.of(jar),
                "unknown chain 'milk'; known: forwarding, mill, orders;",
                "BATON_CLASSPATH");
    }

    @Test
    void chainsOfOneNameAreReportedWithJars() throws Exception {
        Path one = mill("one.jar", "Mill", MILL, "", "");
        Path two = mill("two.jar", "Moulin", MILL, "", "");
        assertNotListed(
                List.of(one, two),
                "two chains are called 'mill'",
                "other.Mill from " + one,
                "other.Moulin from " + two);
    }

    @Test
    void nameOfForwardingChainIsReserved() throws Exception {
        Path jar = mill("mill.jar", "Mill", "\"forwarding\"", "", "");
        assertNotListed(List.of(jar), "two chains are called 'forwarding': Baton's own and other.Mill from " + jar);
    }

    @Test
    void invalidNameIsReported() throws Exception {
        Path jar = mill("mill.jar", "Mill", "\"My Mill\"", "", "");
        assertNotListed(List.of(jar), "the chain 'My Mill' of other.Mill from " + jar);
    }

    @Test
    void failedProviderIsReportedInOneLine() throws Exception {
        Path missing = jar("missing.jar", "other.NoSuchProvider", temporary, List.of());
        assertNotListed(List.of(missing), "a chain", "other.NoSuchProvider");
        Path hidden = mill("hidden.jar", "Hidden", MILL, "private Hidden() {}", "");
        assertNotListed(List.of(hidden), "a chain", "other.Hidden");
        String dry = "{ if (true) throw new IllegalStateException(\"dry\"); }";
        Path throwing = mill("throwing.jar", "Throwing", MILL, dry, "");
        assertNotListed(List.of(throwing), "a chain", "other.Throwing", "dry");
        Path nameless = mill("nameless.jar", "Nameless", "String.valueOf(1 / Integer.parseInt(\"0\"))", "", "");
        assertNotListed(
                List.of(nameless),
                "other.Nameless from " + nameless + " failed while its description was read",
                "/ by zero");
    }

    @Test
    void failedOpenIsReportedInOneLine() throws Exception {
        Path jar = mill("mill.jar", "Mill", MILL, "", "throw new IllegalStateException(\"no wind\");");
        assertNotListed(List.of(jar), "chain 'mill' cannot be opened", "" + jar, "no wind");
    }

    @Test
    void incompatibleProviderIsReportedInOneLine() throws Exception {
        Path classes = compiled("Mill", MILL, "", "");
        Files.writeString(classes.resolve("Stones.java"), "package other; public final class Stones {}");
        compile(classes, classes.resolve("Stones.java"));
        Path jar = packed("mill.jar", "other.Mill", classes);
        assertRefused(
                Kind.ENVIRONMENT,
                () -> chosen("stones=3"),
                List.of(jar),
                "chain 'mill' cannot be opened, as other.Mill from " + jar,
                "compiled against another version",
                "NoSuchMethodError");
    }

    private static ProvidedChain chosen(String setting) {
        return ChainOptions.choose("mill", List.of(setting)).open();
    }

    private String listed(Path... jars) throws Exception {
        return String.join(
                "\n", with(List.of(jars), () -> ChainsCommand.lines(new Terminal(false, false, 200, false))));
    }

    private void assertNotListed(List<Path> jars, String... words) throws Exception {
        assertRefused(Kind.ENVIRONMENT, () -> listed(), jars, words);
    }

    private static void assertRefused(Kind kind, Callable<?> action, List<Path> jars, String... words)
            throws Exception {
        CommandException refused = with(jars, () -> {
            try {
                action.call();
                return null;
            } catch (CommandException expected) {
                return expected;
            }
        });
        assertThat(refused).isNotNull();
        assertThat(refused.kind()).as(refused.getMessage()).isEqualTo(kind);
        assertThat(refused.getMessage()).contains(words).doesNotContain("\n");
    }

    /** Does something with these jars on the class path. */
    private static <T> T with(List<Path> jars, Callable<T> action) throws Exception {
        List<URL> urls = new ArrayList<>();
        for (Path jar : jars) {
            urls.add(jar.toUri().toURL());
        }
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(urls.toArray(URL[]::new), before)) {
            thread.setContextClassLoader(urls.isEmpty() ? before : loader);
            return action.call();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void serviceOfJarRunsAndStandInWarns() throws Exception {
        Path jar = mill("mill.jar", "Mill", MILL, "", "");
        Ended own = untilItRuns(jar, "--chain", "mill", "--only", "grind");
        assertThat(own.said())
                .contains("chain mill (mill.jar, SHA-256 ", "mill grind running")
                .doesNotContain("WARNING");
        Ended standIn = untilItRuns(jar, "--chain", "forwarding", "--name", "five", "--only", "1");
        assertThat(standIn.said()).contains("WARNING: --chain forwarding is a stand-in", "five s1 running");
    }

    @Test
    void unknownServiceOfJarIsRefused() throws Exception {
        Path jar = mill("mill.jar", "Mill", MILL, "", "");
        String dir = temporary.toString();
        Ended unknown = run(List.of(jar), "service", "--chain", "mill", "--only", "weave", "--dir", dir);
        assertThat(unknown.said()).isEqualTo("baton: --only 'weave' is not a service of the chain; grind, or 1 to 1\n");
        assertThat(unknown.code()).isEqualTo(ExitCode.USAGE);
        Ended counted = run(List.of(jar), "service", "--chain", "mill", "--services", "2", "--only", "1", "--dir", dir);
        assertThat(counted.said())
                .isEqualTo("baton: --services is for --chain forwarding; the services of mill are grind\n");
    }

    private Ended untilItRuns(Path jar, String... typed) throws Exception {
        List<String> arguments = new ArrayList<>(
                List.of("service", "--dir", temporary.resolve("queues").toString()));
        arguments.addAll(List.of(typed));
        Path said = Files.createTempFile(temporary, "said", ".txt");
        Process process = start(List.of(jar), said, arguments.toArray(String[]::new));
        await().atMost(Duration.ofSeconds(60))
                .until(() -> Files.readString(said).contains(" running") || !process.isAlive());
        process.destroy();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ended").isTrue();
        return new Ended(process.exitValue(), Files.readString(said));
    }

    private record Ended(int code, String said) {}

    private Ended run(List<Path> jars, String... arguments) throws Exception {
        Path said = Files.createTempFile(temporary, "said", ".txt");
        Process process = start(jars, said, arguments);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ended").isTrue();
        return new Ended(process.exitValue(), Files.readString(said));
    }

    private Process start(List<Path> jars, Path said, String... arguments) throws IOException {
        List<String> path = new ArrayList<>();
        path.add(System.getProperty("java.class.path"));
        jars.forEach(jar -> path.add(jar.toString()));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(new ChronicleProvider().jvmFlags(Runtime.version().feature()));
        command.addAll(List.of(
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                String.join(":", path),
                Operations.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        processes.add(process);
        return process;
    }

    private static NamedChain mill() {
        return ChainOptions.choose("mill", List.of());
    }

    private Path mill(String jar, String type, String name, String member, String turn) throws IOException {
        return packed(jar, "other." + type, compiled(type, name, member, turn));
    }

    private Path compiled(String type, String name, String member, String turn) throws IOException {
        return compiled(PROVIDER, type, name, member, turn);
    }

    private Path compiled(String source, String type, String name, String member, String turn) throws IOException {
        Path directory = Files.createTempDirectory(temporary, "classes");
        Path provider = directory.resolve(type + ".java");
        Path stones = directory.resolve("Stones.java");
        Files.writeString(provider, source.formatted(type, name, member));
        Files.writeString(stones, STONES.formatted(turn));
        compile(directory, provider, stones);
        return directory;
    }

    private static void compile(Path directory, Path... sources) {
        List<String> arguments =
                new ArrayList<>(List.of("-d", directory.toString(), "-cp", System.getProperty("java.class.path")));
        Stream.of(sources).map(Path::toString).forEach(arguments::add);
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
    }

    private Path packed(String name, String provider, Path classes) throws IOException {
        try (Stream<Path> all = Files.list(classes.resolve("other"))) {
            return jar(
                    name,
                    provider,
                    classes,
                    all.map(each -> classes.relativize(each).toString()).toList());
        }
    }

    private Path jar(String name, String provider, Path classes, List<String> entries) throws IOException {
        Path jar = temporary.resolve(name);
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file)) {
            write(out, SERVICES, provider.getBytes(StandardCharsets.UTF_8));
            for (String each : entries) {
                write(out, each, Files.readAllBytes(classes.resolve(each)));
            }
        }
        return jar;
    }

    private static void write(JarOutputStream out, String name, byte[] content) throws IOException {
        out.putNextEntry(new JarEntry(name));
        out.write(content);
        out.closeEntry();
    }
}
