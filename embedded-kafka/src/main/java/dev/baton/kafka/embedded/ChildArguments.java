package dev.baton.kafka.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The cluster's options as a child process gets them: {@code key=value} arguments. */
final class ChildArguments {
    private static final String NODES = "nodes";
    private static final String DIRECTORY = "directory";
    private static final String TEMPORARY_DIRECTORY = "temporary-directory";
    private static final String START_TIMEOUT = "start-timeout-ms";
    private static final String PROPERTY = "property.";

    private ChildArguments() {}

    static List<String> of(EmbeddedKafkaOptions options, WorkDirectory directory) {
        List<String> arguments = new ArrayList<>();
        arguments.add(NODES + "=" + options.nodes());
        arguments.add(START_TIMEOUT + "=" + options.startTimeout().toMillis());
        arguments.add((directory.isTemporary() ? TEMPORARY_DIRECTORY : DIRECTORY) + "="
                + directory.path().toAbsolutePath());
        options.properties().forEach((key, value) -> arguments.add(PROPERTY + key + "=" + value));
        return arguments;
    }

    /** The directory that the child removes at its end, though its parent made it: the parent may be dead by then. */
    static Optional<Path> temporaryDirectory(String[] arguments) {
        return Stream.of(arguments)
                .filter(argument -> argument.startsWith(TEMPORARY_DIRECTORY + "="))
                .map(argument -> Path.of(argument.substring(TEMPORARY_DIRECTORY.length() + 1)))
                .findFirst();
    }

    static EmbeddedKafkaOptions parse(String[] arguments) {
        EmbeddedKafkaOptions options = EmbeddedKafkaOptions.defaults();
        Map<String, String> properties = new HashMap<>();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            String key = equals < 0 ? argument : argument.substring(0, equals);
            String value = argument.substring(equals + 1);
            if (key.startsWith(PROPERTY)) {
                properties.put(key.substring(PROPERTY.length()), value);
                continue;
            }
            options = switch (key) {
                case NODES -> options.withNodes(Integer.parseInt(value));
                case DIRECTORY, TEMPORARY_DIRECTORY -> options.withDirectory(Path.of(value));
                case START_TIMEOUT -> options.withStartTimeout(Duration.ofMillis(Long.parseLong(value)));
                default ->
                    throw new IllegalArgumentException("unknown argument '" + argument + "'; known: nodes=, "
                            + "directory=, start-timeout-ms=, property.KEY=");
            };
        }
        Optional<Path> directory = options.directory();
        return new EmbeddedKafkaOptions(options.nodes(), properties, directory, options.startTimeout());
    }
}
