package dev.baton.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.TransportProvider;
import dev.baton.spi.options.OptionSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The metadata for IDEs contain the options of all transports, and docs/options.md all properties. */
class MetadataTest {
    private static final Path FILE =
            Path.of("../spring-boot-starter/src/main/resources/META-INF/additional-spring-configuration-metadata.json");

    private static final Path PAGE = Path.of("../../docs/options.md");
    private static final String PART = "<!-- generated: spring -->\n";

    /** {@code -Dbaton.metadata.write=true} writes the file. */
    @Test
    void everyOptionOfEveryTransportIsThere() throws IOException {
        TreeMap<String, String> entries = new TreeMap<>();
        for (TransportProvider each : ServiceLoader.load(TransportProvider.class)) {
            each.options().forEach(option -> entries.put(name(each, option), entry(each, option)));
        }
        String wanted =
                entries.values().stream().collect(Collectors.joining(",\n", "{\n  \"properties\": [\n", "\n  ]\n}\n"));
        if (Boolean.getBoolean("baton.metadata.write")) {
            Files.writeString(FILE, wanted);
        }
        assertThat(Files.readString(FILE, StandardCharsets.UTF_8)).isEqualTo(wanted);
        assertThat(entries).hasSizeGreaterThan(20);
    }

    @Test
    void pageOfOptionsListsEveryProperty() throws IOException {
        String metadata = Files.readString(
                Path.of("../spring-boot-starter/target/classes/META-INF/spring-configuration-metadata.json"));
        TreeMap<String, String> rows = new TreeMap<>();
        Matcher property = Pattern.compile("\\{([^{}]*)}").matcher(metadata.split("\"properties\": ")[1]);
        while (property.find()) {
            String name = field(property.group(1), "name");
            String description = field(property.group(1), "description");
            if (!name.startsWith("baton.transports.") && !description.isEmpty()) {
                rows.put(
                        name,
                        "| `" + name + "` | " + field(property.group(1), "defaultValue") + " | " + description
                                + " |\n");
            }
        }
        String table = "| property | default | meaning |\n|---|---|---|\n" + String.join("", rows.values());
        String page = Files.readString(PAGE);
        int from = page.indexOf(PART) + PART.length();
        int to = page.indexOf("<!-- end -->", from);
        if (Boolean.getBoolean("baton.metadata.write")) {
            Files.writeString(PAGE, page.substring(0, from) + table + page.substring(to));
        } else {
            assertThat(page.substring(from, to))
                    .as("run with -Dbaton.metadata.write=true to write docs/options.md")
                    .isEqualTo(table);
        }
        assertThat(rows).hasSizeGreaterThan(10);
    }

    @Test
    void optionsPageListsEveryChainSetting() throws IOException {
        String page = Files.readString(PAGE);
        assertThat(BatonProperties.ChainSettings.class.getRecordComponents())
                .allSatisfy(setting -> assertThat(page)
                        .contains("`baton.chains.CHAIN."
                                + setting.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT) + "`"));
    }

    private static String field(String json, String name) {
        Matcher field = Pattern.compile("\"" + name + "\": \"?(.*?)\"?,?\\R").matcher(json);
        return field.find() ? field.group(1).replace("\\/", "/") : "";
    }

    private static String name(TransportProvider transport, OptionSpec option) {
        return "baton.transports." + transport.name() + "." + option.name();
    }

    private static String entry(TransportProvider transport, OptionSpec option) {
        String text = option.description() + ": " + option.allowed()
                + (option.defaultValue().isEmpty() ? "" : "; default " + option.defaultValue());
        assertThat(text).doesNotContain("\"", "\\");
        return "    {\"name\": \"" + name(transport, option) + "\", \"type\": \"java.lang.String\", \"description\": \""
                + Character.toUpperCase(text.charAt(0)) + text.substring(1) + ".\"}";
    }
}
