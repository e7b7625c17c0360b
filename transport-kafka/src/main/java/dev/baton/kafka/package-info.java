/**
 * Topics on Apache Kafka: one partition each, one record for each frame, positions kept as the offsets of consumer
 * groups. {@link dev.baton.kafka.KafkaTransport} and its options are what programs use.
 *
 * <p>The packages below are internal, each uses those before it: {@code client}, {@code topics}, {@code log}, {@code
 * read}, {@code write}, {@code connection}, {@code admin}.
 *
 * <p><b>One message</b>, from the claim of a service to the next one. What an inlet sends comes through core's {@code
 * StagingRing} and {@code SourcePart}, as only the loop that owns the producer uses it:
 * <ol>
 * <li>{@code write.KafkaWriter}: gives a frame of {@code write.PendingFrames}, and sends the flushed ones
 * <li>{@code write.FrameProducer}: limits what is on its way, and passes records to Kafka's producer; with transactions {@code
 * TransactionalFrameProducer}
 * <li>{@code write.StoredFrames}: the offsets that are expected and confirmed; another writer's records show as a gap
 * <li>{@code connection.LoopWakeup}: wakes a waiting loop when another thread has news: a flush, a failure, room for a
 * starved writer
 * <li>{@code connection.KafkaConnection}: gives producers and the consumer their turns, and waits in the consumer's poll
 * <li>{@code read.RecordFetcher}: polls Kafka's consumer for all readers of the connection
 * <li>{@code read.FetchedRecords}: the records of a partition that are not read yet
 * <li>{@code log.WriterHistory}: tells the frames of the current writer from those of fenced ones, by markers and ids of
 * incarnations; {@code log.RecordDecoder} takes a record apart
 * <li>{@code read.KafkaReader}: passes frames to the service, in the order that {@code read.SequenceCheck} requires
 * <li>{@code read.SequenceRuns}: finds the sequence at an acknowledged offset
 * <li>{@code read.Positions}: commits the offset, once in an interval
 * </ol>
 */
package dev.baton.kafka;
