package dev.baton.spring;

import dev.baton.spi.Transport;
import dev.baton.spi.TransportProvider;
import dev.baton.spi.options.OptionSpec;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/** The transports that properties name. Each is opened when the first chain needs it, and all are closed together. Thread-safe. */
final class BatonTransports implements AutoCloseable {
    private static final String PREFIX = "baton.transports.";

    private final BatonProperties properties;
    private final Map<String, TransportProvider> providers = new TreeMap<>();
    private final Map<String, Transport> given = new LinkedHashMap<>(); // the application's own, which closes them
    private final Map<String, Transport> opened = new LinkedHashMap<>();

    BatonTransports(BatonProperties properties, Iterable<Transport> beans) {
        this.properties = properties;
        ServiceLoader.load(TransportProvider.class).forEach(each -> providers.put(each.name(), each));
        beans.forEach(each -> given.put(each.name(), each));
        properties.transports().keySet().forEach(name -> provider(PREFIX + name, name));
        properties.transports().forEach(this::checkOptions);
    }

    /**
     * Returns a chain's transport.
     *
     * @param property that names it
     * @param name null for the default one
     */
    synchronized Transport of(String property, String name) {
        String wanted = name != null ? name : defaultName();
        Transport bean = given.get(wanted);
        if (bean != null) {
            return bean;
        }
        TransportProvider provider = provider(name != null ? property : "baton.transport", wanted);
        return opened.computeIfAbsent(wanted, opening -> open(provider));
    }

    private String defaultName() {
        if (properties.transport() != null) {
            return properties.transport();
        }
        if (given.size() == 1) {
            return given.keySet().iterator().next();
        }
        if (providers.size() == 1) {
            return providers.keySet().iterator().next();
        }
        throw invalid(
                "baton.transport",
                "",
                providers.isEmpty()
                        ? "there is no transport on the class path; add baton-chronicle, baton-disruptor or baton-kafka"
                        : "the class path has several transports; name one of " + known());
    }

    private TransportProvider provider(String property, String name) {
        TransportProvider provider = providers.get(name);
        if (provider == null) {
            throw invalid(
                    property,
                    name,
                    "the class path has the transports " + known() + "; name one of them, or add dev.baton:baton-"
                            + name);
        }
        return provider;
    }

    private String known() {
        return providers.isEmpty() ? "(none)" : String.join(", ", providers.keySet());
    }

    private void checkOptions(String transport, Map<String, String> typed) {
        typed.forEach((key, value) -> option(providers.get(transport), key, value));
    }

    /** Returns the option's own spelling, as a name from the environment has dots or nothing where that has hyphens. */
    private static String option(TransportProvider provider, String key, String value) {
        for (OptionSpec spec : provider.options()) {
            if (plain(spec.name()).equals(plain(key))) {
                return spec.name();
            }
        }
        if (key.indexOf('.') > 0) {
            return key; // such as client.KEY, which the transport checks
        }
        throw invalid(
                PREFIX + provider.name() + "." + key,
                value,
                "transport " + provider.name() + " has no such option; it has "
                        + provider.options().stream().map(OptionSpec::name).collect(Collectors.joining(", ")));
    }

    /** Returns the value of an option in any spelling; null for none. */
    static String typed(BatonProperties properties, String transport, String option) {
        return properties.transports().getOrDefault(transport, Map.of()).entrySet().stream()
                .filter(each -> plain(each.getKey()).equals(plain(option)))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }

    private static String plain(String name) {
        return name.replaceAll("[-_.]", "").toLowerCase(Locale.ROOT);
    }

    private Transport open(TransportProvider provider) {
        Map<String, String> options = new LinkedHashMap<>();
        properties
                .transports()
                .getOrDefault(provider.name(), Map.of())
                .forEach((key, value) -> options.put(option(provider, key, value), value));
        try {
            return provider.open(options);
        } catch (IllegalArgumentException refused) {
            String message = String.valueOf(refused.getMessage());
            String wrong = options.keySet().stream()
                    .filter(each -> message.contains(each + "="))
                    .findFirst()
                    .orElse("");
            throw invalid(
                    PREFIX + provider.name() + (wrong.isEmpty() ? "" : "." + wrong),
                    wrong.isEmpty() ? options : options.get(wrong),
                    message);
        }
    }

    static InvalidConfigurationPropertyValueException invalid(String property, Object value, String reason) {
        return new InvalidConfigurationPropertyValueException(property, value, reason);
    }

    /** Closes the transports of the properties; throws the first failure when all are closed. */
    @Override
    public synchronized void close() {
        RuntimeException failure = null;
        for (Transport each : opened.values()) {
            try {
                each.close();
            } catch (RuntimeException atClose) {
                if (failure == null) {
                    failure = atClose;
                } else {
                    failure.addSuppressed(atClose);
                }
            }
        }
        opened.clear();
        if (failure != null) {
            throw failure;
        }
    }
}
