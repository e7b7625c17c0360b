package dev.baton.lab.launch.jvm;

import dev.baton.lab.launch.jvm.JvmProbe.FoundJvm;
import dev.baton.operations.line.CommandException;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Asks a JVM what it is, and whether it starts with given flags, by starting it; finds the JVMs of this machine where they
 * usually are: the one that runs this, {@code JAVA_HOME}, the {@code PATH}, and the directories of packages and version
 * managers. Stateless, thread-safe.
 */
public final class JvmProbe {
    /** HotSpot's line before the reason of a failed start. */
    public static final String NO_START = "Error occurred during initialization of VM";

    /** The pattern of a line of the list: type, name, value, kind, origin. */
    private static final Pattern FLAG = Pattern.compile("\\s*\\w+ (\\w+)\\s+:?= (\\S*)\\s.*");

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String VERSION_PREFIX_BEFORE_9 = "1.";

    private JvmProbe() {}

    /**
     * The JVM at a place from the command line.
     *
     * @param typed a JDK's home, or its {@code java}
     * @throws CommandException when there is none, or one that is too old, or that runs reference engines alone from a jar that is missing
     */
    public static FoundJvm at(Path typed) {
        Path java = Files.isDirectory(typed) ? typed.resolve("bin").resolve("java") : typed;
        if (!Files.isExecutable(java) || Files.isDirectory(java)) {
            throw CommandException.usage("--jvm " + typed + " is not a JVM: there is no " + java
                    + " that can be run; name a JDK's home or its java ('baton doctor' lists those found)");
        }
        Answer answer = run(List.of(java.toString(), "-XshowSettings:properties", "-version"));
        String version = answer.property("java.version");
        if (answer.code != 0 || version == null) {
            throw CommandException.usage("--jvm " + typed + " is not a JVM: asked for its version, it said '"
                    + answer.firstLine() + "'; name a JDK's home or its java");
        }
        int feature = feature(version);
        String complaint = OlderJar.complaint(feature, version);
        if (complaint != null) {
            throw CommandException.usage("--jvm " + typed + " " + complaint);
        }
        Path home = Path.of(answer.property("java.home"));
        String name = String.valueOf(answer.property("java.vm.name"));
        return new FoundJvm(
                InstalledJvm.named(java.toAbsolutePath(), feature, name),
                home,
                version,
                String.valueOf(answer.property("java.vendor")),
                name);
    }

    /** {@return why this JVM does not start with this collector, heap and flags, in its own words; null when it does} */
    public static String complaint(JvmChoice choice) {
        if (choice.collector() != null && !choice.jvm().isHotSpot()) {
            return choice.jvm().foreign().name() + " has collectors of its own";
        }
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
        return !choice.jvm().isHotSpot()
                ? null
                : run(commandLine(choice, List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:+PrintFlagsFinal")))
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
                ProcessBuilder builder =
                        new ProcessBuilder(shown).redirectErrorStream(true).redirectOutput(output.toFile());
                FixedLocale.apply(builder.environment());
                Process process = builder.start();
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

    /** Reads the output, which may not be text. */
    private static List<String> lines(Path output) throws IOException {
        return new String(Files.readAllBytes(output), StandardCharsets.ISO_8859_1)
                .lines()
                .toList();
    }

    private static final List<String> PLACES = List.of(
            "/usr/lib/jvm", "/usr/java", "/opt", "/opt/java", "/usr/local/java", "/Library/Java/JavaVirtualMachines");
    private static final List<String> PLACES_AT_HOME = List.of(
            ".sdkman/candidates/java",
            ".jdks",
            ".asdf/installs/java",
            ".jenv/versions",
            ".local/share/mise/installs/java");
    private static final String MAC_HOME = "Contents/Home";

    /** Returns all JVMs that run Baton, the oldest version first. Starts each of them; takes a tenth of a second per JVM. */
    public static List<FoundJvm> everywhere() {
        return found(true);
    }

    /** Returns all JVMs that run only reference engines, the oldest version first; none without the jar for them. */
    public static List<FoundJvm> older() {
        return found(false);
    }

    private static List<FoundJvm> found(boolean isWhole) {
        return among(candidates(System.getenv(), System.getProperty("user.home", "."))).stream()
                .filter(each -> each.jvm().feature() >= OlderJar.WHOLE == isWhole)
                .toList();
    }

    /** Returns the JVMs of the given home directories that are new enough. */
    static List<FoundJvm> among(List<Path> homes) {
        Map<Path, FoundJvm> found = new LinkedHashMap<>();
        for (Path home : homes) {
            Path java = home.resolve("bin").resolve("java");
            if (!Files.isExecutable(java)) {
                continue;
            }
            try {
                Path real = home.toRealPath();
                if (!found.containsKey(real)) {
                    found.put(real, JvmProbe.at(real));
                }
            } catch (IOException | CommandException none) {
                // not one to measure in
            }
        }
        List<FoundJvm> all = new ArrayList<>(found.values());
        all.sort(Comparator.comparingInt((FoundJvm each) -> each.jvm().feature())
                .thenComparing(FoundJvm::version)
                .thenComparing(each -> each.home().toString()));
        return all;
    }

    /** Returns the candidates; names that are none in this locale are skipped. */
    private static List<Path> candidates(Map<String, String> environment, String userHome) {
        List<Path> homes = new ArrayList<>();
        homes.add(Path.of(System.getProperty("java.home")));
        if (environment.get("JAVA_HOME") != null) {
            path(environment.get("JAVA_HOME")).ifPresent(homes::add);
        }
        for (String directory : environment.getOrDefault("PATH", "").split(File.pathSeparator)) {
            path(directory.isEmpty() ? "." : directory)
                    .map(each -> each.resolve("java"))
                    .filter(Files::isExecutable)
                    .map(JvmProbe::homeOf)
                    .ifPresent(homes::add);
        }
        PLACES.forEach(place -> homes.addAll(below(Path.of(place))));
        path(userHome).ifPresent(home -> PLACES_AT_HOME.forEach(place -> homes.addAll(below(home.resolve(place)))));
        return homes;
    }

    private static Optional<Path> path(String name) {
        try {
            return Optional.of(Path.of(name));
        } catch (InvalidPathException notInThisLocale) {
            return Optional.empty();
        }
    }

    private static Path homeOf(Path java) {
        try {
            Path bin = java.toRealPath().getParent();
            return bin.getParent();
        } catch (IOException gone) {
            return java;
        }
    }

    private static List<Path> below(Path place) {
        List<Path> homes = new ArrayList<>();
        if (Files.isDirectory(place)) {
            try (DirectoryStream<Path> each = Files.newDirectoryStream(place)) {
                each.forEach(home -> {
                    homes.add(home);
                    homes.add(home.resolve(MAC_HOME));
                });
            } catch (IOException unreadable) {
                // nothing to be found there
            }
        }
        return homes;
    }

    /**
     * A JVM as it describes itself. Immutable, thread-safe.
     *
     * @param home its {@code java.home}, links resolved
     * @param version such as 17.0.15
     * @param vendor such as Eclipse Adoptium
     * @param name of the virtual machine, such as OpenJDK 64-Bit Server VM
     */
    public record FoundJvm(InstalledJvm jvm, Path home, String version, String vendor, String name) {}
}
