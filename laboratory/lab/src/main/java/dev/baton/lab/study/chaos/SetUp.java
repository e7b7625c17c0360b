package dev.baton.lab.study.chaos;

import dev.baton.lab.trial.Transports;
import dev.baton.spi.Guarantee;

/** A durable transport with the brokers that it needs. */
public enum SetUp {
    /** Queues on this machine. */
    CHRONICLE("chronicle", 0),
    /** Recordings on this machine: one process is the media driver and the Archive. */
    AERON_ARCHIVE("aeron-archive", 0),
    /** The same over UDP, as from other hosts; the driver loses one packet in a hundred. */
    AERON_ARCHIVE_UDP("aeron-archive", 0),
    /** One broker, started again over its data. */
    KAFKA("kafka", 1),
    /** Three brokers: replication 3, min.insync.replicas 2. */
    KAFKA3("kafka", 3),
    /** The same brokers and the chain on three hosts, which are network namespaces of this machine. */
    KAFKA_HOSTS("kafka", 3);

    final String transport; // the name under which its provider is found
    final int brokers;

    SetUp(String transport, int brokers) {
        this.transport = transport;
        this.brokers = brokers;
    }

    /** Whether an Archive keeps the topics. */
    boolean hasArchive() {
        return this == AERON_ARCHIVE || this == AERON_ARCHIVE_UDP;
    }

    /** Whether processes are spread over hosts, each of which has a broker. */
    public boolean hasHosts() {
        return this == KAFKA_HOSTS;
    }

    /** Whether a rival is kept out while the first lives; elsewhere the newest wins. */
    public boolean isExclusive() {
        return Transports.named(transport).guarantees().contains(Guarantee.EXCLUSIVE);
    }
}
