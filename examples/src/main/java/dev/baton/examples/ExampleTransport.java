package dev.baton.examples;

import dev.baton.kafka.embedded.EmbeddedKafka;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportProvider;
import dev.baton.spi.options.OptionSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A transport picked by name on a command line, with a temporary directory or a broker, so that it runs at once. Confined to one thread.
 */
final class ExampleTransport implements AutoCloseable {
    private final Transport transport;
    private final List<String> arguments;
    private final EmbeddedKafka broker; // null: not needed
    private final Path temporary; // null: not needed

    private ExampleTransport(Transport transport, List<String> arguments, EmbeddedKafka broker, Path temporary) {
        this.transport = transport;
        this.arguments = arguments;
        this.broker = broker;
        this.temporary = temporary;
    }

    /** Opens what the arguments name: a transport (default {@code disruptor}) and {@code key=value} options. */
    static ExampleTransport of(String... args) throws IOException {
        TransportProvider provider = provider(args.length == 0 ? "disruptor" : args[0]);
        Map<String, String> options = new HashMap<>();
        for (int i = 1; i < args.length; i++) {
            String[] keyAndValue = args[i].split("=", 2);
            if (keyAndValue.length != 2) {
                throw new IllegalArgumentException("'" + args[i] + "' is not an option; write key=value");
            }
            options.put(keyAndValue[0], keyAndValue[1]);
        }
        EmbeddedKafka broker = null;
        Path temporary = null;
        try {
            if (needs(provider, options, "bootstrap-servers")) {
                broker = EmbeddedKafka.start();
                options.put("bootstrap-servers", broker.bootstrapServers());
            }
            if (needs(provider, options, "dir")) {
                temporary = Files.createTempDirectory("baton-example");
                options.put("dir", temporary.toString());
            }
            List<String> complete = new ArrayList<>(List.of(provider.name()));
            options.forEach((key, value) -> complete.add(key + "=" + value));
            return new ExampleTransport(provider.open(options), complete, broker, temporary);
        } catch (RuntimeException | IOException failure) {
            new ExampleTransport(null, List.of(), broker, temporary).close();
            throw failure;
        }
    }

    private static TransportProvider provider(String name) {
        List<TransportProvider> found = ServiceLoader.load(TransportProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        return found.stream()
                .filter(provider -> provider.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no transport '" + name + "'; there are "
                        + found.stream().map(TransportProvider::name).sorted().collect(Collectors.joining(", "))));
    }

    private static boolean needs(TransportProvider provider, Map<String, String> given, String option) {
        return !given.containsKey(option)
                && provider.options().stream().map(OptionSpec::name).anyMatch(option::equals);
    }

    Transport transport() {
        return transport;
    }

    /** Arguments with which another process reaches the same topics. */
    List<String> arguments() {
        return arguments;
    }

    /** Ends everything that was started for the transport, which is closed by then. */
    @Override
    public void close() throws IOException {
        if (broker != null) {
            broker.close();
        }
        if (temporary != null) {
            try (Stream<Path> files = Files.walk(temporary)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
