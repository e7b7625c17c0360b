package dev.baton.broken.defects;

import dev.baton.broken.heap.HeapConnection;
import dev.baton.broken.heap.HeapReader;
import dev.baton.broken.heap.HeapTopic;
import dev.baton.broken.heap.HeapTransport;
import dev.baton.broken.heap.HeapWriter;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.tck.BatchTck;
import dev.baton.tck.OrderTck;
import java.util.List;
import java.util.stream.Stream;

/** Defects of batches: flush and rewind. Stateless. */
public final class BatchDefects {
    private BatchDefects() {}

    public static Stream<PlantedDefect> all() {
        return Stream.of(flushes(), moreFlushes(), turns(), rewinds(), moreRewinds())
                .flatMap(List::stream);
    }

    private static List<PlantedDefect> flushes() {
        return List.of(
                new PlantedDefect(
                        "a frame is visible at its commit",
                        BatchTck.class,
                        "nothingIsVisibleBeforeTheFlush.*empty",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public long commit(int length) {
                                long sequence = super.commit(length);
                                topic.publish(sequence);
                                return sequence;
                            }
                        })),
                new PlantedDefect(
                        "a flush drops the last frame",
                        OrderTck.class,
                        "oneFrameArrivesOnce.*waited \\d+ ms for 1 frames",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public void publish() {
                                if (published != committed) {
                                    topic.publish(committed - 1);
                                    published = committed;
                                }
                            }
                        })),
                new PlantedDefect(
                        "a flush ends in the middle of an open claim",
                        BatchTck.class,
                        "flushAndRewindRefuseAnOpenClaim.*raise a throwable",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public void flush() {
                                publish();
                            }
                        })));
    }

    private static List<PlantedDefect> moreFlushes() {
        return List.of(
                new PlantedDefect(
                        "a batch is visible at the second poll",
                        BatchTck.class,
                        "flushedBatchIsVisibleAtTheFirstPoll.*first poll after their flush",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            private long seen;

                            @Override
                            public int poll(FrameHandler handler, int limit) {
                                boolean isNew = seen != topic.published();
                                seen = topic.published();
                                return isNew ? 0 : super.poll(handler, limit);
                            }
                        })),
                new PlantedDefect(
                        "what was not flushed counts as stored",
                        BatchTck.class,
                        "aFrameWithoutFlushIsNotStored.*expected: 1L.*but was: 2L",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public long storedSequence() {
                                return committed;
                            }
                        })),
                new PlantedDefect(
                        "nothing is ever stored",
                        BatchTck.class,
                        "aFlushedFrameIsStoredInTheEnd.*waited \\d+ ms for stored frames",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public long storedSequence() {
                                return 0;
                            }
                        })));
    }

    private static List<PlantedDefect> turns() {
        return List.of(new PlantedDefect(
                "frames of other threads need turns that are said not to be needed",
                BatchTck.class,
                "flushOfOtherThreadIsVisibleWithoutTurns.*first poll after the flush of another thread",
                () -> new HeapTransport() {
                    @Override
                    public HeapConnection newConnection() {
                        return new HeapConnection(this) {
                            @Override
                            public int doWork() {
                                opened.forEach(each -> {
                                    if (each instanceof Looking reader) {
                                        reader.look();
                                    }
                                });
                                return 0;
                            }
                        };
                    }

                    @Override
                    public HeapReader newReader(HeapTopic topic, String consumer) {
                        return new Looking(topic, consumer);
                    }
                }));
    }

    /** Sees what was published at its connection's last turn. */
    private static final class Looking extends HeapReader {
        private long seen;

        Looking(HeapTopic topic, String consumer) {
            super(topic, consumer);
            look();
        }

        void look() {
            seen = topic.published();
        }

        @Override
        public int poll(FrameHandler handler, int limit) {
            return read < seen ? super.poll(handler, limit) : 0;
        }
    }

    private static List<PlantedDefect> rewinds() {
        return List.of(
                new PlantedDefect(
                        "a rewind does nothing",
                        BatchTck.class,
                        "rewindTakesBackWhatWasNotFlushed.*expected: 2L",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public void rewind(long sequence) {
                                check();
                            }
                        })),
                new PlantedDefect(
                        "a rewind before the last flush is ignored",
                        BatchTck.class,
                        "rewindBeforeTheLastFlushIsRefused.*raise a throwable",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public void rewind(long sequence) {
                                super.rewind(Math.max(sequence, published));
                            }
                        })),
                new PlantedDefect(
                        "a rewind beyond the newest frame is ignored",
                        BatchTck.class,
                        "rewindBeyondTheNewestSequenceIsRefused.*raise a throwable",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public void rewind(long sequence) {
                                super.rewind(Math.min(sequence, committed));
                            }
                        })));
    }

    private static List<PlantedDefect> moreRewinds() {
        return List.of(
                new PlantedDefect(
                        "a rewind does not give its room back",
                        BatchTck.class,
                        "rewindGivesItsRoomBack.*greater than or equal",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            private long newest;

                            @Override
                            public int remainingCapacity() {
                                newest = Math.max(newest, committed);
                                return (int) (topic.raiseFloor() + HeapTopic.SLOTS - newest);
                            }

                            @Override
                            public void rewind(long sequence) {
                                newest = Math.max(newest, committed);
                                super.rewind(sequence);
                            }
                        })),
                new PlantedDefect(
                        "frames of a batch are swapped",
                        OrderTck.class,
                        "sequencesCountFromOne.*2L, 1L, 3L",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public Verdict handOver(FrameHandler handler, long sequence) {
                                long other = (sequence - 1 ^ 1) + 1;
                                return super.handOver(handler, other <= topic.published() ? other : sequence);
                            }
                        })));
    }
}
