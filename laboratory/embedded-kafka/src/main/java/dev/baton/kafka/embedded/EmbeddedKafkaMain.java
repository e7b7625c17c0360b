package dev.baton.kafka.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A cluster in a process of its own, for as long as somebody holds its standard input open.
 *
 * <p>Prints {@code baton-kafka-ready HOST:PORT,...} once. The end of its standard input comes when the parent closes it
 * or dies, however it dies; the process then stops the brokers, removes their temporary directory and ends with 0. So it
 * does on SIGTERM and SIGINT. A fatal fault of a broker ends it at once with Kafka's own status: what waits for the
 * process shall see it.
 */
public final class EmbeddedKafkaMain {
    /** Starts the one line on standard output that the parent waits for. */
    static final String READY = "baton-kafka-ready ";

    /** On standard input: even a temporary directory is to be left, since the node will be started again. */
    static final int KEEP = 'k';

    private static final Duration STOP_LIMIT = Duration.ofSeconds(60);

    private EmbeddedKafkaMain() {}

    /** Reads a {@link ChildSetup} from standard input, then runs until that ends. */
    public static void main(String[] none) throws IOException {
        ChildSetup setup = ChildSetup.receive(System.in);
        if (setup.member() != null) {
            runMember(setup);
            return;
        }
        EmbeddedKafka kafka = EmbeddedKafka.startFatal(setup.options());
        atEnd(() -> close(kafka, setup));
        System.out.println(READY + kafka.bootstrapServers());
        awaitEnd(System.in);
        System.exit(0); // by way of the hook, so that one path closes
    }

    private static void atEnd(Runnable closing) {
        Runtime.getRuntime().addShutdownHook(new Thread(closing, "embedded-kafka-close"));
    }

    /** One node of three: its directory is its parent's, and only a parent that died leaves it to be removed. */
    private static void runMember(ChildSetup setup) throws IOException {
        ChildSetup.Member member = setup.member();
        WorkDirectory directory = WorkDirectory.of(setup.options().directory());
        AtomicBoolean isOrphan = new AtomicBoolean();
        try {
            BrokerNode node = BrokerNode.formatted(member.node(), member.clusterId(), member.properties(), directory);
            BrokerNode.together("start", List.of(node), setup.options().startTimeout(), BrokerNode::start);
            atEnd(() -> stop(node, isOrphan.get() ? directory.ofNode(member.node()) : null));
        } catch (RuntimeException failure) {
            failure.printStackTrace(); // the parent shows the last lines of what is printed
            Runtime.getRuntime().halt(1); // whatever its threads are about
        }
        System.out.println(READY + member.properties().bootstrapServers());
        boolean isKept = awaitEnd(System.in);
        isOrphan.set(!isKept && setup.isTemporary());
        System.exit(0);
    }

    /** @param left the node's folder, to be removed with the directory around it once that is empty; null: nothing */
    private static void stop(BrokerNode node, Path left) {
        try {
            BrokerNode.together("stop", List.of(node), STOP_LIMIT, BrokerNode::stop);
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

    private static void close(EmbeddedKafka kafka, ChildSetup setup) {
        try {
            kafka.close();
        } catch (RuntimeException failure) {
            System.err.println(failure);
        } finally {
            if (setup.isTemporary()) {
                setup.options().directory().ifPresent(WorkDirectory::remove);
            }
        }
    }
}
