package dev.baton.lab.command;

import dev.baton.lab.launch.Refusal;
import dev.baton.lab.launch.Trials;
import dev.baton.spi.Guarantee;
import dev.baton.spi.TransportProvider;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** Which transports run, and how they are set: options that every measuring command shares. */
final class TransportOptions {
    private static final int MOST_BROKERS = 3;

    @Option(
            names = "--transport",
            paramLabel = "NAME",
            description = "transports to run, separated by commas, or all; 'baton transports' lists them"
                    + " (default: ${DEFAULT-VALUE})")
    private String names;

    @Option(
            names = "--bootstrap-servers",
            paramLabel = "HOST:PORT",
            description = "an existing Kafka cluster (default: a broker of our own, in its own process)")
    private String bootstrapServers;

    @Option(
            names = "--brokers",
            paramLabel = "N",
            description =
                    "Kafka brokers of our own, each in its own process: 1, or 3 of which each keeps a copy and two"
                            + " confirm a frame (default: 1)")
    private BigDecimal brokers;

    @Option(
            names = "-o",
            paramLabel = "KEY=VALUE",
            description =
                    "an option of a transport, such as acks=1; kafka.acks=1 addresses one of several, KEY=env:NAME takes its"
                            + " value from the environment; @FILE reads options from a file (repeatable)")
    private List<String> settings = new ArrayList<>();

    /** All of our own, unless others are named. */
    TransportOptions() {
        this("disruptor,chronicle,kafka");
    }

    /** @param names of those that run unless others are named, as they would be typed */
    TransportOptions(String names) {
        this.names = names;
    }

    /**
     * A transport with the options that were typed for it.
     *
     * @param brokers of our own that it gets; 0 when it wants none, or others were named
     */
    record Chosen(TransportProvider provider, Map<String, String> options, int brokers) {
        /** Whether it wants a broker and none was named. */
        boolean needsBroker() {
            return brokers > 0;
        }

        /** The same with other options. */
        Chosen with(Map<String, String> others) {
            return new Chosen(provider, others, brokers);
        }

        /** Whether what it carries comes to lie on a disk of this machine, as far as we decide where. */
        boolean writesHere() {
            return provider.guarantees().contains(Guarantee.DURABLE) && !options.containsKey(Trials.BROKER_OPTION);
        }
    }

    List<Chosen> choose(KnownTransports known) {
        List<TransportProvider> selected = known.select(List.of(names.split(",", -1)));
        List<String> typed = new ArrayList<>(settings);
        if (bootstrapServers != null) {
            if (selected.stream().noneMatch(each -> TransportSettings.has(each, Trials.BROKER_OPTION))) {
                throw Refusal.usage("--bootstrap-servers is for kafka, which --transport does not name");
            }
            typed.add(Trials.BROKER_OPTION + "=" + bootstrapServers);
        }
        if (brokers != null) {
            count();
            Checks.require(
                    selected.stream().anyMatch(each -> TransportSettings.has(each, Trials.BROKER_OPTION)),
                    "--brokers is for kafka, which --transport does not name");
        }
        TransportSettings dealt = new TransportSettings(typed, selected, known);
        Checks.require(
                brokers == null
                        || selected.stream().noneMatch(each -> dealt.of(each).containsKey(Trials.BROKER_OPTION)),
                "--brokers starts brokers of our own; leave it away with --bootstrap-servers");
        return selected.stream()
                .map(provider -> new Chosen(provider, dealt.of(provider), brokersFor(provider, dealt.of(provider))))
                .toList();
    }

    private int brokersFor(TransportProvider provider, Map<String, String> options) {
        boolean isOurs =
                TransportSettings.has(provider, Trials.BROKER_OPTION) && !options.containsKey(Trials.BROKER_OPTION);
        return isOurs ? count() : 0;
    }

    /** How many brokers make a cluster of our own. */
    private int count() {
        int count = brokers == null ? 1 : Checks.integer("--brokers", brokers, 1, MOST_BROKERS);
        Checks.require(count != 2, "--brokers 2: the loss of either stops both; 1 or 3");
        return count;
    }
}
