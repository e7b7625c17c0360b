/** Plain Kafka topics at both ends of a chain: {@link dev.baton.kafka.connectors.KafkaSource} and {@link dev.baton.kafka.connectors.KafkaSink}. */
package dev.baton.kafka.connectors;
