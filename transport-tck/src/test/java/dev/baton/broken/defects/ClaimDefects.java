package dev.baton.broken.defects;

import dev.baton.broken.heap.HeapTransport;
import dev.baton.broken.heap.HeapWriter;
import dev.baton.spi.Frame;
import dev.baton.tck.BackPressureTck;
import dev.baton.tck.BatchTck;
import dev.baton.tck.ClaimTck;
import dev.baton.tck.OrderTck;
import java.util.List;
import java.util.stream.Stream;

/** Defects of claims and commits. Stateless. */
public final class ClaimDefects {
    private ClaimDefects() {}

    public static Stream<PlantedDefect> all() {
        return Stream.of(claims(), moreClaims(), commits()).flatMap(List::stream);
    }

    private static List<PlantedDefect> claims() {
        return List.of(
                new PlantedDefect(
                        "a claim beyond the limit is granted",
                        ClaimTck.class,
                        "claimBeyondTheLongestPayloadIsRefused.*: .*raise a throwable",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public Frame claim(int maxLength) {
                                return super.claim(Math.min(maxLength, HeapTransport.MAX_PAYLOAD));
                            }
                        })),
                new PlantedDefect(
                        "a claim of a negative length is granted",
                        ClaimTck.class,
                        "aClaimOfANegativeLength.*: .*raise a throwable",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public Frame claim(int maxLength) {
                                return super.claim(Math.max(maxLength, 0));
                            }
                        })),
                new PlantedDefect(
                        "a second claim replaces the open one",
                        ClaimTck.class,
                        "aSecondOpenClaim.*: .*raise a throwable",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public Frame claim(int maxLength) {
                                claimed = NONE;
                                return super.claim(maxLength);
                            }
                        })));
    }

    private static List<PlantedDefect> moreClaims() {
        return List.of(
                new PlantedDefect(
                        "a refused commit ends its claim",
                        ClaimTck.class,
                        "refusedCommitLeavesItsClaimOpen.*",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public long commit(int length) {
                                try {
                                    return super.commit(length);
                                } catch (IllegalArgumentException refused) {
                                    abort();
                                    throw refused;
                                }
                            }
                        })),
                new PlantedDefect(
                        "a claim is longer than asked",
                        ClaimTck.class,
                        "aClaimIsAsLongAsAsked.*expected: 13",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public Frame claim(int maxLength) {
                                return super.claim(Math.min(maxLength + 7 & ~7, HeapTransport.MAX_PAYLOAD));
                            }
                        })),
                new PlantedDefect(
                        "an abort commits",
                        ClaimTck.class,
                        "anAbortedClaimLeavesNoTrace.*expected: 1L.*but was: 2L",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public void abort() {
                                if (claimed != NONE) {
                                    commit(claimed);
                                }
                            }
                        })),
                new PlantedDefect(
                        "a refused claim is open",
                        BackPressureTck.class,
                        "stoppedReaderLeavesNoRoomAtABound.*open claim",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public Frame claim(int maxLength) {
                                Frame granted = super.claim(maxLength);
                                claimed = maxLength;
                                return granted;
                            }
                        })));
    }

    private static List<PlantedDefect> commits() {
        return List.of(
                new PlantedDefect(
                        "a commit without a claim is taken",
                        ClaimTck.class,
                        "aCommitWithoutAClaim.*raise a throwable",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public long commit(int length) {
                                if (claimed == NONE) {
                                    claim(length);
                                }
                                return super.commit(length);
                            }
                        })),
                new PlantedDefect(
                        "a commit longer than its claim is cut",
                        ClaimTck.class,
                        "commitLongerThanItsClaimIsRefused.*raise a throwable",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public long commit(int length) {
                                return super.commit(Math.min(length, Math.max(claimed, 0)));
                            }
                        })),
                new PlantedDefect(
                        "a commit shorter than its claim is as long as the claim",
                        ClaimTck.class,
                        "commitMayBeShorterThanItsClaim.*short and rubbis",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public long commit(int length) {
                                return super.commit(claimed);
                            }
                        })),
                new PlantedDefect(
                        "a commit answers the sequence before its own",
                        BatchTck.class,
                        "theSequenceIsGivenAtCommit.*expected: 1L.*but was: 0L",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public long commit(int length) {
                                return super.commit(length) - 1;
                            }
                        })),
                new PlantedDefect(
                        "frames count from 0",
                        OrderTck.class,
                        "sequencesCountFromOne.*0L, 1L, 2L",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public long commit(int length) {
                                long sequence = super.commit(length);
                                frame.sequence(sequence - 1);
                                return sequence;
                            }
                        })));
    }
}
