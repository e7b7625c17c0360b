package dev.baton.lab.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.baton.lab.FixedResults;
import dev.baton.lab.results.Experiment;
import dev.baton.lab.results.Headline;
import dev.baton.lab.results.Json;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.study.advice.Advice;
import dev.baton.lab.study.soak.SoakFindings;
import dev.baton.lab.study.soak.Trend;
import dev.baton.lab.study.window.FoundItems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SchemaTest {
    /** {@code -Dbaton.schema.write=true} writes the schemas anew, to be read over and committed. */
    private static final boolean IS_WRITING = Boolean.getBoolean("baton.schema.write");

    @Test
    void schemaOfTrialsMatchesTheRecords() throws IOException {
        check(
                Schemas.TRIAL,
                SchemaWriter.schema(
                        TrialResult.class,
                        "urn:baton:schema:trial-" + TrialResult.SCHEMA,
                        "What one trial of the Baton laboratory found"));
    }

    @Test
    void schemaOfExperimentsMatchesTheRecords() throws IOException {
        check(
                Schemas.EXPERIMENT,
                SchemaWriter.schema(
                        Experiment.class,
                        "urn:baton:schema:experiment-" + Experiment.SCHEMA,
                        "An experiment of the Baton laboratory and its trials"));
    }

    @Test
    void schemaOfHeadlinesMatchesTheRecord() throws IOException {
        check(
                Schemas.HEADLINE,
                SchemaWriter.schema(
                        Headline.class,
                        "urn:baton:schema:headline-" + Headline.SCHEMA,
                        "What an experiment of the Baton laboratory asked, and what came of it"));
    }

    @Test
    void schemaOfAdviceMatchesTheRecord() throws IOException {
        check(
                Schemas.ADVICE,
                SchemaWriter.schema(
                        Advice.class,
                        "urn:baton:schema:advice-1",
                        "What an advise of the Baton laboratory asked, measured and recommends"));
    }

    @Test
    void schemaOfWindowSearchesMatchesTheRecord() throws IOException {
        check(
                Schemas.WINDOW_SEARCH,
                SchemaWriter.schema(
                        FoundItems.class,
                        "urn:baton:schema:window-search-1",
                        "What searches of the Baton laboratory for the most items of a window found"));
    }

    private static void check(Path file, ObjectNode schema) throws IOException {
        String text = Schemas.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(schema) + "\n";
        if (IS_WRITING) {
            Files.writeString(file, text);
        }
        assertThat(Files.readString(file))
                .as("mvn test -pl laboratory/lab -am -Dtest=SchemaTest -Dsurefire.failIfNoSpecifiedTests=false"
                        + " -Dbaton.schema.write=true writes it anew; what is removed or changes its meaning needs a new"
                        + " version of the schema")
                .isEqualTo(text);
    }

    @Test
    void theSchemasAreSchemas() throws IOException {
        var meta = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(com.networknt.schema.SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));
        for (Path file : Schemas.ALL) {
            assertThat(meta.validate(Schemas.MAPPER.readTree(file.toFile())))
                    .as(file.toString())
                    .isEmpty();
        }
    }

    /** A second begins with messages of before it under way; memory is given back. */
    @Test
    void soakQuantitiesMayDecrease() throws IOException {
        Trend falls = new Trend(
                "messages in flight",
                Trend.Unit.COUNT,
                List.of(1.0, -1.0),
                -3_600.0,
                -2.0,
                1_000.0,
                1.0,
                Trend.Judgement.STEADY,
                "");
        TrialResult soak = FixedResults.with(
                FixedResults.passed("disruptor", 1_000), new SoakFindings(2, "", List.of(falls), List.of()));
        assertThat(Schemas.complaints(Schemas.MAPPER.readTree(Json.line(soak)), Schemas.TRIAL, true))
                .isEmpty();
    }

    @Test
    void everyPropertyIsDescribed() throws IOException {
        List<String> silent = new ArrayList<>();
        for (Path file : Schemas.ALL) {
            JsonNode definitions = Schemas.MAPPER.readTree(file.toFile()).get("$defs");
            definitions
                    .properties()
                    .forEach(definition -> definition
                            .getValue()
                            .path("properties")
                            .properties()
                            .forEach(property -> {
                                if (!property.getKey().equals("kind")
                                        && property.getValue()
                                                .path("description")
                                                .asText()
                                                .isBlank()) {
                                    silent.add(definition.getKey() + "." + property.getKey());
                                }
                            }));
        }
        assertThat(silent).isEmpty();
    }
}
