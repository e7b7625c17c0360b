/**
 * Topics on Apache Kafka: one partition each, one record for each frame, positions kept as the offsets of consumer
 * groups. {@link dev.baton.kafka.KafkaTransport} and its options are what programs use.
 *
 * <p>The packages below are internal, each uses those before it: {@code client}, {@code topics}, {@code log}, {@code
 * read}, {@code fencing}, {@code write}, {@code connection}, {@code admin}. A frame passes KafkaConnection, KafkaWriter
 * and FrameProducer, and on the other side RecordFetcher, KafkaReader and Positions.
 */
package dev.baton.kafka;
