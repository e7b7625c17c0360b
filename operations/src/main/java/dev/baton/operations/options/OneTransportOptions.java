package dev.baton.operations.options;

import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.KnownTransports;
import dev.baton.operations.line.OptionGroup;
import dev.baton.operations.line.OptionGroup.Heading;
import dev.baton.operations.settings.Subject;
import dev.baton.spi.TransportProvider;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The transport whose topics are there already: options of commands that start no broker. */
@OptionGroup(Heading.WHERE)
public final class OneTransportOptions {
    @OptionGroup(Heading.RUNS)
    @Option(
            names = "--transport",
            paramLabel = "NAME",
            defaultValue = "chronicle",
            description = {"transport of the topics (default: ${DEFAULT-VALUE})", "'baton transports' lists them"})
    private String name;

    @Option(
            names = "--bootstrap-servers",
            paramLabel = "HOST:PORT",
            description = "Kafka brokers of the topics; required for kafka")
    private String bootstrapServers;

    @Option(
            names = "-o",
            paramLabel = "KEY=VALUE",
            description = {
                "an option of the transport, such as acks=1 (repeatable)",
                "KEY=env:NAME takes its value from the environment; @FILE, in place of arguments, reads them from a file"
            })
    private List<String> settings = new ArrayList<>();

    /**
     * {@return the one selected transport}
     *
     * @throws CommandException when it is unknown, several are named, or brokers are missing or useless for it
     */
    public ChosenTransport choose(KnownTransports known) {
        List<TransportProvider> selected = known.select(List.of(name.split(",", -1)));
        Checks.require(selected.size() == 1, "--transport " + name + " names several transports; one is allowed here");
        TransportProvider provider = selected.get(0);
        boolean hasBrokers = TransportSettings.has(provider, Subject.BROKERS);
        TransportSettings dealt = new TransportSettings(settings, bootstrapServers, selected, known);
        Checks.require(
                !hasBrokers || dealt.of(provider).containsKey(Subject.BROKERS),
                "--bootstrap-servers is needed: HOST:PORT of the brokers that keep the topics");
        return new ChosenTransport(provider, dealt.of(provider), 0);
    }
}
