package dev.baton.operations.line;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.operations.Operations;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jars of others, as they are when something is wrong with them: each compiled and packed here, and read by a process. */
@Tag("slow")
class ForeignJarsTest {
    private static final String SERVICES = "META-INF/services/dev.baton.spi.TransportProvider";
    private static final String PROVIDER = """
            package other;
            import dev.baton.spi.*;
            import dev.baton.spi.errors.*;
            import dev.baton.spi.options.*;
            import java.util.*;
            public final class %1$s implements TransportProvider {
                %3$s
                public String name() { return "%2$s"; }
                public String summary() { return "one line"; }
                public Set<Guarantee> guarantees() { return Set.of(Guarantee.DURABLE); }
                public List<OptionSpec> options() { return List.of(); }
                public Transport open(Map<String, String> options) { throw new IllegalStateException(Boiler.text()); }
            }
            """;
    private static final String BOILER =
            "package other; public final class Boiler { static String text() { return \"hot\"; } }";

    @TempDir
    private Path temporary;

    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void end() {
        processes.forEach(Process::destroyForcibly);
    }

    @Test
    void missingProviderClassEndsProcess() throws Exception {
        Path jar = jar("broken.jar", "other.NoSuchProvider", temporary, List.of());

        assertRefused(run(List.of(jar), "transports"), "other.NoSuchProvider", "BATON_CLASSPATH");
    }

    @Test
    void providerWithoutPublicConstructorIsExplained() throws Exception {
        Path classes = compiled("Steam", "steam", "private Steam() {}");
        Path jar = jar("steam.jar", "other.Steam", classes, List.of("other/Steam.class", "other/Boiler.class"));

        assertRefused(run(List.of(jar), "transports"), "has a public constructor without arguments");
    }

    @Test
    void classOfNewerJavaIsExplained() throws Exception {
        Path classes = compiled("Steam", "steam", "");
        Path file = classes.resolve("other/Steam.class");
        byte[] bytes = Files.readAllBytes(file);
        bytes[7] = 120; // the major version
        Files.write(file, bytes);
        Path jar = jar("steam.jar", "other.Steam", classes, List.of("other/Steam.class", "other/Boiler.class"));

        assertRefused(run(List.of(jar), "transports"), "compile it with javac --release", "JAVA_HOME");
    }

    @Test
    void classInTwoJarsIsRefused() throws Exception {
        Path classes = compiled("Steam", "steam", "");
        Path one = jar("one.jar", "other.Steam", classes, List.of("other/Boiler.class"));
        Path two = jar("two.jar", "other.Steam", classes, List.of("other/Boiler.class"));

        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {one.toUri().toURL(), two.toUri().toURL()}, null)) {
            Object provider = loader.loadClass("other.Boiler").getConstructor().newInstance();

            assertThatThrownBy(() -> ForeignJars.requireOnce(provider))
                    .isInstanceOf(CommandException.class)
                    .hasMessage("other.Boiler is in " + one + " and in " + two
                            + "; remove all but one from BATON_CLASSPATH");
        }
    }

    @Test
    void missingDependencyOfProviderNamesClassPath() throws Exception {
        Path classes = compiled("Steam", "steam", "private final String text = Boiler.text();");
        Path jar = jar("steam.jar", "other.Steam", classes, List.of("other/Steam.class"));

        assertRefused(run(List.of(jar), "transports"), "class other.Boiler is missing", "BATON_CLASSPATH");
    }

    @Test
    void missingDependencyAtOpenNamesClassPath() throws Exception {
        Path classes = compiled("Steam", "steam", "");
        Path jar = jar("steam.jar", "other.Steam", classes, List.of("other/Steam.class"));

        assertRefused(
                run(List.of(jar), "verify", "--transport", "steam", "x"),
                "class other.Boiler is missing",
                "BATON_CLASSPATH");
    }

    @Test
    void transportsOfOneNameAreReportedWithJars() throws Exception {
        Path one = jar("one.jar", "other.Steam", compiled("Steam", "steam", ""), List.of("other/Steam.class"));
        Path two = jar("two.jar", "other.Vapour", compiled("Vapour", "steam", ""), List.of("other/Vapour.class"));

        assertRefused(
                run(List.of(one, two), "transports"),
                "two transports are called 'steam'",
                "other.Steam from " + one,
                "other.Vapour from " + two);
    }

    @Test
    void aWholeJarIsListed() throws Exception {
        Path classes = compiled("Steam", "steam", "");
        Path jar = jar("steam.jar", "other.Steam", classes, List.of("other/Steam.class", "other/Boiler.class"));

        Ended ended = run(List.of(jar), "transports");
        assertThat(ended.code()).as(ended.said()).isZero();
        assertThat(ended.said()).contains("steam");
    }

    /** Starts as {@code java -jar} does, which reads no class path but the jar's. */
    @Test
    void jarsOfEnvironmentAreAddedToClassPath() throws Exception {
        Path classes = compiled("Steam", "steam", "");
        Path folder = Files.createDirectory(temporary.resolve("jars"));
        Path whole = jar("steam.jar", "other.Steam", classes, List.of("other/Steam.class", "other/Boiler.class"));
        Files.copy(whole, folder.resolve("steam.jar"));

        for (String named : List.of(whole.toString(), folder + "/*", ":" + whole + ":")) {
            Ended ended = run(List.of(), Map.of("BATON_CLASSPATH", named), "transports");
            assertThat(ended.code()).as(ended.said()).isZero();
            assertThat(ended.said()).as(named).contains("steam");
        }
        assertRefused(
                run(List.of(), Map.of("BATON_CLASSPATH", folder + "/other.jar"), "transports"),
                "BATON_CLASSPATH names " + folder + "/other.jar, which does not exist");
    }

    @Test
    void invalidAndMissingJarsAreReported() throws Exception {
        Path text = Files.writeString(temporary.resolve("text.jar"), "no zip");
        Path empty = Files.createFile(temporary.resolve("empty.jar"));
        Path missing = temporary.resolve("missing.jar");

        assertRefused(run(List.of(text), "transports"), text + " is not a jar", "BATON_CLASSPATH");
        assertRefused(run(List.of(empty), "transports"), empty + " is not a jar", "BATON_CLASSPATH");
        assertRefused(run(List.of(missing), "transports"), missing + " is not a jar", "does not exist");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    String text = Boiler.text();    | String text = String.valueOf((Object) null).substring(9); | could not be instantiated
                    String text = Boiler.text();    | static final int ZERO = Integer.parseInt("x");            | could not be instantiated
                    return "steam";                 | throw new IllegalStateException("leaks");                 | failed while its description was read: java.lang.IllegalStateException: leaks
                    return "steam";                 | throw new AssertionError("leaks");                        | failed while its description was read: java.lang.AssertionError: leaks
                    return "steam";                 | return name();                                            | failed while its description was read: java.lang.StackOverflowError
                    return "steam";                 | return null;                                              | is a transport without a name
                    return "steam";                 | return "ste\\nam";                                        | has an invalid name
                    return "steam";                 | return "Steam";                                           | has an invalid name
                    return "steam";                 | return "all";                                             | has an invalid name
                    return "one line";              | return null;                                              | failed while its description was read: java.lang.NullPointerException: summary() is null
                    Set.of(Guarantee.DURABLE)       | null                                                      | failed while its description was read: java.lang.NullPointerException
                    return List.of();               | return null;                                              | failed while its description was read: java.lang.NullPointerException
                    return List.of();               | return List.of(new OptionSpec("a", null, "b", "c"));      | failed while its description was read: java.lang.NullPointerException: the default of an option is null
                    """)
    void providerThatFailsToDescribeItselfIsNamed(String whole, String broken, String text) throws Exception {
        Path classes = compiled(
                "Steam",
                PROVIDER.formatted("Steam", "steam", "String text = Boiler.text();")
                        .replace(whole, broken));
        Files.createDirectories(classes.resolve(SERVICES).getParent());
        Files.writeString(classes.resolve(SERVICES), "other.Steam");
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {classes.toUri().toURL()}, before)) {
            thread.setContextClassLoader(loader);
            assertThatExceptionOfType(CommandException.class)
                    .isThrownBy(KnownTransports::onClassPath)
                    .matches(refused -> refused.kind() == CommandException.Kind.ENVIRONMENT)
                    .withMessageContainingAll("other.Steam", text);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static void assertRefused(Ended ended, String... words) {
        assertThat(ended.code()).as(ended.said()).isEqualTo(ExitCode.ENVIRONMENT);
        assertThat(ended.said().lines()).as(ended.said()).hasSize(1);
        assertThat(ended.said()).startsWith("baton: ").contains(words);
    }

    private record Ended(int code, String said) {}

    private Ended run(List<Path> jars, String... arguments) throws Exception {
        return run(jars, Map.of(), arguments);
    }

    private Ended run(List<Path> jars, Map<String, String> environment, String... arguments) throws Exception {
        List<String> path = new ArrayList<>();
        path.add(System.getProperty("java.class.path"));
        jars.forEach(jar -> path.add(jar.toString()));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                String.join(":", path),
                Operations.class.getName()));
        command.addAll(List.of(arguments));
        Path said = temporary.resolve("said.txt");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        processes.add(process);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ended").isTrue();
        return new Ended(process.exitValue(), Files.readString(said));
    }

    private Path compiled(String name, String transport, String member) throws IOException {
        return compiled(name, PROVIDER.formatted(name, transport, member));
    }

    private Path compiled(String name, String source) throws IOException {
        Path directory = Files.createDirectories(temporary.resolve("classes-" + name));
        Path provider = directory.resolve(name + ".java");
        Path boiler = directory.resolve("Boiler.java");
        Files.writeString(provider, source);
        Files.writeString(boiler, BOILER);
        int code = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-d",
                        directory.toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        provider.toString(),
                        boiler.toString());
        assertThat(code).isZero();
        return directory;
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

    @Test
    void undecodableNameIsNoMissingClass() {
        InvalidPathException name = new InvalidPathException("/home/m\ufffdller", "Malformed input");
        assertThat(ForeignJars.complaint(new ExceptionInInitializerError(name)))
                .startsWith("'/home/m")
                .contains("is not text in ")
                .endsWith(", the encoding of this locale; set LC_ALL=C.UTF-8");
        assertThat(ForeignJars.complaint(new ExceptionInInitializerError(new InvalidPathException("a\0b", "Nul"))))
                .startsWith("cannot load a class: ");
    }
}
