package dev.baton.lab.launch;

import dev.baton.lab.launch.JvmSearch.FoundJvm;
import dev.baton.operations.line.CommandException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Asks a JVM what it is, and whether it starts with given flags, by starting it. Stateless, thread-safe. */
public final class JvmProbe {
    static final int OLDEST = 17;

    /** What HotSpot says before it says why. */
    private static final String NO_START = "Error occurred during initialization of VM";

    /** A line of the list: type, name, value, kind, origin. */
    private static final Pattern FLAG = Pattern.compile("\\s*\\w+ (\\w+)\\s+:?= (\\S*)\\s.*");

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String VERSION_PREFIX_BEFORE_9 = "1.";

    private JvmProbe() {}

    /**
     * The JVM at a place that somebody typed.
     *
     * @param typed a JDK's home, or its {@code java}
     * @throws CommandException when there is none, or one that is too old
     */
    public static FoundJvm at(Path typed) {
        Path java = Files.isDirectory(typed) ? typed.resolve("bin").resolve("java") : typed;
        if (!Files.isExecutable(java) || Files.isDirectory(java)) {
            throw CommandException.usage("--jvm " + typed + " is no JVM: there is no " + java
                    + " that can be run; name a JDK's home or its java ('baton doctor' lists those found)");
        }
        Answer answer = run(List.of(java.toString(), "-XshowSettings:properties", "-version"));
        String version = answer.property("java.version");
        if (answer.code != 0 || version == null) {
            throw CommandException.usage("--jvm " + typed + " is no JVM: asked for its version, it said '"
                    + answer.firstLine() + "'; name a JDK's home or its java");
        }
        int feature = feature(version);
        if (feature < OLDEST) {
            throw CommandException.usage(
                    "--jvm " + typed + " is version " + version + "; " + OLDEST + " or later is needed");
        }
        Path home = Path.of(answer.property("java.home"));
        return new FoundJvm(
                new Jvm(java.toAbsolutePath(), feature),
                home,
                version,
                String.valueOf(answer.property("java.vendor")),
                String.valueOf(answer.property("java.vm.name")));
    }

    /** Why this JVM does not start with this collector, heap and flags, in its own words; null when it does. */
    public static String complaint(JvmChoice choice) {
        if (choice.collector() != null) {
            String missing = choice.collector().missingIn(choice.jvm().feature());
            if (missing != null) {
                return missing;
            }
        }
        Answer answer = run(commandLine(choice, List.of()));
        return answer.code == 0 ? null : answer.firstLine();
    }

    private static List<String> commandLine(JvmChoice choice, List<String> more) {
        List<String> command = new ArrayList<>();
        command.add(choice.jvm().executable().toString());
        if (choice.heap() != null) {
            command.add("-Xmx" + choice.heap());
        }
        command.addAll(choice.flags());
        command.addAll(more);
        command.add("-version");
        return command;
    }

    /**
     * The value that a flag of this JVM has when started with this collector, heap and flags, diagnostic ones included;
     * null when there is no such flag, or the JVM does not list its flags.
     */
    public static String flag(JvmChoice choice, String name) {
        return run(commandLine(choice, List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:+PrintFlagsFinal")))
                .lines
                .stream()
                .map(line -> FLAG.matcher(line))
                .filter(line -> line.matches() && line.group(1).equals(name))
                .map(line -> line.group(2))
                .findFirst()
                .orElse(null);
    }

    private static int feature(String version) {
        String text = version.startsWith(VERSION_PREFIX_BEFORE_9) ? version.substring(2) : version;
        return Integer.parseInt(text.split("[^0-9]", 2)[0]);
    }

    private record Answer(int code, List<String> lines) {
        String property(String key) {
            return lines.stream()
                    .map(String::trim)
                    .filter(line -> line.startsWith(key + " = "))
                    .map(line -> line.substring(key.length() + 3))
                    .findFirst()
                    .orElse(null);
        }

        String firstLine() {
            return lines.stream()
                    .map(String::trim)
                    .filter(line -> !line.isEmpty() && !line.startsWith("Picked up ") && !line.equals(NO_START))
                    .findFirst()
                    .orElse("nothing, exit code " + code);
        }
    }

    private static Answer run(List<String> command) {
        try {
            Path output = Files.createTempFile("baton-jvm", ".txt");
            Path flags = Path.of(output + ".args");
            try {
                List<String> shown = new ArrayList<>(command.subList(0, 1));
                shown.addAll(JvmFlags.shown(command.subList(1, command.size()), flags));
                Process process = new ProcessBuilder(shown)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
                process.getOutputStream().close();
                if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                    process.destroyForcibly().waitFor();
                    return new Answer(-1, List.of("no answer within " + PATIENCE.toSeconds() + " s"));
                }
                return new Answer(process.exitValue(), lines(output));
            } finally {
                Files.delete(output);
                Files.deleteIfExists(flags);
            }
        } catch (IOException failed) {
            return new Answer(-1, List.of(String.valueOf(failed.getMessage())));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return new Answer(-1, List.of("interrupted"));
        }
    }

    /** Whatever was started may not have written text. */
    private static List<String> lines(Path output) throws IOException {
        return new String(Files.readAllBytes(output), StandardCharsets.ISO_8859_1)
                .lines()
                .toList();
    }
}
