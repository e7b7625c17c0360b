/**
 * A real Kafka for tests, laboratories and demonstrations: the production classes of a KRaft broker, one node or three,
 * in this JVM ({@link dev.baton.kafka.embedded.EmbeddedKafka}) or each in a process of its own ({@link
 * dev.baton.kafka.embedded.BrokerCluster}). It listens on loopback, without authentication unless it is asked for, and is
 * set for small machines; it is not a way to run Kafka for others.
 */
package dev.baton.kafka.embedded;
