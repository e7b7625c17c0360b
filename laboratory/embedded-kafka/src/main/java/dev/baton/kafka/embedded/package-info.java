/**
 * A real Kafka for tests, laboratories and demonstrations: the production classes of a KRaft broker, one node or three,
 * in this JVM ({@link dev.baton.kafka.embedded.EmbeddedKafka}) or in a child process ({@link
 * dev.baton.kafka.embedded.BrokerProcess}). It listens on loopback alone, without authentication, and is set for small
 * machines; it is not a way to run Kafka for others.
 */
package dev.baton.kafka.embedded;
