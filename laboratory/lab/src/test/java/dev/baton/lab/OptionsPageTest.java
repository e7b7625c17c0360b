package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.command.Workbench;
import dev.baton.lab.launch.TrialProgram;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.Interruption;
import dev.baton.operations.line.KnownTransports;
import dev.baton.operations.terminal.Terminal;
import dev.baton.spi.TransportProvider;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The generated parts of docs/options.md list the options that exist. */
class OptionsPageTest {
    private static final Path PAGE = Path.of("../../docs/options.md");

    @Test
    void transportsOptionsAreListed() throws IOException {
        StringBuilder table =
                new StringBuilder("| transport | option | default | allowed | meaning |\n|---|---|---|---|---|\n");
        ServiceLoader.load(TransportProvider.class).stream()
                .filter(provider -> !provider.type().getName().startsWith("dev.baton.lab.")) // a test's
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparing(TransportProvider::name))
                .forEach(transport -> transport
                        .options()
                        .forEach(option -> table.append(row(
                                transport.name(),
                                "`" + option.name() + "`",
                                option.defaultValue(),
                                option.allowed(),
                                option.description()))));
        check("transports", table.toString());
    }

    @Test
    void commandsOptionsAreListed() throws IOException {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        Console console = new Console(nowhere, nowhere, new Terminal(false, false, 100, false));
        Workbench bench =
                new Workbench(KnownTransports.onClassPath(), null, new TrialProgram(Void.class), new Interruption());
        Map<String, TreeSet<String>> commands = new TreeMap<>();
        for (CommandLine command :
                Laboratory.commandLine(console, bench).getSubcommands().values()) {
            for (OptionSpec option : command.getCommandSpec().options()) {
                if (!option.usageHelp()
                        && !option.hidden()
                        && !command.getCommandName().equals("echo")) { // a test's
                    commands.computeIfAbsent(described(option), key -> new TreeSet<>())
                            .add(command.getCommandName());
                }
            }
        }
        StringBuilder table = new StringBuilder("| option | meaning | commands |\n|---|---|---|\n");
        commands.forEach((option, names) -> table.append("| " + option + " | " + String.join(", ", names) + " |\n"));
        check("commands", table.toString());
    }

    private static String described(OptionSpec option) {
        String value = option.paramLabel().isEmpty() || option.arity().max() == 0 ? "" : "=" + option.paramLabel();
        return "`" + String.join(", ", option.names())
                + value.replace("|", "\\|") + "` | "
                + text(String.join("; ", option.description()));
    }

    private static String row(String... cells) {
        return List.of(cells).stream().map(OptionsPageTest::text).collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    private static String text(String cell) {
        return cell.replaceAll("\\s+", " ").replace("|", "\\|").replace("<", "&lt;");
    }

    /** Compares a part of the page; {@code -Dbaton.options.write=true} writes it. */
    private static void check(String part, String table) throws IOException {
        String page = Files.readString(PAGE);
        String begin = "<!-- generated: " + part + " -->\n";
        int from = page.indexOf(begin) + begin.length();
        int to = page.indexOf("<!-- end -->", from);
        if (Boolean.getBoolean("baton.options.write")) {
            Files.writeString(PAGE, page.substring(0, from) + table + page.substring(to));
            return;
        }
        assertThat(page.substring(from, to))
                .as("run with -Dbaton.options.write=true to write docs/options.md")
                .isEqualTo(table);
    }
}
