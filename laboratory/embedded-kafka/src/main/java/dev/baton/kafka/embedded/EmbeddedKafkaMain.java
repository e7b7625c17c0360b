package dev.baton.kafka.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * A node in a separate process, for as long as its standard input is open.
 *
 * <p>Prints {@code baton-kafka-ready} once. Its standard input ends when the parent closes it or ends in any way; the process then stops
 * the node and ends with 0, as it does on SIGTERM and SIGINT. The parent owns the folder of the node; after the death of the parent this
 * process removes a temporary one. A fatal fault of the broker ends the process at once with Kafka's own status, which is visible to the
 * process that waits for it.
 */
public final class EmbeddedKafkaMain {
    static final String READY = "baton-kafka-ready"; // the one line on standard output that the parent waits for

    /** The byte on standard input by which the parent ends the process. A parent that died writes nothing. */
    static final int STOP = 's';

    private static final Duration STOP_LIMIT = Duration.ofSeconds(60);

    private EmbeddedKafkaMain() {}

    /** Reads a {@link ChildSetup} from standard input, then runs until that ends. */
    public static void main(String[] none) throws IOException {
        ChildSetup setup = ChildSetup.receive(System.in);
        AtomicBoolean isOrphan = new AtomicBoolean();
        try {
            BrokerNode node = new BrokerNode(setup.node(), setup.clusterId(), setup.scramUsers());
            BrokerNode.together("start", List.of(node), setup.startTimeout(), BrokerNode::start);
            // by way of the hook, so that one path closes
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(
                            () -> stop(node, isOrphan.get() && setup.isTemporary()), "embedded-kafka-close"));
        } catch (RuntimeException failure) {
            failure.printStackTrace(); // the parent shows the last printed lines
            Runtime.getRuntime().halt(1); // whatever its threads are about
        }
        System.out.println(READY);
        isOrphan.set(System.in.readAllBytes().length == 0); // only STOP is ever sent
        System.exit(0);
    }

    private static void stop(BrokerNode node, boolean isRemoved) {
        try {
            BrokerNode.together("stop", List.of(node), STOP_LIMIT, BrokerNode::stop);
            if (isRemoved) {
                remove(node.folder());
            }
        } catch (RuntimeException failure) {
            System.err.println(failure);
        }
    }

    /** Removes a folder, with the directory around it once it contains no other node. */
    private static void remove(Path folder) {
        WorkDirectory.remove(folder);
        try (Stream<Path> left = Files.list(folder.getParent())) {
            if (left.noneMatch(Files::isDirectory)) {
                WorkDirectory.remove(folder.getParent());
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(folder.getParent() + " could not be removed", failure);
        }
    }
}
