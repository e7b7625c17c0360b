package dev.baton.operations.options;

import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.KnownTransports;
import dev.baton.operations.line.TypedArguments;
import dev.baton.operations.settings.Subject;
import dev.baton.spi.TransportProvider;
import dev.baton.spi.options.OptionSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Deals out {@code -o key=value} to the selected transports: {@code kafka.acks=1} to one of them, {@code acks=1} to each
 * that has an option of that name. A value {@code env:NAME} is that of an environment variable. Immutable, thread-safe.
 */
public final class TransportSettings {
    private static final Pattern BROKERS = Pattern.compile("\\s*(kafka\\.)?" + Subject.BROKERS + "\\s*=");

    private final Map<String, Map<String, String>> byTransport = new LinkedHashMap<>();

    /**
     * Assigns settings to transports.
     *
     * @param typed values of {@code -o}
     * @param bootstrapServers value of {@code --bootstrap-servers}; null for none
     * @param selected the transports to run
     * @param known all transports, which distinguish the prefix of a transport from a key that contains a dot
     * @throws CommandException for a text that is not {@code key=value}, and for a key that no selected transport has
     */
    public TransportSettings(
            List<String> typed, String bootstrapServers, List<TransportProvider> selected, KnownTransports known) {
        selected.forEach(provider -> byTransport.put(provider.name(), new TreeMap<>()));
        List<String> all = new ArrayList<>(typed);
        if (bootstrapServers != null) {
            Checks.require(
                    selected.stream().anyMatch(each -> has(each, Subject.BROKERS)),
                    "--bootstrap-servers is for kafka, which --transport does not name");
            Checks.require(
                    typed.stream().noneMatch(each -> BROKERS.matcher(each).lookingAt()),
                    "--bootstrap-servers and -o bootstrap-servers=... are the same setting; omit one of them");
            all.add(Subject.BROKERS + "=" + bootstrapServers);
        }
        all.forEach(each ->
                TypedArguments.setting("-o", each, "kafka.acks=1", (key, value) -> deal(key, value, selected, known)));
    }

    /** The options of one transport; changing them changes nothing here. */
    public Map<String, String> of(TransportProvider provider) {
        return new TreeMap<>(byTransport.get(provider.name()));
    }

    private void deal(String key, String value, List<TransportProvider> selected, KnownTransports known) {
        int dot = key.indexOf('.');
        String prefix = dot < 0 ? "" : key.substring(0, dot);
        boolean isAddressed = known.names().contains(prefix);
        String name = isAddressed ? key.substring(dot + 1) : key;
        List<TransportProvider> meant = isAddressed ? addressed(key, prefix, selected) : selected;
        List<TransportProvider> takers = meant.stream()
                .filter(provider -> has(provider, name) || (meant.size() == 1 && isPassedOn(name)))
                .toList();
        if (takers.isEmpty()) {
            throw CommandException.usage("-o " + key + ": unknown option '" + name + "'" + meant(name, meant) + ": "
                    + meant.stream().map(TransportSettings::describe).collect(Collectors.joining("; "))
                    + "; 'baton transports' describes them");
        }
        takers.forEach(taker -> byTransport.get(taker.name()).put(name, value));
    }

    private List<TransportProvider> addressed(String key, String name, List<TransportProvider> selected) {
        return selected.stream()
                .filter(provider -> provider.name().equals(name))
                .findFirst()
                .map(List::of)
                .orElseThrow(() -> CommandException.usage("-o " + key + ": " + name
                        + " is not selected; --transport names " + String.join(", ", byTransport.keySet())));
    }

    /**
     * {@return whether a setting is for something behind the transport, such as {@code producer.linger.ms}; only the transport can check
     * it}
     */
    private static boolean isPassedOn(String name) {
        return name.indexOf('.') > 0;
    }

    public static boolean has(TransportProvider provider, String option) {
        return provider.options().stream().anyMatch(spec -> spec.name().equals(option));
    }

    private static String meant(String name, List<TransportProvider> providers) {
        String question = Checks.meant(
                name,
                providers.stream()
                        .flatMap(each -> each.options().stream())
                        .map(OptionSpec::name)
                        .toList());
        return question.isEmpty() ? "; known" : question + " Known";
    }

    private static String describe(TransportProvider provider) {
        return provider.name() + " "
                + provider.options().stream().map(OptionSpec::name).collect(Collectors.joining(", "));
    }
}
