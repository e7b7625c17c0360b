package dev.baton.lab.study.chaos;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.baton.lab.trial.Transports;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.KnownTransports;
import dev.baton.operations.options.TransportSettings;
import dev.baton.operations.settings.Subject;
import dev.baton.spi.Guarantee;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A transport whose topics survive a process of the chain, with the brokers or the media driver that it needs: one that the laboratory
 * starts, or any other on the class path that is durable. Two are equal if their names are. Immutable, thread-safe.
 */
public final class SetUp {
    /** Queues on this machine. */
    public static final SetUp CHRONICLE = new SetUp("chronicle", "chronicle", 0);
    /** Recordings on this machine: one process is the media driver and the Archive. */
    public static final SetUp AERON_ARCHIVE = new SetUp("aeron-archive", "aeron-archive", 0);
    /** Archives over UDP, as from other hosts; the driver loses one packet in a hundred. */
    public static final SetUp AERON_ARCHIVE_UDP = new SetUp("aeron-archive-udp", "aeron-archive", 0);
    /** One broker, started again over its data. */
    public static final SetUp KAFKA = new SetUp("kafka", "kafka", 1);
    /** Three brokers: replication 3, min.insync.replicas 2. */
    public static final SetUp KAFKA3 = new SetUp("kafka3", "kafka", 3);
    /** Three brokers and the chain on three hosts, which are network namespaces of this machine. */
    public static final SetUp KAFKA_HOSTS = new SetUp("kafka-hosts", "kafka", 3);

    /** IPC over one media driver that no process of the chain has; its topics drop what their consumers have acknowledged. */
    public static final SetUp AERON = new SetUp("aeron", "aeron", 0);

    /** The set-ups that the laboratory starts. */
    static final List<SetUp> OURS =
            List.of(CHRONICLE, AERON_ARCHIVE, AERON_ARCHIVE_UDP, KAFKA, KAFKA3, KAFKA_HOSTS, AERON);

    public final String transport; // the name under which its provider is found
    final int brokers;

    private final String name;

    private SetUp(String name, String transport, int brokers) {
        this.name = name;
        this.transport = transport;
        this.brokers = brokers;
    }

    /**
     * Returns the set-up with a name from the command line.
     *
     * @throws CommandException if there is no such transport, or it does not survive the end of its process or does not cross processes;
     *     the text lists the known ones
     */
    static SetUp typed(String typed, KnownTransports known) {
        SetUp setUp = of(typed);
        if (OURS.contains(setUp)) {
            return setUp;
        }
        if (!known.durable().contains(typed)) {
            throw CommandException.usage(
                    "--transport '" + typed + "' has no topics that survive a process of the chain; known: "
                            + Stream.concat(OURS.stream().map(SetUp::name), known.durable().stream())
                                    .distinct()
                                    .collect(Collectors.joining(", ")));
        }
        Set<Guarantee> guarantees = known.select(List.of(typed)).get(0).guarantees();
        if (!guarantees.contains(Guarantee.CROSS_PROCESS)) {
            throw CommandException.usage(
                    "--transport '" + typed + "' does not promise '" + Guarantee.CROSS_PROCESS.meaning()
                            + "'; each service of a chain runs in a process of its own here");
        }
        return setUp;
    }

    /** Returns the set-up with a name in a result; older results have underscores. */
    @JsonCreator
    static SetUp of(String name) {
        String typed = name.replace('_', '-');
        return OURS.stream()
                .filter(each -> each.name.equals(typed))
                .findFirst()
                .orElseGet(() -> new SetUp(name, name, 0));
    }

    /** The name on the command line. */
    @JsonValue
    public String name() {
        return name;
    }

    /** A unique number, for seeds. */
    public int number() {
        return OURS.contains(this) ? OURS.indexOf(this) : name.hashCode();
    }

    /** {@return whether an Archive stores the topics} */
    public boolean hasArchive() {
        return transport.equals(AERON_ARCHIVE.transport);
    }

    /** {@return whether a process beside the chain is the media driver, with an Archive that is not always used} */
    boolean hasDriver() {
        return hasArchive() || isVolatile();
    }

    /** {@return whether topics drop what was acknowledged, so that only the ends of the chain can be compared} */
    boolean isVolatile() {
        return equals(AERON);
    }

    /** {@return whether processes are spread over hosts, each of which has a broker} */
    public boolean hasHosts() {
        return equals(KAFKA_HOSTS);
    }

    /** {@return whether files of the transport below a directory keep the topics, with no server} */
    boolean hasDirectory() {
        return brokers == 0 && !hasDriver() && TransportSettings.has(Transports.named(transport), Subject.DIRECTORY);
    }

    /** {@return whether a server keeps the topics that the laboratory neither starts nor empties} */
    boolean hasForeignServer() {
        return brokers == 0 && !hasDriver() && !hasDirectory();
    }

    /** {@return whether a topic refuses a second process while the first lives; otherwise the newest wins} */
    public boolean isExclusive() {
        return Transports.named(transport).guarantees().contains(Guarantee.EXCLUSIVE);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SetUp that && name.equals(that.name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return name;
    }
}
