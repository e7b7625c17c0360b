package dev.baton.kafka.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The cluster's options as a child process gets them: {@code key=value} arguments. */
final class ChildArguments {
    private static final String NODES = "nodes";
    private static final String DIRECTORY = "directory";
    private static final String TEMPORARY_DIRECTORY = "temporary-directory";
    private static final String START_TIMEOUT = "start-timeout-ms";
    private static final String MEMBER = "member";
    private static final String CLUSTER_ID = "cluster-id";
    private static final String BROKER_PORTS = "broker-ports";
    private static final String CONTROLLER_PORTS = "controller-ports";
    private static final String PROPERTY = "property.";

    private ChildArguments() {}

    /** @param member the one node that the child holds; null: all of them */
    static List<String> of(EmbeddedKafkaOptions options, WorkDirectory directory, ClusterMember member) {
        List<String> arguments = new ArrayList<>();
        arguments.add(NODES + "=" + options.nodes());
        arguments.add(START_TIMEOUT + "=" + options.startTimeout().toMillis());
        arguments.add((directory.isTemporary() ? TEMPORARY_DIRECTORY : DIRECTORY) + "="
                + directory.path().toAbsolutePath());
        options.properties().forEach((key, value) -> arguments.add(PROPERTY + key + "=" + value));
        if (member != null) {
            arguments.add(MEMBER + "=" + member.node());
            arguments.add(CLUSTER_ID + "=" + member.clusterId());
            arguments.add(BROKER_PORTS + "=" + ports(member.properties().brokerPorts()));
            arguments.add(CONTROLLER_PORTS + "=" + ports(member.properties().controllerPorts()));
        }
        return arguments;
    }

    /** The one node that the child holds; empty: all of them. */
    static Optional<ClusterMember> member(String[] arguments) {
        return value(arguments, MEMBER)
                .map(node -> new ClusterMember(
                        Integer.parseInt(node),
                        value(arguments, CLUSTER_ID).orElseThrow(),
                        new NodeProperties(
                                ports(value(arguments, BROKER_PORTS).orElseThrow()),
                                ports(value(arguments, CONTROLLER_PORTS).orElseThrow()),
                                parse(arguments).properties())));
    }

    /** The directory that the child removes at its end, though its parent made it: the parent may be dead by then. */
    static Optional<Path> temporaryDirectory(String[] arguments) {
        return value(arguments, TEMPORARY_DIRECTORY).map(Path::of);
    }

    private static Optional<String> value(String[] arguments, String key) {
        return Stream.of(arguments)
                .filter(argument -> argument.startsWith(key + "="))
                .map(argument -> argument.substring(key.length() + 1))
                .findFirst();
    }

    private static String ports(int[] ports) {
        return IntStream.of(ports).mapToObj(Integer::toString).collect(Collectors.joining(","));
    }

    private static int[] ports(String text) {
        return Stream.of(text.split(",")).mapToInt(Integer::parseInt).toArray();
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
                case MEMBER, CLUSTER_ID, BROKER_PORTS, CONTROLLER_PORTS -> options; // see member()
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
