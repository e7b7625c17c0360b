package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.command.Workbench;
import dev.baton.lab.launch.TrialProgram;
import dev.baton.lab.matrix.ExperimentFile;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.Interruption;
import dev.baton.operations.line.KnownTransports;
import dev.baton.operations.terminal.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * What people type and keep in files, altered: understood, or refused with one line, soon. How many, and from which seed:
 * {@code -Dbaton.fuzz.inputs=1000000 -Dbaton.fuzz.seed=1}; of results one for every hundred, as each makes a page.
 */
@Tag("fuzz")
@Tag("long")
class LaboratoryFuzzTest {
    private static final long INPUTS = Long.getLong("baton.fuzz.inputs", 300);
    private static final long SEED = Long.getLong("baton.fuzz.seed", 1);
    private static final Duration LONGEST = Duration.ofSeconds(60);
    /** Of one line on what was typed wrong, with all that would be right. */
    private static final int MAX_ANSWER = 4_000;

    private static final Class<?> NO_CHILD = Void.class;
    private static final List<String> NONSENSE = List.of(
            "",
            " ",
            "-1",
            "-0",
            "0",
            "1e999999999",
            "1e-999999999",
            "9".repeat(5_000),
            "NaN",
            "banana",
            "0x10",
            "1,2,3",
            ",,,",
            "\0",
            "\u202e\n\ud800",
            "../../../etc/passwd",
            "%s%n%d",
            "${x}",
            "=",
            "a=b=c",
            "p99<",
            "p99<1e999s",
            "1..2..3",
            "9999999999999h",
            "--",
            "@nosuchfile",
            "@/dev/zero",
            "@/",
            "/dev/null",
            "\u001b[31mred",
            "\ufffd",
            "\uff11\uff10",
            "20\n",
            "-version",
            "64q",
            "\"",
            "[[[[",
            "x".repeat(100_000));

    @TempDir
    private Path temporary;

    private final ExecutorService worker = Executors.newSingleThreadExecutor();

    @AfterEach
    void stop() {
        worker.shutdownNow();
    }

    @Test
    void experimentsAreReadOrRefusedWithTheirLine() throws Exception {
        List<byte[]> samples = new ArrayList<>();
        try (Stream<Path> files = Files.list(Path.of("src/test/resources/experiments"))) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".yaml")).toList()) {
                samples.add(Files.readAllBytes(file));
            }
        }
        samples.add("[".repeat(20_000).getBytes(StandardCharsets.UTF_8));
        samples.add("a: &a [*a, *a]\ncommand: *a\n".getBytes(StandardCharsets.UTF_8));
        samples.add(laughs());
        Random random = new Random(SEED);
        Path file = temporary.resolve("x.yaml");
        for (long input = 0; input < INPUTS; input++) {
            byte[] sample = samples.get(random.nextInt(samples.size()));
            Files.write(file, input < samples.size() ? samples.get((int) input) : altered(sample, random));
            within("YAML, seed " + SEED + ", input " + input, () -> {
                try {
                    return ExperimentFile.read(file);
                } catch (CommandException refused) {
                    assertThat(refused).hasMessageContaining(file.toString());
                    return null;
                }
            });
        }
    }

    @Test
    void resultsAreReadOrComplainedAbout() throws Exception {
        Random random = new Random(SEED + 1);
        List<Path> folders;
        try (Stream<Path> all = Files.list(Path.of("src/test/resources/results/schema-1"))) {
            folders = all.sorted().toList();
        }
        for (long input = 0; input < Math.max(10, INPUTS / 100); input++) {
            Path folder = copyOf(folders.get(random.nextInt(folders.size())));
            spoilOneFile(folder, random, input);
            String what = "results, seed " + SEED + ", input " + input;
            FakeLaboratory report = new FakeLaboratory(NO_CHILD);
            Path page = temporary.resolve("page.html");
            int code = within(
                    what + " in " + folder, () -> report.run("report", folder.toString(), "--out", page.toString()));
            assertUnderstood(what, report, code);
            FakeLaboratory compare = new FakeLaboratory(NO_CHILD);
            assertUnderstood(
                    what, compare, within(what, () -> compare.run("compare", folder.toString(), folder.toString())));
            delete(folder);
        }
    }

    @Test
    void wrongArgumentsAreRefusedInOneLine() throws Exception {
        Random random = new Random(SEED + 2);
        Console nowhere = new Console(
                new PrintWriter(Writer.nullWriter()),
                new PrintWriter(Writer.nullWriter()),
                new Terminal(false, false, 100, false));
        CommandLine line = Laboratory.commandLine(
                nowhere,
                new Workbench(KnownTransports.onClassPath(), null, new TrialProgram(NO_CHILD), new Interruption()));
        List<String> names = new ArrayList<>(line.getSubcommands().keySet());
        names.remove("help"); // answers whatever is asked
        Collections.sort(names);
        for (long input = 0; input < INPUTS; input++) {
            String name = names.get(random.nextInt(names.size()));
            String[] arguments = arguments(name, line.getSubcommands().get(name), random);
            String what = "command line, seed " + SEED + ", input " + input + ": " + shortened(arguments);
            FakeLaboratory laboratory = FakeLaboratory.withRealTransports(NO_CHILD);
            int code = within(what, () -> laboratory.run(arguments));
            assertThat(code)
                    .as(what + "\n" + laboratory.err())
                    .isIn(2, 3); // 2: misused, 3: a value that is refused only when it is used
            assertThat(laboratory.complaints()).as(what).hasSize(1);
            assertThat(laboratory.err()).as(what).doesNotContain("\tat ").doesNotContain("this is a bug");
            assertThat(laboratory.err().lines().flatMapToInt(String::chars))
                    .as(what)
                    .noneMatch(Character::isISOControl);
            assertThat(laboratory.err().length()).as(what).isLessThan(MAX_ANSWER);
        }
    }

    /** Options with values that may be fine, and one thing that cannot be: nothing may start. */
    private static String[] arguments(String name, CommandLine command, Random random) {
        List<String> arguments = new ArrayList<>();
        List<OptionSpec> options = command.getCommandSpec().options().stream()
                .filter(option -> !option.usageHelp() && !option.versionHelp())
                .toList();
        for (int i = random.nextInt(4); i > 0 && !options.isEmpty(); i--) {
            OptionSpec option = options.get(random.nextInt(options.size()));
            arguments.add(option.longestName());
            if (option.arity().max() > 0) {
                arguments.add(NONSENSE.get(random.nextInt(NONSENSE.size())));
            }
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            arguments.add(random.nextInt(arguments.size() + 1), NONSENSE.get(random.nextInt(NONSENSE.size())));
        }
        arguments.add(
                random.nextInt(arguments.size() + 1),
                random.nextBoolean() ? "--no-such-option" : "--transport=nosuch,,\0");
        if (!arguments.contains("--no-such-option") && command.getCommandSpec().findOption("--transport") == null) {
            arguments.add("--no-such-option");
        }
        arguments.add(0, name);
        return arguments.toArray(String[]::new);
    }

    private static String shortened(String[] arguments) {
        return Stream.of(arguments)
                .map(each -> each.length() > 60 ? each.substring(0, 60) + "..." : each)
                .toList()
                .toString();
    }

    private static void assertUnderstood(String what, FakeLaboratory laboratory, int code) {
        assertThat(code).as(what + "\n" + laboratory.err()).isIn(0, 1, 2, 3, 4); // any documented code, but no crash
        assertThat(laboratory.err()).as(what).doesNotContain("\tat ").doesNotContain("this is a bug");
    }

    private static byte[] laughs() {
        StringBuilder text = new StringBuilder("a0: &a0 [ha, ha, ha, ha, ha, ha, ha, ha, ha]\n");
        for (int i = 1; i < 30; i++) {
            text.append("a").append(i).append(": &a").append(i).append(" [");
            text.append(("*a" + (i - 1) + ", ").repeat(8))
                    .append("*a")
                    .append(i - 1)
                    .append("]\n");
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void spoilOneFile(Path folder, Random random, long input) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.sorted().toList();
        }
        Path file = files.get(random.nextInt(files.size()));
        byte[] bytes = Files.readAllBytes(file);
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        byte[] damaged = switch (random.nextInt(6)) {
            case 0 -> ("[".repeat(50_000)).getBytes(StandardCharsets.UTF_8);
            case 1 -> text.replaceFirst("\\d+", "1e999999999").getBytes(StandardCharsets.ISO_8859_1);
            case 2 -> replaceSome(text, random, "9".repeat(2_000)).getBytes(StandardCharsets.ISO_8859_1);
            case 3 ->
                replaceSome(text, random, "\"" + "x".repeat(1_000_000) + "\"").getBytes(StandardCharsets.ISO_8859_1);
            case 4 ->
                replaceSome(text, random, random.nextBoolean() ? "null" : "-1").getBytes(StandardCharsets.ISO_8859_1);
            default -> altered(bytes, random);
        };
        Files.write(file, damaged);
    }

    /** One of the text's numbers or words by something else. */
    private static String replaceSome(String text, Random random, String by) {
        java.util.regex.Matcher matcher = java.util.regex.Pattern.compile(": (\"[^\"]*\"|[-0-9.Ee]+|true|false)")
                .matcher(text);
        List<int[]> found = new ArrayList<>();
        while (matcher.find()) {
            found.add(new int[] {matcher.start(1), matcher.end(1)});
        }
        if (found.isEmpty()) {
            return by;
        }
        int[] one = found.get(random.nextInt(found.size()));
        return text.substring(0, one[0]) + by + text.substring(one[1]);
    }

    private static byte[] altered(byte[] source, Random random) {
        byte[] bytes = source.clone();
        for (int times = 1 + random.nextInt(4); times > 0 && bytes.length > 1; times--) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(5)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) "{}[]:,-&*!|>'\"%@`# \n\t\0".charAt(random.nextInt(22));
                case 2 -> bytes = Arrays.copyOf(bytes, at);
                case 3 -> {
                    int length = Math.min(Math.min(bytes.length - at, source.length), 1 + random.nextInt(40));
                    System.arraycopy(source, random.nextInt(source.length - length + 1), bytes, at, length);
                }
                default -> {
                    byte[] longer = Arrays.copyOf(bytes, bytes.length + 8);
                    System.arraycopy(bytes, at, longer, at + 8, bytes.length - at);
                    bytes = longer;
                }
            }
        }
        return bytes;
    }

    private <T> T within(String what, Callable<T> work) throws Exception {
        try {
            return worker.submit(work).get(LONGEST.toSeconds(), TimeUnit.SECONDS);
        } catch (java.util.concurrent.TimeoutException hung) {
            throw new AssertionError(what + " took more than " + LONGEST, hung);
        } catch (ExecutionException failed) {
            throw new AssertionError(what + " failed: " + failed.getCause(), failed.getCause());
        }
    }

    private Path copyOf(Path folder) throws IOException {
        Path copy = Files.createTempDirectory(temporary, "results");
        try (Stream<Path> files = Files.list(folder)) {
            files.forEach(file -> {
                try {
                    Files.copy(file, copy.resolve(file.getFileName()));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
        return copy;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
