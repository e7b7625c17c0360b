package dev.baton.benchmark.command;

import dev.baton.benchmark.launch.Refusal;
import dev.baton.benchmark.launch.Trials;
import dev.baton.spi.Guarantee;
import dev.baton.spi.TransportProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** Which transports run, and how they are set: options that every measuring command shares. */
final class TransportOptions {
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
            names = "-o",
            paramLabel = "KEY=VALUE",
            description =
                    "an option of a transport, such as acks=1; kafka.acks=1 addresses one of several (repeatable)")
    private List<String> settings = new ArrayList<>();

    /** All of our own, unless others are named. */
    TransportOptions() {
        this("disruptor,chronicle,kafka");
    }

    /** @param names of those that run unless others are named, as they would be typed */
    TransportOptions(String names) {
        this.names = names;
    }

    /** A transport with the options that were typed for it. */
    record Chosen(TransportProvider provider, Map<String, String> options) {
        /** Whether it wants a broker and none was named. */
        boolean needsBroker() {
            return TransportSettings.has(provider, Trials.BROKER_OPTION) && !options.containsKey(Trials.BROKER_OPTION);
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
        TransportSettings dealt = new TransportSettings(typed, selected, known);
        return selected.stream()
                .map(provider -> new Chosen(provider, dealt.of(provider)))
                .toList();
    }
}
