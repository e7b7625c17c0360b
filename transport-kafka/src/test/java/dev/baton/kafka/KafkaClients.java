package dev.baton.kafka;

import java.lang.management.ManagementFactory;
import java.util.Set;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.ObjectName;

/** The clients of Kafka's that live in this JVM now. Stateless. */
final class KafkaClients {
    private KafkaClients() {}

    /** Names of the threads that clients have: producers and admin clients have one, consumers in a group, too. */
    static Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("kafka-producer")
                        || name.startsWith("kafka-coordinator")
                        || name.startsWith("kafka-admin"))
                .collect(Collectors.toSet());
    }

    /** Names of the threads of producers, those that commit transactions included. */
    static Set<String> producerThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("kafka-producer") || name.startsWith("baton-kafka-commit"))
                .collect(Collectors.toSet());
    }

    /** Clients of one kind, as Kafka itself registers them. */
    static Set<ObjectName> registered(String kind) {
        try {
            return ManagementFactory.getPlatformMBeanServer()
                    .queryNames(new ObjectName("kafka." + kind + ":type=app-info,id=*"), null);
        } catch (JMException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
