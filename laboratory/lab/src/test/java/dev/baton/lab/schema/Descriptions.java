package dev.baton.lab.schema;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the Javadoc of a record says of it and of its components, read from its source, so that the schema says the same.
 * Stateless, thread-safe.
 */
final class Descriptions {
    private static final List<Path> SOURCES = List.of(
            Path.of("src/main/java"), Path.of("../measuring/src/main/java"), Path.of("../../operations/src/main/java"));
    private static final Pattern TAG = Pattern.compile("\\{@(\\w+)\\s+([^}]*)\\}");

    private Descriptions() {}

    /** Of the type itself; empty when it has no text. */
    static String of(Class<?> type) {
        String text = javadoc(type);
        int parameters = text.indexOf("@param");
        return plain(parameters < 0 ? text : text.substring(0, parameters), type);
    }

    /** Of one component; empty when the Javadoc does not mention it. */
    static String of(Class<?> type, String component) {
        Matcher matcher = Pattern.compile("@param\\s+" + component + "\\s+(.*?)(?=\\s@param\\s|$)", Pattern.DOTALL)
                .matcher(javadoc(type));
        return matcher.find() ? plain(matcher.group(1), type) : "";
    }

    /** The text of the comment before the declaration, without its stars. */
    private static String javadoc(Class<?> type) {
        String source = source(type);
        Matcher declaration = Pattern.compile("(?:record|enum|interface) " + type.getSimpleName() + "\\b")
                .matcher(source);
        if (!declaration.find()) {
            throw new IllegalStateException("no declaration of " + type);
        }
        int end = source.lastIndexOf("*/", declaration.start());
        int start = source.lastIndexOf("/**", declaration.start());
        boolean isItsOwn =
                end > start && !source.substring(end, declaration.start()).matches("(?s).*[;}].*");
        return isItsOwn
                ? source.substring(start + 3, end)
                        .replaceAll("(?m)^\\s*\\* ?", "")
                        .trim()
                : "";
    }

    private static String source(Class<?> type) {
        Class<?> outer = type;
        while (outer.getEnclosingClass() != null) {
            outer = outer.getEnclosingClass();
        }
        String name = outer.getName().replace('.', '/') + ".java";
        Path file = SOURCES.stream()
                .map(root -> root.resolve(name))
                .filter(Files::exists)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no source " + name));
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String plain(String text, Class<?> type) {
        String words = TAG.matcher(text).replaceAll(tag -> Matcher.quoteReplacement(word(tag, type)));
        return words.replaceAll("</?p>", "").replaceAll("\\s+", " ").trim();
    }

    private static String word(java.util.regex.MatchResult tag, Class<?> type) {
        String content = tag.group(2).trim();
        if (!tag.group(1).equals("value")) {
            String[] words = content.split("\\s+", 2);
            boolean isLabelled = tag.group(1).equals("link") && words.length == 2;
            return isLabelled ? words[1] : content.replaceFirst("^#", "").replace("#", " of ");
        }
        try {
            var field = type.getDeclaredField(content.replaceFirst("^#", ""));
            field.setAccessible(true);
            return String.valueOf(field.get(null));
        } catch (ReflectiveOperationException missing) {
            throw new IllegalStateException("{@value " + content + "} in " + type, missing);
        }
    }
}
