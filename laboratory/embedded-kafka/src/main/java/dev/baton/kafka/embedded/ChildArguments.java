package dev.baton.kafka.embedded;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The cluster's options as a child process gets them: {@code key=value} arguments, which every user of the machine can
 * list, and the rest, which may hold secrets, on its standard input. Stateless, thread-safe.
 */
final class ChildArguments {
    private static final String NODES = "nodes";
    private static final String DIRECTORY = "directory";
    private static final String TEMPORARY_DIRECTORY = "temporary-directory";
    private static final String START_TIMEOUT = "start-timeout-ms";
    private static final String MEMBER = "member";
    private static final String CLUSTER_ID = "cluster-id";
    private static final String BROKER_PORTS = "broker-ports";
    private static final String CONTROLLER_PORTS = "controller-ports";
    private static final String CONFIDENTIAL = "confidential";
    private static final String PROPERTY = "property.";
    private static final String ADMINISTRATOR = "administrator";
    private static final String PLAIN = "plain.";
    private static final String SCRAM = "scram.";

    private ChildArguments() {}

    /** @param member the one node that the child holds; null: all of them */
    static List<String> of(EmbeddedKafkaOptions options, WorkDirectory directory, ClusterMember member) {
        List<String> arguments = new ArrayList<>();
        arguments.add(NODES + "=" + options.nodes());
        arguments.add(START_TIMEOUT + "=" + options.startTimeout().toMillis());
        arguments.add((directory.isTemporary() ? TEMPORARY_DIRECTORY : DIRECTORY) + "="
                + directory.path().toAbsolutePath());
        if (member != null) {
            arguments.add(MEMBER + "=" + member.node());
            arguments.add(CLUSTER_ID + "=" + member.clusterId());
            arguments.add(BROKER_PORTS + "=" + ports(member.properties().brokerPorts()));
            arguments.add(CONTROLLER_PORTS + "=" + ports(member.properties().controllerPorts()));
        }
        arguments.add(CONFIDENTIAL + "=true");
        return arguments;
    }

    /**
     * The one node that the child holds; empty: all of them.
     *
     * @param options as parsed
     */
    static Optional<ClusterMember> member(String[] arguments, EmbeddedKafkaOptions options) {
        return value(arguments, MEMBER)
                .map(node -> new ClusterMember(
                        Integer.parseInt(node),
                        value(arguments, CLUSTER_ID).orElseThrow(),
                        new NodeProperties(
                                ports(value(arguments, BROKER_PORTS).orElseThrow()),
                                ports(value(arguments, CONTROLLER_PORTS).orElseThrow()),
                                SecuredListeners.none(),
                                options.properties())));
    }

    /** What the child reads first: properties as in a file, and an empty line. */
    static byte[] confidential(EmbeddedKafkaOptions options) {
        Properties all = new Properties();
        options.properties().forEach((key, value) -> all.put(PROPERTY + key, value));
        options.security().ifPresent(security -> {
            all.put(ADMINISTRATOR, security.administrator());
            security.plain().forEach((name, password) -> all.put(PLAIN + name, password));
            security.scram().forEach((name, password) -> all.put(SCRAM + name, password));
        });
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try {
            all.store(text, null);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        text.writeBytes(System.lineSeparator().getBytes(StandardCharsets.ISO_8859_1));
        return text.toByteArray();
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

    /** @param input read up to the first empty line, if an argument says that something stands there */
    static EmbeddedKafkaOptions parse(String[] arguments, InputStream input) throws IOException {
        EmbeddedKafkaOptions options = EmbeddedKafkaOptions.defaults();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            String key = equals < 0 ? argument : argument.substring(0, equals);
            String value = argument.substring(equals + 1);
            if (key.startsWith(PROPERTY)) {
                options = options.withProperty(key.substring(PROPERTY.length()), value);
                continue;
            }
            options = switch (key) {
                case NODES -> options.withNodes(Integer.parseInt(value));
                case DIRECTORY, TEMPORARY_DIRECTORY -> options.withDirectory(Path.of(value));
                case MEMBER, CLUSTER_ID, BROKER_PORTS, CONTROLLER_PORTS -> options; // see member()
                case START_TIMEOUT -> options.withStartTimeout(Duration.ofMillis(Long.parseLong(value)));
                case CONFIDENTIAL -> withConfidential(options, confidential(input));
                default ->
                    throw new IllegalArgumentException("unknown argument '" + argument + "'; known: nodes=, "
                            + "directory=, start-timeout-ms=, confidential=true, property.KEY=");
            };
        }
        return options;
    }

    private static EmbeddedKafkaOptions withConfidential(EmbeddedKafkaOptions options, Properties confidential) {
        EmbeddedKafkaOptions all = options;
        for (Map.Entry<String, String> property : below(PROPERTY, confidential).entrySet()) {
            all = all.withProperty(property.getKey(), property.getValue());
        }
        String administrator = confidential.getProperty(ADMINISTRATOR);
        return administrator == null
                ? all
                : all.withSecurity(
                        new BrokerSecurity(administrator, below(PLAIN, confidential), below(SCRAM, confidential)));
    }

    private static Map<String, String> below(String prefix, Properties all) {
        Map<String, String> found = new HashMap<>();
        all.stringPropertyNames().stream()
                .filter(key -> key.startsWith(prefix))
                .forEach(key -> found.put(key.substring(prefix.length()), all.getProperty(key)));
        return found;
    }

    /** Reads byte by byte, as the end of the stream, which comes much later, is for somebody else. */
    private static Properties confidential(InputStream input) throws IOException {
        StringBuilder text = new StringBuilder();
        StringBuilder line = new StringBuilder();
        for (int next = input.read(); next >= 0; next = input.read()) {
            if (next == '\n') {
                if (line.toString().isBlank()) {
                    break;
                }
                text.append(line).append('\n');
                line.setLength(0);
            } else {
                line.append((char) next);
            }
        }
        Properties all = new Properties();
        all.load(new StringReader(text.toString()));
        return all;
    }
}
