package dev.baton.kafka.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A cluster in a process of its own, for as long as somebody holds its standard input open.
 *
 * <p>Prints {@code baton-kafka-ready HOST:PORT,...} once. The end of its standard input comes when the parent closes it
 * or dies, however it dies; the process then stops the brokers, removes their temporary directory and ends with 0. So it
 * does on SIGTERM and SIGINT. A fatal fault of a broker ends it at once with Kafka's own status: whoever waits for the
 * process shall see it.
 */
public final class EmbeddedKafkaMain {
    /** Starts the one line on standard output that the parent waits for. */
    static final String READY = "baton-kafka-ready ";

    /** On standard input: even a temporary directory is to be left, since the node will be started again. */
    static final int KEEP = 'k';

    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);

    private EmbeddedKafkaMain() {}

    /**
     * Runs until standard input ends.
     *
     * @param arguments as {@code nodes=1 directory=PATH start-timeout-ms=60000 property.KEY=VALUE}, all optional;
     *     {@code temporary-directory=PATH} is removed at the end; {@code confidential=true} when more come on standard
     *     input, in the format of a properties file that ends with an empty line
     */
    public static void main(String[] arguments) throws IOException {
        EmbeddedKafkaOptions options = ChildArguments.parse(arguments, System.in);
        Optional<ClusterMember> member = ChildArguments.member(arguments, options);
        if (member.isPresent()) {
            runMember(member.get(), options, arguments);
            return;
        }
        EmbeddedKafka kafka = EmbeddedKafka.startFatal(options);
        Thread closing = new Thread(() -> close(kafka, arguments), "embedded-kafka-close");
        Runtime.getRuntime().addShutdownHook(closing);
        System.out.println(READY + kafka.bootstrapServers());
        awaitEnd(System.in);
        System.exit(0); // by way of the hook, so that one path closes
    }

    /** One node of three: its directory is its parent's, and only a parent that died leaves it to be removed. */
    private static void runMember(ClusterMember member, EmbeddedKafkaOptions options, String[] arguments)
            throws IOException {
        WorkDirectory directory = WorkDirectory.of(options.directory());
        AtomicBoolean isOrphan = new AtomicBoolean();
        try {
            BrokerNode node = member.start(directory, options.startTimeout());
            Thread closing = new Thread(
                    () -> stop(node, isOrphan.get() ? directory.ofNode(member.node()) : null), "embedded-kafka-close");
            Runtime.getRuntime().addShutdownHook(closing);
        } catch (RuntimeException failure) {
            failure.printStackTrace(); // the parent shows the last lines of what is printed
            Runtime.getRuntime().halt(1); // whatever its threads are about
        }
        System.out.println(READY + member.properties().bootstrapServers());
        boolean isKept = awaitEnd(System.in);
        isOrphan.set(!isKept && ChildArguments.temporaryDirectory(arguments).isPresent());
        System.exit(0);
    }

    /** @param left the node's folder, to be removed with the directory around it once that is empty; null: nothing */
    private static void stop(BrokerNode node, Path left) {
        try {
            Together.run("stop", List.of(node), STOP_LIMIT, BrokerNode::stop);
        } catch (RuntimeException failure) {
            System.err.println(failure);
        }
        if (left != null) {
            WorkDirectory.remove(left);
            left.getParent().toFile().delete(); // by the last one of them
        }
    }

    /** Whether the directory is to be kept. */
    private static boolean awaitEnd(InputStream input) throws IOException {
        boolean isKept = false;
        for (int said = input.read(); said >= 0; said = input.read()) {
            isKept |= said == KEEP;
        }
        return isKept;
    }

    private static void close(EmbeddedKafka kafka, String[] arguments) {
        try {
            kafka.close();
        } catch (RuntimeException failure) {
            System.err.println(failure);
        } finally {
            ChildArguments.temporaryDirectory(arguments).ifPresent(WorkDirectory::remove);
        }
    }
}
