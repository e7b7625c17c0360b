package dev.baton.broken.defects;

import dev.baton.broken.memory.MemoryReader;
import dev.baton.broken.memory.MemoryTopic;
import dev.baton.broken.memory.RivalMemory;
import dev.baton.spi.ReplacedException;
import dev.baton.spi.TransportException;
import dev.baton.tck.fencing.RivalChainsTck;
import dev.baton.tck.fencing.RivalReadersTck;
import dev.baton.tck.fencing.RivalWritersTck;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/** Defects of transports in which the newest writer or reader takes the place of the one before. Stateless. */
public final class RivalDefects {
    private RivalDefects() {}

    public static Stream<Defect> all() {
        return Stream.of(writers(), readers(), chains()).flatMap(List::stream);
    }

    private static Defect writer(
            String name, Class<?> caughtBy, String report, BiFunction<MemoryTopic, String, RivalMemory.Writer> writer) {
        Map<String, MemoryTopic> kept = new HashMap<>();
        return new Defect(name, caughtBy, report, () -> new RivalMemory(kept) {
            @Override
            public Writer rivalWriter(MemoryTopic topic, String topology) {
                return writer.apply(topic, topology);
            }
        });
    }

    private static Defect reader(String name, String report, BiFunction<MemoryTopic, String, MemoryReader> reader) {
        Map<String, MemoryTopic> kept = new HashMap<>();
        return new Defect(name, RivalReadersTck.class, report, () -> new RivalMemory(kept) {
            @Override
            public MemoryReader newReader(MemoryTopic topic, String consumer) {
                return reader.apply(topic, consumer);
            }
        });
    }

    private static List<Defect> writers() {
        return List.of(
                writer(
                        "a writer that was replaced is never told",
                        RivalWritersTck.class,
                        "aWriterThatWritesNothingIsToldSoon.*the end of a writer that was replaced",
                        (topic, topology) -> new RivalMemory.Writer(topic, topology) {
                            @Override
                            public void flush() {
                                if (!isReplaced()) {
                                    super.flush();
                                }
                            }
                        }),
                writer(
                        "a writer that was replaced goes on storing",
                        RivalWritersTck.class,
                        "(aTopicWithDroppedFrames|whatAnOlderWriter).*",
                        (topic, topology) -> new RivalMemory.Writer(topic, topology) {
                            @Override
                            public void flush() {
                                store();
                                super.flush();
                            }
                        }),
                writer(
                        "a writer that was replaced fails with another reason",
                        RivalWritersTck.class,
                        "aWriterThatWritesNothingIsToldSoon.*ReplacedException.*unknown error",
                        (topic, topology) -> new RivalMemory.Writer(topic, topology) {
                            @Override
                            public TransportException replaced() {
                                return new TransportException("topic '" + topic.name + "': unknown error");
                            }
                        }),
                writer(
                        "a writer that was replaced fails without the topic's name",
                        RivalWritersTck.class,
                        "whatAnOlderWriterStores.*to contain",
                        (topic, topology) -> new RivalMemory.Writer(topic, topology) {
                            @Override
                            public TransportException replaced() {
                                return new ReplacedException(topic.name, "another one is here");
                            }
                        }));
    }

    private static List<Defect> readers() {
        return List.of(
                reader(
                        "a reader that was replaced moves the consumer",
                        "theNewestReaderIsTheConsumer.*",
                        (topic, consumer) -> new MemoryReader(topic, consumer) {
                            @Override
                            public void acknowledge(long position) {
                                super.acknowledge(position);
                                this.consumer.acknowledged = position;
                            }
                        }),
                reader(
                        "a reader that was replaced is never told",
                        "theNewestReaderIsTheConsumer.*the end of a reader that was replaced",
                        (topic, consumer) -> new RivalMemory.Reader(topic, consumer) {
                            @Override
                            public void acknowledge(long position) {
                                if (this.consumer.reader == this) {
                                    super.acknowledge(position);
                                }
                            }
                        }),
                reader(
                        "a reader that was replaced closes without a word",
                        "aReaderThatLearnsAtItsClose.*raise a throwable",
                        (topic, consumer) -> new RivalMemory.Reader(topic, consumer) {
                            @Override
                            public void close() {
                                disown();
                            }
                        }));
    }

    private static List<Defect> chains() {
        return List.of(writer(
                "a chain is not told why its writer ends",
                RivalChainsTck.class,
                "(aChainThatIsStarted|aReplacedSharedInlet).*unknown error",
                (topic, topology) -> new RivalMemory.Writer(topic, topology) {
                    @Override
                    public TransportException replaced() {
                        return new TransportException("topic '" + topic.name + "': unknown error");
                    }
                }));
    }
}
