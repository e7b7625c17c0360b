package dev.baton.lab.page;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Files as links that work from where a page lies. Stateless, thread-safe. */
final class Links {
    private Links() {}

    /** The files in a folder that are not hidden, and no page. @param page where the page is or will be */
    static List<ExperimentData.Link> of(Path folder, Path page) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !file.getFileName().toString().startsWith("."))
                    .filter(file -> !file.getFileName().toString().endsWith(".html"))
                    .sorted()
                    .map(file -> new ExperimentData.Link(file.getFileName().toString(), to(file, page)))
                    .toList();
        } catch (IOException unreadable) {
            return List.of(); // the reader has complained about it
        }
    }

    /** From a page to a file: relative, so that both can be moved together. */
    static String to(Path file, Path page) {
        Path from = page.toAbsolutePath().normalize().getParent();
        Path target = file.toAbsolutePath().normalize();
        String relative = from.relativize(target).toString().replace('\\', '/');
        String rooted = relative.startsWith("../") ? relative : "./" + relative;
        try {
            return new URI(null, null, rooted, null).toASCIIString();
        } catch (URISyntaxException unlinkable) {
            return "";
        }
    }
}
