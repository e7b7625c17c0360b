package dev.baton.lab.matrix;

import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * An experiment as written down in YAML: a command, its options, some of them with several values, and how often each
 * combination is measured. Immutable, thread-safe.
 *
 * <pre>
 * title: which collector keeps a window's tail short?
 * command: window
 * trials: 3
 * options:
 *   keys: [10000, 50000]
 *   gc: [g1, zgc]
 * quick:
 *   duration: 5s
 * </pre>
 *
 * @param title one line for a person
 * @param command whose trials are the cells
 * @param trials of each cell; null for the default
 * @param options with one value or more each, by name without hyphens, in the order written
 * @param quick options in place of those, for exploratory trials
 */
public record ExperimentFile(
        Path path,
        String title,
        String command,
        Integer trials,
        Map<String, Values> options,
        Map<String, Values> quick) {
    private static final List<String> KEYS = List.of("title", "command", "trials", "options", "quick");
    private static final int MOST_BYTES = 1 << 20;

    /** The values of an option. @param line of its name in the file, from 1 */
    public record Values(int line, List<String> all) {
        public Values {
            all = List.copyOf(all);
        }
    }

    /**
     * Reads an experiment.
     *
     * @throws CommandException that names the line, when the file is missing or not understood
     */
    public static ExperimentFile read(Path path) {
        if (!Files.isRegularFile(path)) {
            throw CommandException.usage("there is no file " + path + "; 'baton help matrix' shows one");
        }
        try {
            if (Files.size(path) > MOST_BYTES) {
                throw CommandException.usage(
                        path + " has more than " + MOST_BYTES + " bytes, which no experiment needs");
            }
            try (Reader text = Files.newBufferedReader(path)) {
                Node root = new Yaml(new LoaderOptions()).compose(text);
                return Checks.allowed(path + ", ", () -> of(path, root));
            }
        } catch (MarkedYAMLException malformed) {
            int line = malformed.getProblemMark() == null
                    ? 0
                    : malformed.getProblemMark().getLine() + 1;
            throw CommandException.usage(path + ", line " + line + ": not YAML: " + malformed.getProblem(), malformed);
        } catch (YAMLException | IOException unreadable) {
            Throwable cause = unreadable.getCause() instanceof IOException read ? read : unreadable;
            throw CommandException.usage(
                    "cannot read " + path + " as text: "
                            + (cause instanceof CharacterCodingException ? "it is not UTF-8" : cause.getMessage()),
                    unreadable);
        }
    }

    private static ExperimentFile of(Path path, Node root) {
        Map<String, NodeTuple> found = mapping(root, "the experiment");
        found.forEach((key, tuple) -> require(
                KEYS.contains(key),
                tuple.getKeyNode(),
                "unknown key '" + key + "'; known: " + String.join(", ", KEYS)));
        require(found.containsKey("command"), root, "no command; name one, such as chain");
        return new ExperimentFile(
                path,
                text(found, "title"),
                text(found, "command"),
                trials(found),
                options(found, "options"),
                options(found, "quick"));
    }

    private static Integer trials(Map<String, NodeTuple> found) {
        String typed = text(found, "trials");
        if (typed == null) {
            return null;
        }
        require(
                typed.matches("[1-9][0-9]?|100"),
                found.get("trials").getValueNode(),
                "trials: '" + typed + "' is not a number from 1 to 100");
        return Integer.valueOf(typed);
    }

    private static String text(Map<String, NodeTuple> found, String key) {
        NodeTuple tuple = found.get(key);
        return tuple == null ? null : scalar(tuple.getValueNode(), key);
    }

    private static Map<String, Values> options(Map<String, NodeTuple> found, String key) {
        Map<String, Values> options = new LinkedHashMap<>();
        if (found.containsKey(key)) {
            mapping(found.get(key).getValueNode(), key)
                    .forEach((name, tuple) -> options.put(
                            name, new Values(line(tuple.getKeyNode()), values(tuple.getValueNode(), name))));
        }
        return Collections.unmodifiableMap(options);
    }

    private static List<String> values(Node node, String name) {
        if (!(node instanceof SequenceNode sequence)) {
            return List.of(scalar(node, name));
        }
        List<String> all = new ArrayList<>();
        sequence.getValue().forEach(each -> all.add(scalar(each, name)));
        require(!all.isEmpty(), node, name + " is empty; omit it, or give it a value");
        return all;
    }

    private static String scalar(Node node, String name) {
        require(node instanceof ScalarNode, node, name + ": a single value belongs here");
        return ((ScalarNode) node).getValue();
    }

    private static Map<String, NodeTuple> mapping(Node node, String what) {
        require(node instanceof MappingNode, node, what + " is to have keys with values, such as command: chain");
        Map<String, NodeTuple> found = new LinkedHashMap<>();
        for (NodeTuple tuple : ((MappingNode) node).getValue()) {
            String key = scalar(tuple.getKeyNode(), "a key");
            require(!found.containsKey(key), tuple.getKeyNode(), "'" + key + "' for the second time");
            found.put(key, tuple);
        }
        return found;
    }

    private static int line(Node node) {
        return node == null || node.getStartMark() == null
                ? 1
                : node.getStartMark().getLine() + 1;
    }

    private static void require(boolean isTrue, Node node, String message) {
        if (!isTrue) {
            throw new IllegalArgumentException("line " + line(node) + ": " + message);
        }
    }

    /** The effective options: for exploratory trials those of {@code quick} replace the others. */
    public Map<String, Values> options(boolean isQuick) {
        Map<String, Values> all = new LinkedHashMap<>(options);
        if (isQuick) {
            all.putAll(quick);
        }
        return all;
    }
}
