package dev.baton.lab.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import dev.baton.lab.results.Headline;
import dev.baton.lab.results.ResultReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The published schemas, and files compared with them. Stateless, thread-safe. */
public final class Schemas {
    static final ObjectMapper MAPPER = new ObjectMapper();
    static final Path TRIAL = Path.of("../schema/trial-1.schema.json");
    static final Path EXPERIMENT = Path.of("../schema/experiment-1.schema.json");

    static final Path HEADLINE = Path.of("../schema/headline-1.schema.json");
    static final Path ADVICE = Path.of("../schema/advice-1.schema.json");
    static final Path WINDOW_SEARCH = Path.of("../schema/window-search-1.schema.json");
    static final List<Path> ALL = List.of(TRIAL, EXPERIMENT, HEADLINE, ADVICE, WINDOW_SEARCH);

    private Schemas() {}

    /**
     * Every result below a directory is as the schema says, with no property that it does not know, and whole.
     *
     * @return how many files there were
     */
    public static int requireValid(Path directory) throws IOException {
        List<Path> files = results(directory);
        assertThat(files).as("results in %s", directory).isNotEmpty();
        for (Path file : files) {
            assertThat(complaints(file, true)).as(file.toString()).isEmpty();
            if (file.endsWith("experiment.json")) {
                assertThat(ResultReader.read(file.getParent()).complaints())
                        .as(file.toString())
                        .isEmpty();
            }
        }
        return files.size();
    }

    /** The results of an earlier version are as the schema says. */
    public static void requireReadable(Path folder) throws IOException {
        for (Path file : results(folder)) {
            assertThat(complaints(file, false)).as(file.toString()).isEmpty();
        }
    }

    static List<Path> results(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
        }
    }

    /** @param isStrict whether a property that the schema does not know is complained about, too */
    static Set<ValidationMessage> complaints(Path file, boolean isStrict) throws IOException {
        return complaints(MAPPER.readTree(file.toFile()), schema(file), isStrict);
    }

    private static Path schema(Path file) {
        return switch (file.getFileName().toString()) {
            case "experiment.json" -> EXPERIMENT;
            case Headline.FILE -> HEADLINE;
            case "advice.json" -> ADVICE;
            case "window-search.json" -> WINDOW_SEARCH;
            default -> TRIAL;
        };
    }

    static Set<ValidationMessage> complaints(JsonNode content, Path schema, boolean isStrict) throws IOException {
        ObjectNode node = (ObjectNode) MAPPER.readTree(schema.toFile());
        if (isStrict) {
            node.get("$defs").forEach(definition -> {
                if (definition.has("properties")) {
                    ((ObjectNode) definition).put("additionalProperties", false);
                }
            });
        }
        JsonSchema compiled =
                JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(node);
        return compiled.validate(content);
    }
}
