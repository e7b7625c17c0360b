/**
 * Topics on Apache Kafka: one partition each, one record for each frame, positions kept as the offsets of consumer groups.
 *
 * <p>The way of a frame: {@link dev.baton.kafka.KafkaTransport}, then KafkaConnection, KafkaWriter, Outbox, and on the
 * other side Inbox, TopicFeed, KafkaReader, Positions. The way of a repair: TopicRepair, DamageScan, RepairMarker, and on
 * the other side NewestFrame, Repairs, RepairSearch.
 */
package dev.baton.kafka;
