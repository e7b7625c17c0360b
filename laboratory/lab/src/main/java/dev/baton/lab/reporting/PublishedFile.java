package dev.baton.lab.reporting;

import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Wrapped;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A file of figures that others have published, shown for comparison with ours and never ranked. Stateless, thread-safe. */
public final class PublishedFile {
    /** The title above published figures. */
    public static final String TITLE = "published elsewhere: other hardware, other method; not ranked";

    private PublishedFile() {}

    /** Returns its lines, under the title and above its source. */
    public static List<String> lines(List<String> figures, String source, Paint paint, int width) {
        List<String> lines = new ArrayList<>(List.of(paint.apply(Tone.BOLD, TITLE)));
        lines.addAll(figures);
        lines.addAll(Wrapped.lines("from: ", source, width));
        return lines;
    }

    /** The rows of a file in {@code resources/published}, without the one that names the columns. */
    public static List<String[]> rows(String name) {
        try (InputStream in = PublishedFile.class.getResourceAsStream("/published/" + name)) {
            if (in == null) {
                return List.of();
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .skip(1)
                    .filter(line -> !line.isBlank())
                    .map(line -> line.split(",", -1))
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
