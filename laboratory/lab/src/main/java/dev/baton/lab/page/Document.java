package dev.baton.lab.page;

import dev.baton.lab.results.Json;
import dev.baton.operations.settings.Checksum;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One file that a browser needs nothing else for: styles, scripts and data are in it, and its content security policy
 * allows these alone, by their hashes, and no request. Data is JSON that no script can break out of. Stateless,
 * thread-safe.
 */
final class Document {
    private static final String FOLDER = "/page/";
    private static final Pattern PLACE = Pattern.compile("\\{\\{([a-z]+)}}");

    /** Characters that reorder adjacent text, or that end a line in a script. */
    private static final Pattern TREACHEROUS =
            Pattern.compile("[\\u200e\\u200f\\u061c\\u202a-\\u202e\\u2066-\\u2069\\u007f-\\u009f\\ufeff]");

    private Document() {}

    /** A page. @param scripts names of the files in {@code resources/page}, in order */
    static String of(String title, List<String> scripts, Object data) {
        String style = resource("uplot.css") + resource("page.css");
        String library = resource("uplot.js");
        String script = "(() => {\n\"use strict\";\n"
                + scripts.stream().map(Document::resource).collect(Collectors.joining("\n")) + "})();\n";
        Map<String, String> parts = new HashMap<>();
        parts.put("title", html(title));
        parts.put(
                "policy",
                "default-src 'none'; script-src " + hash(library) + " " + hash(script) + "; style-src " + hash(style)
                        + "; base-uri 'none'; form-action 'none'");
        parts.put("licence", resource("uplot-licence.txt"));
        parts.put("style", style);
        parts.put("library", library);
        parts.put("script", script);
        parts.put("data", json(data));
        Matcher matcher = PLACE.matcher(resource("page.html"));
        return matcher.replaceAll(place -> Matcher.quoteReplacement(parts.get(place.group(1))));
    }

    /** JSON that can stand in a script element: no tag and no comment begins in it, no line ends. */
    static String json(Object data) {
        String safe = Json.line(data)
                .replace("<", "\\u003c")
                .replace(">", "\\u003e")
                .replace("&", "\\u0026")
                .replace("\u2028", "\\u2028")
                .replace("\u2029", "\\u2029");
        return TREACHEROUS.matcher(safe).replaceAll("\ufffd");
    }

    private static String html(String text) {
        return TREACHEROUS
                .matcher(text)
                .replaceAll("\ufffd")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;");
    }

    private static String hash(String text) {
        byte[] digest = Checksum.of(text.getBytes(StandardCharsets.UTF_8));
        return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
    }

    private static String resource(String name) {
        try (InputStream in = Document.class.getResourceAsStream(FOLDER + name)) {
            if (in == null) {
                throw new IllegalStateException("no resource " + FOLDER + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
