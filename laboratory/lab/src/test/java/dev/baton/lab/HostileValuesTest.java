package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.command.Workbench;
import dev.baton.lab.launch.TrialProgram;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.Interruption;
import dev.baton.operations.line.KnownTransports;
import dev.baton.operations.terminal.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Every option and every argument of every command, each with one value of every kind that none of them can mean. The
 * commands are asked what they take, so that an option that is added is tried as well.
 */
@Tag("long")
class HostileValuesTest {
    private static final String RESULTS = "src/test/resources/results/schema-1/chain";
    private static final long LONGEST_SECONDS = 20;

    /**
     * Stands for a pipe that nobody writes into: a reader of it waits, and one that replaces it has replaced a device. A real
     * one is not tried, as a command that makes that mistake would take it from all others.
     */
    private static final String PIPE = "PIPE";

    /** Stands for a symbolic link that leads back to itself. */
    private static final String LOOP = "LOOP";

    /** One of each kind: what a shell, a script or a slip of the hand may hand over. */
    private static final Map<String, String> VALUES = values();

    /** Values that mean something to these: no flags at all. */
    private static final Set<String> MEANT = Set.of("--jvm-flags an empty text", "--jvm-flags a blank");

    /** Arguments with which a command gets as far as the one that is tried; DIR stands for an empty directory. */
    private static final Map<String, List<String>> COMPLETE = Map.ofEntries(
            Map.entry("advise", List.of("--rate=1000", "--limit=p50<1s", "--survives=nothing")),
            Map.entry("service", List.of("--chain=forwarding", "--only=1", "--dir=DIR")),
            Map.entry(
                    "forget-consumer",
                    List.of(
                            "--transport=kafka",
                            "--bootstrap-servers=127.0.0.1:1",
                            "-o",
                            "timeout=100ms",
                            "orders-0",
                            "audit")),
            Map.entry(
                    "promote",
                    List.of(
                            "--transport=aeron-archive",
                            "-o",
                            "driver=DIR",
                            "-o",
                            "timeout=500ms",
                            "--instead-of=127.0.0.1:1")),
            Map.entry("top", List.of("--once", "127.0.0.1:1")),
            Map.entry("verify", List.of("DIR")),
            Map.entry("replay", List.of("--chain=forwarding", "DIR")),
            Map.entry("trace", List.of("1", "DIR")),
            Map.entry("dead-letters", List.of("DIR")),
            Map.entry("matrix", List.of("src/test/resources/experiments/which-jvm.yaml")),
            Map.entry("reproduce", List.of("cloud-cost", "--plan")),
            Map.entry("report", List.of(RESULTS)),
            Map.entry("export", List.of("--format=csv", RESULTS)),
            Map.entry("compare", List.of(RESULTS, RESULTS)),
            Map.entry("gate", List.of(RESULTS, RESULTS)));

    @TempDir
    private Path temporary;

    @TempDir
    private Path pipes;

    private Path pipe;
    private Path loop;

    private final ExecutorService worker = Executors.newSingleThreadExecutor();

    private static Map<String, String> values() {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("an empty text", "");
        values.put("a blank", " ");
        values.put("an overlong word", "x".repeat(10_000));
        values.put("an overlong path", "a/".repeat(3_000));
        values.put("a pipe", PIPE);
        values.put("a loop of links", LOOP);
        values.put("a device of arguments", "@/dev/zero");
        values.put("a directory of arguments", "@/");
        values.put("a second line", "a\nb");
        values.put("a second line in Unicode", "a\u2028b");
        values.put("text that a terminal turns around", "a\u202eb");
        values.put("a blank at which no line breaks", "\u00a0");
        values.put("an escape sequence", "\u001b[31m");
        values.put("the end of a C string", "\0");
        values.put("bytes that are no text", "r\ufffd");
        return values;
    }

    @BeforeEach
    void makeAPipe() throws Exception {
        pipe = pipes.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        loop = pipes.resolve("loop");
        Files.createSymbolicLink(loop, loop);
    }

    @AfterEach
    void stop() {
        worker.shutdownNow();
    }

    @AfterEach
    void nothingIsLeftAndThePipeIsStillOne() throws IOException {
        assertThat(Files.readAttributes(pipe, BasicFileAttributes.class).isOther())
                .as("the pipe is one")
                .isTrue();
        try (Stream<Path> files = Files.list(temporary)) {
            assertThat(files).isEmpty();
        }
    }

    static Stream<String> commands() {
        return commandLine().getSubcommands().keySet().stream().sorted();
    }

    private static CommandLine commandLine() {
        Console nowhere = new Console(
                new PrintWriter(Writer.nullWriter()),
                new PrintWriter(Writer.nullWriter()),
                new Terminal(false, false, 100, false));
        return Laboratory.commandLine(
                nowhere,
                new Workbench(KnownTransports.onClassPath(), null, new TrialProgram(Void.class), new Interruption()));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void impossibleValueIsRefusedInOneLine(String command) throws Exception {
        CommandLine line = commandLine().getSubcommands().get(command);
        List<ArgSpec> all = new ArrayList<>(line.getCommandSpec().options());
        all.addAll(line.getCommandSpec().positionalParameters());
        List<String> complaints = new ArrayList<>();
        for (ArgSpec tried : all) {
            for (Map.Entry<String, String> value : VALUES.entrySet()) {
                String name = tried instanceof OptionSpec option ? option.longestName() : tried.paramLabel();
                if (tried.arity().max() > 0 && !MEANT.contains(name + " " + value.getKey())) {
                    String complaint = complaint(
                            arguments(command, tried, typed(value.getValue())), name, typed(value.getValue()));
                    if (complaint != null) {
                        complaints.add(command + " " + name + " with " + value.getKey() + ": " + complaint);
                    }
                }
            }
        }
        assertThat(complaints).isEmpty();
    }

    private String typed(String value) {
        return value.replace(PIPE, pipe.toString()).replace(LOOP, loop.toString());
    }

    /** The command with all that it needs, and the value where it is tried. */
    private List<String> arguments(String command, ArgSpec tried, String value) {
        List<String> typed = new ArrayList<>(List.of(command));
        List<String> complete = COMPLETE.getOrDefault(command, List.of());
        int place = 0;
        for (String each : complete) {
            boolean isValue = !each.startsWith("-") && !each.startsWith("timeout=");
            if (isValue
                    && tried instanceof PositionalParamSpec argument
                    && argument.index().contains(place++)) {
                typed.add(value);
            } else if (!(tried instanceof OptionSpec option) || !each.startsWith(option.longestName() + "=")) {
                typed.add(each.replace("DIR", temporary.toString()));
            }
        }
        if (tried instanceof OptionSpec option) {
            typed.add(1, option.longestName());
            typed.add(2, value);
        } else if (complete.isEmpty()) {
            typed.add(value);
        }
        return typed;
    }

    /** What is wrong with the answer; null for nothing. */
    private String complaint(List<String> typed, String name, String value) throws Exception {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(Void.class);
        int code;
        try {
            code = worker.submit(() -> laboratory.run(typed.toArray(String[]::new)))
                    .get(LONGEST_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException hung) {
            throw new AssertionError(shortened(typed) + " takes more than " + LONGEST_SECONDS + " s", hung);
        } catch (ExecutionException failed) {
            return "threw " + failed.getCause();
        }
        List<String> lines = laboratory.complaints();
        if (code != 2 && code != 3) {
            return "exit code " + code + ", " + lines;
        }
        if (lines.size() != 1) {
            return "not one line, but " + lines;
        }
        String text = lines.get(0);
        if (text.chars().anyMatch(Character::isISOControl) || text.contains("this is a bug") || text.length() > 4_000) {
            return text;
        }
        boolean isBlank = Checks.isBlank(value);
        String shown = isBlank ? "empty" : value.substring(0, Math.min(20, value.length()));
        boolean isNamed = text.contains(name)
                || text.contains(shown)
                || isBlank
                        && (text.contains("''")
                                || text.contains("' '")
                                || text.contains("the path is empty")
                                || text.contains("'\u00a0'"));
        boolean isUnreadable = text.contains("control character") || text.contains("is not text");
        return isNamed || isUnreadable ? null : "not named by: " + text;
    }

    private static List<String> shortened(List<String> typed) {
        return typed.stream()
                .map(each -> each.length() > 60 ? each.substring(0, 60) + "..." : each)
                .toList();
    }
}
