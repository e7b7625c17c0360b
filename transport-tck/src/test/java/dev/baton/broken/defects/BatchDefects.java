package dev.baton.broken.defects;

import dev.baton.broken.memory.MemoryConnection;
import dev.baton.broken.memory.MemoryReader;
import dev.baton.broken.memory.MemoryTopic;
import dev.baton.broken.memory.MemoryTransport;
import dev.baton.broken.memory.MemoryWriter;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.tck.BatchTck;
import dev.baton.tck.OrderTck;
import java.util.List;
import java.util.stream.Stream;

/** Defects of batches: flush and rewind. Stateless. */
public final class BatchDefects {
    private BatchDefects() {}

    public static Stream<Defect> all() {
        return Stream.of(flushes(), moreFlushes(), turns(), rewinds(), moreRewinds())
                .flatMap(List::stream);
    }

    private static List<Defect> flushes() {
        return List.of(
                new Defect(
                        "a frame is visible at its commit",
                        BatchTck.class,
                        "nothingIsVisibleBeforeTheFlush.*empty",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
                            @Override
                            public long commit(int length) {
                                long sequence = super.commit(length);
                                topic.publish(sequence);
                                return sequence;
                            }
                        })),
                new Defect(
                        "a flush drops the last frame",
                        OrderTck.class,
                        "oneFrameArrivesOnce.*waited \\d+ ms for 1 frames",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
                            @Override
                            public void publish() {
                                if (published != committed) {
                                    topic.publish(committed - 1);
                                    published = committed;
                                }
                            }
                        })),
                new Defect(
                        "a flush ends in the middle of an open claim",
                        BatchTck.class,
                        "anOpenClaimIsEnded.*raise a throwable",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
                            @Override
                            public void flush() {
                                publish();
                            }
                        })));
    }

    private static List<Defect> moreFlushes() {
        return List.of(
                new Defect(
                        "a batch is visible at the second poll",
                        BatchTck.class,
                        "aFlushedBatchIsVisibleAtTheFirstPoll.*first poll after their flush",
                        Defect.reader((topic, consumer) -> new MemoryReader(topic, consumer) {
                            private long seen;

                            @Override
                            public int poll(FrameHandler handler, int limit) {
                                boolean isNew = seen != topic.published();
                                seen = topic.published();
                                return isNew ? 0 : super.poll(handler, limit);
                            }
                        })),
                new Defect(
                        "what was not flushed counts as stored",
                        BatchTck.class,
                        "aFrameWithoutFlushIsNotStored.*expected: 1L.*but was: 2L",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
                            @Override
                            public long storedSequence() {
                                return committed;
                            }
                        })),
                new Defect(
                        "nothing is ever stored",
                        BatchTck.class,
                        "aFlushedFrameIsStoredInTheEnd.*waited \\d+ ms for stored frames",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
                            @Override
                            public long storedSequence() {
                                return 0;
                            }
                        })));
    }

    private static List<Defect> turns() {
        return List.of(new Defect(
                "frames of other threads need turns that are said not to be needed",
                BatchTck.class,
                "flushOfOtherThreadIsVisibleWithoutTurns.*first poll after the flush of another thread",
                () -> new MemoryTransport() {
                    @Override
                    public MemoryConnection newConnection() {
                        return new MemoryConnection(this) {
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
                    public MemoryReader newReader(MemoryTopic topic, String consumer) {
                        return new Looking(topic, consumer);
                    }
                }));
    }

    /** Sees what was published at its connection's last turn. */
    private static final class Looking extends MemoryReader {
        private long seen;

        Looking(MemoryTopic topic, String consumer) {
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

    private static List<Defect> rewinds() {
        return List.of(
                new Defect(
                        "a rewind does nothing",
                        BatchTck.class,
                        "rewindTakesBackWhatWasNotFlushed.*expected: 2L",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
                            @Override
                            public void rewind(long sequence) {
                                check();
                            }
                        })),
                new Defect(
                        "a rewind before the last flush is ignored",
                        BatchTck.class,
                        "rewindBeforeTheLastFlushIsRefused.*raise a throwable",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
                            @Override
                            public void rewind(long sequence) {
                                super.rewind(Math.max(sequence, published));
                            }
                        })),
                new Defect(
                        "a rewind beyond the newest frame is ignored",
                        BatchTck.class,
                        "rewindBeyondTheNewestSequenceIsRefused.*raise a throwable",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
                            @Override
                            public void rewind(long sequence) {
                                super.rewind(Math.min(sequence, committed));
                            }
                        })));
    }

    private static List<Defect> moreRewinds() {
        return List.of(
                new Defect(
                        "a rewind does not give its room back",
                        BatchTck.class,
                        "rewindGivesItsRoomBack.*greater than or equal",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
                            private long newest;

                            @Override
                            public int remainingCapacity() {
                                newest = Math.max(newest, committed);
                                return (int) (topic.raiseFloor() + MemoryTopic.SLOTS - newest);
                            }

                            @Override
                            public void rewind(long sequence) {
                                newest = Math.max(newest, committed);
                                super.rewind(sequence);
                            }
                        })),
                new Defect(
                        "frames of a batch are swapped",
                        OrderTck.class,
                        "sequencesCountFromOne.*2L, 1L, 3L",
                        Defect.reader((topic, consumer) -> new MemoryReader(topic, consumer) {
                            @Override
                            public Verdict handOver(FrameHandler handler, long sequence) {
                                long other = (sequence - 1 ^ 1) + 1;
                                return super.handOver(handler, other <= topic.published() ? other : sequence);
                            }
                        })));
    }
}
