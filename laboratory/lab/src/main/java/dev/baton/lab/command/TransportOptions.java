package dev.baton.lab.command;

import dev.baton.operations.line.Checks;
import dev.baton.operations.line.KnownTransports;
import dev.baton.operations.line.OptionGroup;
import dev.baton.operations.line.OptionGroup.Heading;
import dev.baton.operations.options.ChosenTransport;
import dev.baton.operations.options.TransportSettings;
import dev.baton.operations.settings.Subject;
import dev.baton.spi.Guarantee;
import dev.baton.spi.TransportProvider;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** The transports and their settings: options that every measuring command shares. */
@OptionGroup(Heading.WHERE)
public final class TransportOptions {
    private static final int MOST_BROKERS = 3;

    @OptionGroup(Heading.RUNS)
    @Option(
            names = "--transport",
            paramLabel = "NAME",
            description = {
                "transports (default: ${DEFAULT-VALUE})",
                "several are separated by commas; all: every transport; 'baton transports' lists them"
            })
    private String names;

    @Option(
            names = "--bootstrap-servers",
            paramLabel = "HOST:PORT",
            description = {
                "an existing Kafka cluster (default: started brokers)",
                "started brokers run in processes of their own"
            })
    private String bootstrapServers;

    @Option(
            names = "--brokers",
            paramLabel = "N",
            description = {
                "Kafka brokers to start, 1 or 3 (default: 1)",
                "each in its own process; of 3, each stores a copy and leads every third topic, and two confirm a frame"
            })
    private BigDecimal brokers;

    @Option(
            names = "-o",
            paramLabel = "KEY=VALUE",
            description = {
                "an option of a transport, such as acks=1 (repeatable)",
                "kafka.acks=1 addresses one of several transports; KEY=env:NAME takes the value from the environment; @FILE, in place of arguments, reads them from a file"
            })
    private List<String> settings = new ArrayList<>();

    /**
     * Refuses transports that only one process of a host can open with these options, as it writes all topics at their address.
     *
     * @param typed option that asks for several processes
     */
    public static void requireSeveralProcesses(String typed, List<ChosenTransport> chosen) {
        for (ChosenTransport each : chosen) {
            Checks.require(
                    each.promises(Guarantee.CROSS_PROCESS) || !each.promises(Guarantee.CROSS_HOST),
                    typed + ": one process writes all topics of "
                            + each.provider().name()
                            + " at its address, so its chains run in one process; omit --processes, or name another"
                            + " --transport");
        }
    }

    /** Creates options whose default is all transports of this project. */
    public TransportOptions() {
        this("disruptor,chronicle,kafka,aeron");
    }

    /**
     * Creates the options.
     *
     * @param names default value of the transports
     */
    public TransportOptions(String names) {
        this.names = names;
    }

    public List<ChosenTransport> choose(KnownTransports known) {
        List<TransportProvider> selected = known.select(List.of(names.split(",", -1)));
        if (brokers != null) {
            count();
            Checks.require(
                    selected.stream().anyMatch(each -> TransportSettings.has(each, Subject.BROKERS)),
                    "--brokers is for kafka, which --transport does not name");
        }
        TransportSettings dealt = new TransportSettings(settings, bootstrapServers, selected, known);
        Checks.require(
                brokers == null
                        || selected.stream().noneMatch(each -> dealt.of(each).containsKey(Subject.BROKERS)),
                "--brokers starts brokers of our own; omit it with --bootstrap-servers");
        return selected.stream()
                .map(provider ->
                        new ChosenTransport(provider, dealt.of(provider), brokersFor(provider, dealt.of(provider))))
                .toList();
    }

    private int brokersFor(TransportProvider provider, Map<String, String> options) {
        boolean isOurs = TransportSettings.has(provider, Subject.BROKERS) && !options.containsKey(Subject.BROKERS);
        return isOurs ? count() : 0;
    }

    /** Returns the number of brokers of our own cluster. */
    private int count() {
        int count = brokers == null ? 1 : Checks.integer("--brokers", brokers, 1, MOST_BROKERS);
        Checks.require(count != 2, "--brokers 2: the loss of either stops both; 1 or 3");
        return count;
    }
}
