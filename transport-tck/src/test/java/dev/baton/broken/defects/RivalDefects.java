package dev.baton.broken.defects;

import dev.baton.broken.heap.HeapReader;
import dev.baton.broken.heap.HeapTopic;
import dev.baton.broken.heap.RivalHeap;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TransportException;
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

    public static Stream<PlantedDefect> all() {
        return Stream.of(writers(), readers(), chains()).flatMap(List::stream);
    }

    private static PlantedDefect writer(
            String name, Class<?> caughtBy, String report, BiFunction<HeapTopic, String, RivalHeap.Writer> writer) {
        Map<String, HeapTopic> kept = new HashMap<>();
        return new PlantedDefect(name, caughtBy, report, () -> new RivalHeap(kept) {
            @Override
            public Writer rivalWriter(HeapTopic topic, String topology) {
                return writer.apply(topic, topology);
            }
        });
    }

    private static PlantedDefect reader(String name, String report, BiFunction<HeapTopic, String, HeapReader> reader) {
        Map<String, HeapTopic> kept = new HashMap<>();
        return new PlantedDefect(name, RivalReadersTck.class, report, () -> new RivalHeap(kept) {
            @Override
            public HeapReader newReader(HeapTopic topic, String consumer) {
                return reader.apply(topic, consumer);
            }
        });
    }

    private static List<PlantedDefect> writers() {
        return List.of(
                writer(
                        "a writer that was replaced is never told",
                        RivalWritersTck.class,
                        "aWriterThatWritesNothingIsToldSoon.*the end of a writer that was replaced",
                        (topic, topology) -> new RivalHeap.Writer(topic, topology) {
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
                        "(writersContinue|readersDropLate).*",
                        (topic, topology) -> new RivalHeap.Writer(topic, topology) {
                            @Override
                            public void flush() {
                                store();
                                super.flush();
                            }
                        }),
                writer(
                        "the opening of a writer knows of no newer one",
                        RivalWritersTck.class,
                        "openingKnowsWhetherItsWriterIsTheNewest.*raise a throwable",
                        (topic, topology) -> new RivalHeap.Writer(topic, topology) {
                            @Override
                            public void requireNewest() {}
                        }),
                writer(
                        "a writer that was replaced fails with another reason",
                        RivalWritersTck.class,
                        "aWriterThatWritesNothingIsToldSoon.*ReplacedException.*unknown error",
                        (topic, topology) -> new RivalHeap.Writer(topic, topology) {
                            @Override
                            public TransportException replaced() {
                                return new TransportException("topic '" + topic.name + "': unknown error");
                            }
                        }),
                writer(
                        "a writer that was replaced fails without the topic's name",
                        RivalWritersTck.class,
                        "readersDropLateFramesOfAnOlderWriter.*to contain",
                        (topic, topology) -> new RivalHeap.Writer(topic, topology) {
                            @Override
                            public TransportException replaced() {
                                return new ReplacedException(topic.name, "another one is here");
                            }
                        }));
    }

    private static List<PlantedDefect> readers() {
        return List.of(
                reader(
                        "a reader that was replaced moves the consumer",
                        "newestReaderIsTheConsumer.*",
                        (topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public void acknowledge(long position) {
                                super.acknowledge(position);
                                this.consumer.acknowledged = position;
                            }
                        }),
                reader(
                        "a reader that was replaced is never told",
                        "newestReaderIsTheConsumer.*the end of a reader that was replaced",
                        (topic, consumer) -> new RivalHeap.Reader(topic, consumer) {
                            @Override
                            public void acknowledge(long position) {
                                if (this.consumer.reader == this) {
                                    super.acknowledge(position);
                                }
                            }
                        }),
                reader(
                        "a reader that was replaced closes without a word",
                        "replacedReaderStoresNothingAtItsClose.*raise a throwable",
                        (topic, consumer) -> new RivalHeap.Reader(topic, consumer) {
                            @Override
                            public void close() {
                                disown();
                            }
                        }));
    }

    private static List<PlantedDefect> chains() {
        return List.of(writer(
                "a chain is not told why its writer ends",
                RivalChainsTck.class,
                "(secondStart|aReplacedSharedInlet).*unknown error",
                (topic, topology) -> new RivalHeap.Writer(topic, topology) {
                    @Override
                    public TransportException replaced() {
                        return new TransportException("topic '" + topic.name + "': unknown error");
                    }
                }));
    }
}
