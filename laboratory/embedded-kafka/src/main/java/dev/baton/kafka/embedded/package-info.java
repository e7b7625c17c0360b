/**
 * A real Kafka for tests, laboratories and demonstrations: the production classes of a KRaft broker, one node or three, in this JVM ({@link
 * dev.baton.kafka.embedded.EmbeddedKafka}) or each in a separate process ({@link dev.baton.kafka.embedded.BrokerCluster}). It listens on
 * loopback, without authentication unless it is configured, and has settings for small machines; it is not meant for production.
 */
package dev.baton.kafka.embedded;
