package dev.baton.operations.line;

import dev.baton.spi.Guarantee;
import dev.baton.spi.TransportProvider;
import dev.baton.spi.options.OptionSpec;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.Set;

/** The transports found on the class path, by name. Immutable, thread-safe. */
public final class KnownTransports {
    private static final String ALL = "all";

    /** The oldest Java of which each transport has classes. In an older one trials run over some of them. */
    private static final int FIRST_OF_ALL = 17;

    private final Map<String, TransportProvider> byName;

    private KnownTransports(List<TransportProvider> providers) {
        byName = ForeignJars.byName("transport", providers, TransportProvider::name, ALL);
    }

    /**
     * Loads the transports that {@link ServiceLoader} finds.
     *
     * @throws CommandException when a transport of a jar cannot be loaded or described, or two have the same name
     */
    public static KnownTransports onClassPath() {
        return new KnownTransports(
                ForeignJars.providers(TransportProvider.class, "a transport", KnownTransports::name));
    }

    /** The name of a provider that answers whatever commands ask of each. */
    private static String name(TransportProvider provider) {
        if (Runtime.version().feature() < FIRST_OF_ALL) {
            return provider.name();
        }
        Objects.requireNonNull(provider.summary(), "summary() is null");
        provider.guarantees().forEach(each -> Objects.requireNonNull(each, "a guarantee is null"));
        for (OptionSpec option : provider.options()) {
            Objects.requireNonNull(option.name(), "the name of an option is null");
            Objects.requireNonNull(option.defaultValue(), "the default of an option is null");
            Objects.requireNonNull(option.allowed(), "the allowed values of an option are null");
            Objects.requireNonNull(option.description(), "the description of an option is null");
        }
        return provider.name();
    }

    /** Creates a set of these providers. */
    public static KnownTransports of(List<TransportProvider> providers) {
        return new KnownTransports(providers);
    }

    /** Returns all providers, by name. */
    public List<TransportProvider> all() {
        return List.copyOf(byName.values());
    }

    /** The names of those whose topics outlive a process. */
    public List<String> durable() {
        return byName.values().stream()
                .filter(provider -> provider.guarantees().contains(Guarantee.DURABLE))
                .map(TransportProvider::name)
                .toList();
    }

    /** {@return their names} */
    public Set<String> names() {
        return byName.keySet();
    }

    /**
     * {@return the named transports, each once, in the order of the names}
     *
     * @throws CommandException for an unknown name; the text lists the known names
     */
    public List<TransportProvider> select(List<String> names) {
        Set<TransportProvider> selected = new LinkedHashSet<>();
        for (String name : names) {
            if (name.equals(ALL)) {
                selected.addAll(byName.values());
                continue;
            }
            TransportProvider provider = byName.get(name);
            if (provider == null) {
                throw CommandException.usage("unknown transport '" + name + "'; known: "
                        + String.join(", ", byName.keySet()) + ", or all; jars with others go into BATON_CLASSPATH");
            }
            selected.add(provider);
        }
        return List.copyOf(selected);
    }
}
