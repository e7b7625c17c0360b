/**
 * Topics on Apache Kafka: one partition each, one record for each frame, positions kept as the offsets of consumer
 * groups. {@link dev.baton.kafka.KafkaTransport} and its options are what programs use.
 *
 * <p>The packages below are internal, each uses those before it: {@code client}, {@code topics}, {@code log}, {@code
 * read}, {@code write}, {@code connection}, {@code admin}.
 *
 * <p><b>One message</b> of an inlet, until the position of its reader is stored. Core's files are in {@code dev.baton.engine}:
 * <ol>
 * <li>{@code inlet.ThreadInlet} and {@code inlet.StagingRing}: the sender's thread writes into a ring, as only the loop that
 * owns the producer may use it, and wakes that loop through {@code connection.LoopWakeup}
 * <li>{@code loop.Loop}, {@code Section}, {@code inlet.SourcePart}: the loop gives the ring a turn, which copies the message into a
 * claim of the topic; {@code writing.WriterOutlet} stamps its header. From here on the messages of a service take the same way
 * <li>{@code write.KafkaWriter}: gives a frame of {@code write.PendingFrames}, and sends the flushed ones as {@code
 * write.ReusedRecords}
 * <li>{@code write.FrameProducer}: limits what is on its way, and passes records to Kafka's producer; with transactions {@code
 * TransactionalFrameProducer}
 * <li>{@code write.StoredFrames}: the offsets that are expected and confirmed; another writer's records show as a gap. {@code
 * LoopWakeup} wakes a loop that waits for room
 * <li>{@code connection.KafkaConnection}: gives producers and the consumer their turns, and waits in the consumer's poll
 * <li>{@code read.RecordFetcher}: polls Kafka's consumer for all readers of the connection
 * <li>{@code read.FetchedRecords}: the records of a partition that are not read yet, without those that {@code log.WriterHistory}
 * attributes to a fenced writer
 * <li>{@code read.KafkaReader}: passes frames to core's {@code cycle.DutyCycle}, which {@code log.RecordDecoder} takes from the
 * records, in the order that {@code read.SequenceCheck} requires. It keeps the sequences of offsets in {@code read.SequenceRuns}
 * <li>{@code cycle.ServiceCalls}: calls the service; {@code cycle.Acknowledgements} acknowledges the input when its outputs are
 * stored
 * <li>{@code read.Positions}: commits the acknowledged offset, once in an interval; with transactions, the producer does so with the
 * outputs
 * </ol>
 *
 * <p>Beside this way, {@code topics.TopicIdMonitor} finds out whether a topic was deleted or created again.
 */
package dev.baton.kafka;
