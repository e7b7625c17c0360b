package dev.baton.measuring.machine;

import dev.baton.measuring.data.Host;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The mounted file systems, read from {@code /proc/self/mountinfo}. Stateless, thread-safe. */
final class Mounts {
    /** Identity, parent, device, root, point, options, any number of tags, a hyphen, type, source, super options. */
    private static final Pattern LINE =
            Pattern.compile("\\S+ \\S+ \\S+ (\\S+) (\\S+) (\\S+)(?: \\S+)* - (\\S+) (\\S+) (\\S+)");

    private static final Pattern OCTAL = Pattern.compile("\\\\([0-7]{3})");

    /** A mount of control groups. @param root of the visible hierarchy */
    record Groups(String root, Path point) {}

    private Mounts() {}

    /**
     * The mount of a file, the last one of those that cover each other; null for none.
     *
     * @param shown removes secrets from its source and from each of its options
     */
    static Host.Mount holding(Path absolute, KernelTree tree, UnaryOperator<String> shown) {
        return all(tree)
                .filter(mount -> absolute.startsWith(point(mount)))
                .reduce((one, other) ->
                        point(other).getNameCount() >= point(one).getNameCount() ? other : one)
                .map(mount -> new Host.Mount(
                        point(mount).toString(),
                        mount.group(4),
                        shown.apply(plain(mount.group(5))),
                        options(mount.group(3) + "," + mount.group(6), shown)))
                .orElse(null);
    }

    private static Path point(Matcher mount) {
        return Path.of(plain(mount.group(2)));
    }

    /**
     * {@return the mount of control groups, if any}
     *
     * @param controller of version 1; null for version 2, which has one hierarchy
     */
    static Optional<Groups> ofGroups(KernelTree tree, String controller) {
        return all(tree)
                .filter(mount -> controller == null
                        ? mount.group(4).equals("cgroup2")
                        : mount.group(4).equals("cgroup")
                                && List.of(mount.group(6).split(",")).contains(controller))
                .map(mount -> new Groups(plain(mount.group(1)), point(mount)))
                .findFirst();
    }

    private static Stream<Matcher> all(KernelTree tree) {
        return tree.lines("proc/self/mountinfo").stream().map(LINE::matcher).filter(Matcher::matches);
    }

    private static String options(String all, UnaryOperator<String> shown) {
        return Stream.of(all.split(",")).distinct().map(shown).collect(Collectors.joining(","));
    }

    /** Decodes a text in which a blank is written as {@code \040}. */
    private static String plain(String escaped) {
        return OCTAL.matcher(escaped)
                .replaceAll(
                        code -> Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(code.group(1), 8))));
    }
}
