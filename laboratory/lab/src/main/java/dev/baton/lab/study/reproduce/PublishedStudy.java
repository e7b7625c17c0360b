package dev.baton.lab.study.reproduce;

import dev.baton.measuring.machine.Cores;
import dev.baton.measuring.machine.SystemLimits;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.terminal.Paint;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * A published study and its repetition here: the content of a file in {@code resources/studies}, and the registry of all of them.
 * Immutable, thread-safe.
 *
 * @param name on the command line
 * @param question of the study
 * @param source place of publication, and the machine of the measurement
 * @param settings that are kept, a line for each subject
 * @param deviations differences to the study, and their consequences
 * @param steps of the repetition, in this order
 */
record PublishedStudy(
        String name,
        String question,
        String source,
        List<String> settings,
        List<String> deviations,
        List<StudyStep> steps) {
    /** Tables by name, in the order of a list: the study's figures and ours of the steps that were run, in their order. */
    private static final Map<String, Function<List<Reproduced>, Rows>> TABLES = new LinkedHashMap<>();

    private static final long ROOMY_BYTES = 10L << 30;
    private static final int PUBLISHED_CORES = 96;
    private static final long PUBLISHED_EVENTS = 10_000_000;

    static {
        TABLES.put("cloud-cost", CloudCost::figures);
        TABLES.put("which-jvm", SimpleTables::whichJvm);
        TABLES.put("jitter", SimpleTables::jitter);
        TABLES.put("gc-rematch", steps -> SimpleTables.windows(steps, SimpleTables.REMATCH));
        TABLES.put("green-threads", steps -> SimpleTables.windows(steps, SimpleTables.GREEN_THREADS));
        TABLES.put("small-memory", SimpleTables::smallMemory);
    }

    static List<PublishedStudy> all() {
        return TABLES.keySet().stream().map(PublishedStudy::read).toList();
    }

    /**
     * {@return the study with a name}
     *
     * @throws CommandException that lists the others, when there is none of that name
     */
    static PublishedStudy named(String name) {
        if (!TABLES.containsKey(name)) {
            throw CommandException.usage("unknown study '" + name + "'; known: " + String.join(", ", TABLES.keySet()));
        }
        return read(name);
    }

    List<String> figures(List<Reproduced> reproduced, Paint paint, int width) {
        return TABLES.get(name).apply(reproduced).lines(source, paint, width);
    }

    /**
     * Reads a study from its file. Values that depend on the machine are in braces. A step has the file's values of {@code quick}, {@code
     * full} and {@code seconds} unless it has its own.
     */
    private static PublishedStudy read(String name) {
        try (InputStream in = PublishedStudy.class.getResourceAsStream("/studies/" + name + ".yaml")) {
            String text = filled(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            Map<?, ?> file = new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
            List<StudyStep> steps = new ArrayList<>();
            ((List<?>) file.get("steps")).forEach(step -> steps.add(step(file, (Map<?, ?>) step)));
            return new PublishedStudy(
                    name,
                    text(file, "question"),
                    text(file, "source"),
                    texts(file, "settings"),
                    texts(file, "deviations"),
                    steps);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static StudyStep step(Map<?, ?> file, Map<?, ?> step) {
        List<String> arguments = words(text(file, "command") + " " + text(step, "with"));
        if (step.containsKey("flags")) {
            arguments.add("--jvm-flags=" + text(step, "flags"));
        }
        Map<?, ?> seconds = (Map<?, ?>) either(step, file, "seconds").get("seconds");
        return new StudyStep(
                text(step, "label"),
                arguments,
                words(text(either(step, file, "quick"), "quick")),
                words(text(either(step, file, "full"), "full")),
                Duration.ofSeconds(((Number) seconds.get("quick")).longValue()),
                Duration.ofSeconds(((Number) seconds.get("full")).longValue()),
                text(file, "per").equals("jvm"),
                text(step, "broker").equals("stock"),
                step.containsKey("part")
                        ? StudyStep.Part.valueOf(text(step, "part").toUpperCase(Locale.ROOT))
                        : StudyStep.Part.NONE);
    }

    private static Map<?, ?> either(Map<?, ?> step, Map<?, ?> file, String key) {
        return step.containsKey(key) ? step : file;
    }

    private static List<String> texts(Map<?, ?> map, String key) {
        return ((List<?>) map.get(key)).stream().map(Object::toString).toList();
    }

    private static String text(Map<?, ?> map, String key) {
        return map.containsKey(key) ? map.get(key).toString() : "";
    }

    private static List<String> words(String text) {
        return new ArrayList<>(Arrays.asList(text.trim().split(" +")));
    }

    /** Replaces the braces by the values of this machine. */
    private static String filled(String text) {
        BitSet allowed = Cores.allowed();
        int first = allowed.nextSetBit(0);
        int second = first < 0 ? -1 : allowed.nextSetBit(first + 1);
        boolean isRoomy = SystemLimits.totalMemoryBytes() >= ROOMY_BYTES;
        long share =
                Math.round(PUBLISHED_EVENTS * (double) Runtime.getRuntime().availableProcessors() / PUBLISHED_CORES);
        return text.replace("{pins}", second < 0 ? "" : "--pin " + first + "," + second)
                .replace("{pin}", second < 0 ? "" : "--pin")
                .replace("{jitter-heap}", isRoomy ? "4g" : "1g")
                .replace("{window-heap}", isRoomy ? "6g" : "4g")
                .replace("{share}", Long.toString(share))
                .replace("{share-keys}", Long.toString(Math.max(100, share / 100)));
    }
}
