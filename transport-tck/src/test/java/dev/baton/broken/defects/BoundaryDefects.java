package dev.baton.broken.defects;

import dev.baton.broken.heap.HeapConnection;
import dev.baton.broken.heap.HeapConsumer;
import dev.baton.broken.heap.HeapReader;
import dev.baton.broken.heap.HeapTopic;
import dev.baton.broken.heap.HeapTransport;
import dev.baton.broken.heap.HeapWriter;
import dev.baton.broken.heap.NetworkHeap;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.BackPressureTck;
import dev.baton.tck.BatchTck;
import dev.baton.tck.ConsumptionTck;
import dev.baton.tck.HeaderTck;
import dev.baton.tck.OrderTck;
import dev.baton.tck.PayloadTck;
import dev.baton.tck.StartTck;
import dev.baton.tck.TwoThreadTck;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Defects at limits: of batches, payloads, polls, room and positions. Stateless. */
public final class BoundaryDefects {
    private BoundaryDefects() {}

    public static Stream<PlantedDefect> all() {
        return Stream.of(batches(), payloads(), polls(), rooms(), starts(), threads())
                .flatMap(each -> each);
    }

    private static PlantedDefect writer(String name, Class<?> caughtBy, String report, PlantedDefect.Writers writers) {
        return new PlantedDefect(name, caughtBy, report, PlantedDefect.writer(writers));
    }

    private static PlantedDefect reader(String name, Class<?> caughtBy, String report, PlantedDefect.Readers readers) {
        return new PlantedDefect(name, caughtBy, report, PlantedDefect.reader(readers));
    }

    private static Stream<PlantedDefect> batches() {
        return Stream.of(
                writer(
                        "a batch is cut after 40 frames",
                        BatchTck.class,
                        "aBatchThatFillsTheRoom.*waited \\d+ ms for 64 frames.*came: 40 frames.*rule: every consumer gets",
                        (topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public void publish() {
                                topic.publish(Math.min(committed, published + 40));
                                published = committed;
                            }
                        }),
                writer(
                        "a flush without commits publishes a frame",
                        BatchTck.class,
                        "aFlushWithoutCommits.*",
                        (topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public void publish() {
                                committed += published == committed ? 1 : 0;
                                super.publish();
                            }
                        }),
                writer(
                        "the first frame of a topic cannot be taken back",
                        BatchTck.class,
                        "rewind\\w+\\(\\).*rewind, called by BatchTck.*threw.*before the first frame; rule",
                        (topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public void rewind(long sequence) {
                                if (sequence == 0) {
                                    throw new IllegalArgumentException("nothing before the first frame");
                                }
                                super.rewind(sequence);
                            }
                        }),
                writer(
                        "a rewind to the newest frame takes that back",
                        BatchTck.class,
                        "rewindToTheNewest.*waited \\d+ ms for 2 frames.*came: 1 frame",
                        (topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public void rewind(long sequence) {
                                super.rewind(sequence == committed && sequence > published ? sequence - 1 : sequence);
                            }
                        }),
                writer(
                        "a rewind ends an open claim in silence",
                        BatchTck.class,
                        "flushAndRewindRefuseAnOpenClaim.*raise a throwable",
                        (topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public void rewind(long sequence) {
                                claimed = NONE;
                                super.rewind(sequence);
                            }
                        }));
    }

    private static Stream<PlantedDefect> payloads() {
        return Stream.of(
                reader(
                        "an empty payload is taken for no frame",
                        PayloadTck.class,
                        "anEmptyPayload.*waited \\d+ ms for 1 frames.*came: no frame.*rule: every consumer gets",
                        (topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public Verdict handOver(FrameHandler handler, long sequence) {
                                boolean isEmpty =
                                        topic.aim(new Frame(), sequence).length() == 0;
                                return isEmpty ? Verdict.DONE : super.handOver(handler, sequence);
                            }
                        }),
                reader(
                        "an empty payload ends a poll for good",
                        PayloadTck.class,
                        "emptyPayloadsInABatch.*waited \\d+ ms for 5 frames.*came: 1 frame \\[1 'a'\\]",
                        (topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public Verdict handOver(FrameHandler handler, long sequence) {
                                boolean isEmpty = sequence > 1
                                        && topic.aim(new Frame(), sequence).length() == 0;
                                return isEmpty ? Verdict.RETRY : super.handOver(handler, sequence);
                            }
                        }),
                new PlantedDefect(
                        "lengths are rounded to two bytes",
                        PayloadTck.class,
                        "(aPayloadOfOneByte|payloadBelowTheLimit).*",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public void length(long sequence, int length) {
                                super.length(sequence, length + 1 & ~1);
                            }
                        })),
                writer(
                        "a batch has room for 256 bytes",
                        PayloadTck.class,
                        "aBatchOfTheLongest.*payload 3 of a batch of 8 of the longest",
                        (topic, topology) -> new HeapWriter(topic, topology) {
                            private long bytes;

                            @Override
                            public long commit(int length) {
                                bytes += length;
                                if (bytes > 256 && length == HeapTransport.MAX_PAYLOAD && committed > published) {
                                    frame.putByte(length - 1, (byte) ~frame.getByte(length - 1));
                                }
                                return super.commit(length);
                            }

                            @Override
                            public void publish() {
                                bytes = 0;
                                super.publish();
                            }
                        }),
                writer(
                        "a field that is zero keeps its value of the frame before",
                        HeaderTck.class,
                        "frameFieldsDoNotReachTheNext.*expected: 0.*but was: 9",
                        (topic, topology) -> new HeapWriter(topic, topology) {
                            private long cause;

                            @Override
                            public long commit(int length) {
                                cause = frame.cause() == 0 ? cause : frame.cause();
                                frame.stamp(
                                        frame.servicesPassed(),
                                        frame.type(),
                                        cause,
                                        frame.originNanos(),
                                        frame.sentNanos());
                                return super.commit(length);
                            }
                        }));
    }

    private static Stream<PlantedDefect> polls() {
        return Stream.of(
                reader(
                        "a poll that ends with a refusal counts nothing",
                        ConsumptionTck.class,
                        "pollCounts.*expected: 2.*but was: 0",
                        (topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public int poll(FrameHandler handler, int limit) {
                                int consumed = super.poll(handler, limit);
                                return handed > read ? 0 : consumed;
                            }
                        }),
                reader(
                        "a handler that throws gets the whole batch again",
                        ConsumptionTck.class,
                        "handlerThatThrowsHasConsumedTheFramesBefore.*",
                        (topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public int poll(FrameHandler handler, int limit) {
                                long before = read;
                                try {
                                    return super.poll(handler, limit);
                                } catch (RuntimeException thrown) {
                                    read = before;
                                    throw thrown;
                                }
                            }
                        }),
                reader(
                        "a refused frame that is acknowledged is not acknowledged for later",
                        ConsumptionTck.class,
                        "acknowledgementOfARefusedFrameSurvivesARestart.*",
                        (topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public void acknowledge(long position) {
                                long newest = read;
                                super.acknowledge(position);
                                this.consumer.acknowledged = Math.min(this.consumer.acknowledged, newest);
                            }
                        }),
                reader(
                        "a reader looks at its topic once",
                        OrderTck.class,
                        "oneFrameArrivesOnce.*waited \\d+ ms for 1 frames.*came: no frame",
                        (topic, consumer) -> new HeapReader(topic, consumer) {
                            private boolean isDone;

                            @Override
                            public int poll(FrameHandler handler, int limit) {
                                int consumed = isDone ? 0 : super.poll(handler, limit);
                                isDone |= consumed > 0;
                                return consumed;
                            }
                        }));
    }

    private static Stream<PlantedDefect> rooms() {
        return Stream.of(
                writer(
                        "there is more room than the most",
                        BackPressureTck.class,
                        "roomIsNeverMore.*",
                        (topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public int capacity() {
                                return super.capacity() / 2;
                            }
                        }),
                writer(
                        "frames that are not flushed need no room",
                        BackPressureTck.class,
                        "writerWithoutFlushIsRefusedAtABound.*frames before a refusal",
                        (topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public Frame claim(int maxLength) {
                                requireNoClaim();
                                claimed = maxLength;
                                return slots.aim(frame, committed + 1, maxLength);
                            }
                        }),
                new PlantedDefect(
                        "one frame more is overwritten than is acknowledged",
                        BackPressureTck.class,
                        "(theSlowestConsumer|framesReadBut|stoppedReader|roomComesBack).*",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public long heldFrom(HeapConsumer consumer) {
                                return consumer.acknowledged + 1;
                            }
                        })),
                new PlantedDefect(
                        "a topic that was full once has no room any more",
                        BackPressureTck.class,
                        "roomComesBack.*waited \\d+ ms for room",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            private boolean wasFull;

                            @Override
                            public synchronized long raiseFloor() {
                                wasFull |= published() == floor + SLOTS;
                                return wasFull ? floor : super.raiseFloor();
                            }
                        })));
    }

    private static Stream<PlantedDefect> starts() {
        return Stream.of(
                new PlantedDefect(
                        "a time finds the frame behind the one sent then",
                        StartTck.class,
                        "consumerStartsAtATime.*at 8.*at 7|consumerStartsAtATime.*at 7.*at 8",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public long wallNanos(Frame frame) {
                                return super.wallNanos(frame) - 1;
                            }
                        })),
                new PlantedDefect(
                        "the end is one frame early",
                        StartTck.class,
                        "consumerIsMovedForwardAcrossARestart.*\"d\"",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public long before(StartPosition from) {
                                long before = super.before(from);
                                return from.kind() == StartPosition.Kind.LATEST ? Math.max(0, before - 1) : before;
                            }
                        })),
                new PlantedDefect(
                        "an empty topic has no end to begin at",
                        StartTck.class,
                        "endOfAnEmptyTopicIsItsBeginning.*called by StartTck.*the topic is empty",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public long before(StartPosition from) {
                                if (published() == 0) {
                                    throw new TransportException("the topic is empty");
                                }
                                return super.before(from);
                            }
                        })),
                new PlantedDefect(
                        "a start of a kind that is not known begins somewhere",
                        StartTck.class,
                        "unsupportedKindOfPositionIsRefused.*a start at time",
                        () -> new HeapTransport() {
                            @Override
                            public Set<StartPosition.Kind> startPositions() {
                                return EnumSet.complementOf(EnumSet.of(StartPosition.Kind.TIME));
                            }

                            @Override
                            public HeapConnection newConnection() {
                                return new HeapConnection(this) {
                                    @Override
                                    public TopicReader openReader(String topic, String consumer, StartPosition from) {
                                        if (!from.isStored()) {
                                            transport.topic(topic).move(consumer, from);
                                        }
                                        return super.openReader(topic, consumer, StartPosition.stored());
                                    }
                                };
                            }
                        }),
                new PlantedDefect(
                        "a refused start has moved its consumer",
                        StartTck.class,
                        "futureSequenceIsRefusedAndMovesNoConsumer.*",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public synchronized void move(String consumerName, StartPosition from) {
                                consumers.forEach(consumer -> consumer.acknowledged = published());
                                super.move(consumerName, from);
                            }
                        })));
    }

    private static Stream<PlantedDefect> threads() {
        return Stream.of(
                PlantedDefect.ofNetworkWriter(
                        "frames are visible before they are written",
                        TwoThreadTck.class,
                        "framesCrossThreads.*expected frame \\d+ unaltered, met \\d+|framesCrossThreads.*threw",
                        (server, topic, topology) -> new NetworkHeap.Writer(server, topic, topology) {
                            @Override
                            public void store(long last) {
                                topic.publish(last);
                                LockSupport.parkNanos(1_000);
                                super.store(last);
                            }
                        }),
                PlantedDefect.ofNetworkReader(
                        "a reader takes the newest frames for all of them",
                        TwoThreadTck.class,
                        "framesCrossThreads.*expected frame \\d+ unaltered, met \\d+",
                        (server, topic, consumer) -> new NetworkHeap.Reader(server, topic, consumer) {
                            @Override
                            public int poll(FrameHandler handler, int limit) {
                                read = Math.max(read, topic.published() - 16);
                                return super.poll(handler, limit);
                            }
                        }));
    }
}
