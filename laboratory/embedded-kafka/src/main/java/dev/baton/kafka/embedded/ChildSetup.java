package dev.baton.kafka.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What a child process is to hold. It travels on the child's standard input, as properties of a file and an empty line:
 * every user of the machine can list the arguments of a process, and some of this is secret. Immutable, thread-safe.
 *
 * @param options with a directory
 * @param isTemporary whether the child removes that directory at its end, though its parent made it: the parent may be
 *     dead by then
 * @param member the one node that the child holds; null: all of them
 */
record ChildSetup(EmbeddedKafkaOptions options, boolean isTemporary, Member member) {
    private static final String NODES = "nodes";
    private static final String DIRECTORY = "directory";
    private static final String TEMPORARY = "temporary";
    private static final String START_TIMEOUT = "start-timeout-ms";
    private static final String HOST = "host";
    private static final String MEMBER = "member";
    private static final String CLUSTER_ID = "cluster-id";
    private static final String HOSTS = "hosts";
    private static final String PORTS = "ports";
    private static final String LINKS = "links";
    private static final String PROPERTY = "property.";
    private static final String ADMINISTRATOR = "administrator";
    private static final String PLAIN = "plain.";
    private static final String SCRAM = "scram.";

    /**
     * One node of a cluster whose other nodes run in other processes. Immutable, thread-safe.
     *
     * @param node its number, from 0
     * @param clusterId that all of them are formatted with
     * @param properties of all of them
     */
    record Member(int node, String clusterId, NodeProperties properties) {}

    void send(OutputStream input) throws IOException {
        Properties all = new Properties();
        all.put(NODES, Integer.toString(options.nodes()));
        all.put(DIRECTORY, options.directory().orElseThrow().toString());
        all.put(HOST, options.host());
        all.put(TEMPORARY, Boolean.toString(isTemporary));
        all.put(START_TIMEOUT, Long.toString(options.startTimeout().toMillis()));
        options.properties().forEach((key, value) -> all.put(PROPERTY + key, value));
        options.security().ifPresent(security -> {
            all.put(ADMINISTRATOR, security.administrator());
            security.plain().forEach((name, password) -> all.put(PLAIN + name, password));
            security.scram().forEach((name, password) -> all.put(SCRAM + name, password));
        });
        if (member != null) {
            all.put(MEMBER, Integer.toString(member.node()));
            all.put(CLUSTER_ID, member.clusterId());
            all.put(HOSTS, String.join(",", member.properties().hosts()));
            all.put(PORTS, joined(member.properties().ports()));
            all.put(LINKS, joined(member.properties().links()));
        }
        all.store(input, null);
        input.write('\n');
        input.flush();
    }

    static ChildSetup receive(InputStream input) throws IOException {
        Properties all = new Properties();
        all.load(new StringReader(untilEmptyLine(input)));
        EmbeddedKafkaOptions options = EmbeddedKafkaOptions.defaults()
                .withNodes(Integer.parseInt(all.getProperty(NODES)))
                .withDirectory(Path.of(all.getProperty(DIRECTORY)))
                .withHost(all.getProperty(HOST))
                .withStartTimeout(Duration.ofMillis(Long.parseLong(all.getProperty(START_TIMEOUT))));
        for (Map.Entry<String, String> property : below(PROPERTY, all).entrySet()) {
            options = options.withProperty(property.getKey(), property.getValue());
        }
        if (all.containsKey(ADMINISTRATOR)) {
            options = options.withSecurity(
                    new BrokerSecurity(all.getProperty(ADMINISTRATOR), below(PLAIN, all), below(SCRAM, all)));
        }
        Member member = all.containsKey(MEMBER) ? member(all, options) : null;
        return new ChildSetup(options, Boolean.parseBoolean(all.getProperty(TEMPORARY)), member);
    }

    private static Member member(Properties all, EmbeddedKafkaOptions options) {
        return new Member(
                Integer.parseInt(all.getProperty(MEMBER)),
                all.getProperty(CLUSTER_ID),
                new NodeProperties(
                        List.of(all.getProperty(HOSTS).split(",")),
                        split(all.getProperty(PORTS)),
                        split(all.getProperty(LINKS)),
                        SecuredListeners.none(),
                        options.properties()));
    }

    private static String joined(int[] ports) {
        return IntStream.of(ports).mapToObj(Integer::toString).collect(Collectors.joining(","));
    }

    private static int[] split(String ports) {
        return Stream.of(ports.split(","))
                .filter(each -> !each.isEmpty())
                .mapToInt(Integer::parseInt)
                .toArray();
    }

    private static Map<String, String> below(String prefix, Properties all) {
        return all.stringPropertyNames().stream()
                .filter(key -> key.startsWith(prefix))
                .collect(Collectors.toMap(key -> key.substring(prefix.length()), all::getProperty));
    }

    /** Reads byte by byte, as the end of the stream, which comes much later, is for somebody else. */
    private static String untilEmptyLine(InputStream input) throws IOException {
        StringBuilder text = new StringBuilder();
        int begin = 0;
        for (int next = input.read(); next >= 0; next = input.read()) {
            text.append((char) next);
            if (next == '\n') {
                if (text.substring(begin).isBlank()) {
                    break;
                }
                begin = text.length();
            }
        }
        return text.toString();
    }
}
