package dev.baton.lab.results;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Plain text among the results: a table for other programs. Stateless, thread-safe. */
public final class ResultText {
    private ResultText() {}

    /** Writes all or nothing, readable by the owner alone. */
    public static void write(Path file, String text) throws IOException {
        PrivateFile.write(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
    }
}
