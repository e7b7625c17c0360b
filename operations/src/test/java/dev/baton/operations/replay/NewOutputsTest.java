package dev.baton.operations.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.baton.Chain;
import dev.baton.Claim;
import dev.baton.Concurrency;
import dev.baton.ErrorPolicy;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Service;
import dev.baton.ServiceContext;
import dev.baton.TickingService;
import dev.baton.ValueCodec;
import dev.baton.chronicle.ChronicleProvider;
import dev.baton.operations.replay.Replay.Feed;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.TransportException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes of a service whose new outputs are fed to later services. */
class NewOutputsTest {
    private static final int INPUTS = 1_000;
    private static final int DROPPED = 200;

    private record Scored(long number, long score) {
        static final ValueCodec<Scored> CODEC = new ValueCodec<>() {
            @Override
            public int maxLength(Scored value) {
                return 2 * Long.BYTES;
            }

            @Override
            public int encode(Scored value, Claim into) {
                into.putLong(0, value.number).putLong(Long.BYTES, value.score);
                return 2 * Long.BYTES;
            }

            @Override
            public Scored decode(Message from) {
                return new Scored(from.getLong(0), from.getLong(Long.BYTES));
            }
        };
    }

    @TempDir
    private Path directory;

    private Transport transport;

    @BeforeEach
    void open() {
        transport = new ChronicleProvider().open(Map.of("dir", directory.toString()));
    }

    @AfterEach
    void close() {
        transport.close();
    }

    /** Numbers but one pass, get a score, and are summed up by second. */
    private static Chain chain() {
        return Chain.named("scores")
                .then("pass", () -> (in, out) -> {
                    if (in.sequence() != DROPPED) {
                        out.forward(in);
                    }
                })
                .then("score", () -> (in, out) -> out.send(new Scored(in.getLong(0), in.getLong(0) * 2), Scored.CODEC))
                .then("sum", PerSecond::new)
                .build();
    }

    private static Chain passing(Service changed) {
        return chain().decorated((name, real) -> name.equals("pass") ? changed : real);
    }

    private void record(Chain chain) {
        new Recording(transport, Duration.ofMillis(100))
                .of(
                        chain,
                        (number, into) -> {
                            into.putLong(0, number + 1);
                            return Long.BYTES;
                        },
                        Long.BYTES,
                        INPUTS);
    }

    @Test
    void unchangedServicesHaveNoDifferences() {
        record(chain());

        ReplayComparison same = Replay.of(chain()).feed(Feed.NEW).compareWith(transport);
        assertThat(same.isSame()).as(same.toString()).isTrue();
        assertThat(same.of("score").same()).isEqualTo(INPUTS - 1);
        assertThat(same.of("sum").same()).as("seconds").isBetween(90L, 101L);
    }

    @Test
    void changedOutputReachesLaterServices() {
        record(chain());
        Chain changed = passing((in, out) -> {
            if (in.sequence() == 400) {
                out.claim(Long.BYTES).putLong(0, 5_000).commit(Long.BYTES);
            } else if (in.sequence() != DROPPED) {
                out.forward(in);
            }
        });

        ReplayComparison alone = Replay.of(changed).compareWith(transport);
        assertThat(alone.differences()).containsOnly(entry(ReplayDifference.Kind.PAYLOAD, 1L));

        List<ReplayDifference> seen = new ArrayList<>();
        ReplayComparison fed = Replay.of(changed)
                .feed(Feed.NEW)
                .onDifference((service, difference) -> {
                    if (service.equals("score")) {
                        seen.add(difference);
                    }
                })
                .compareWith(transport, Scored.CODEC);
        assertThat(fed.differences()).as(fed.toString()).containsOnly(entry(ReplayDifference.Kind.PAYLOAD, 3L));
        assertThat(fed.of("score").fields()).containsOnly(entry("number", 1L), entry("score", 1L));
        assertThat(fed.of("score").difference().cause()).as("recorded sequence").isEqualTo(399);
        assertThat(seen).hasSize(1);
        assertThat(seen.get(0).changes()).containsEntry("score", new ReplayDifference.Change(800L, 10_000L));
    }

    @Test
    void missingAndAdditionalOutputsKeepLaterOnesAligned() {
        record(chain());
        Chain changed = passing(new Service() {
            @Override
            public void onMessage(Message in, Outlet out) {
                long input = in.sequence();
                if (input != 1 && input != 500 && input != INPUTS) {
                    out.forward(in);
                }
                if (input == 600) {
                    out.forward(in);
                }
            }

            @Override
            public int maxOutputs() {
                return 2;
            }
        });

        ReplayComparison fed =
                Replay.of(changed).only("pass", "score").feed(Feed.NEW).compareWith(transport, Scored.CODEC);
        assertThat(fed.of("pass").differences())
                .as(fed.toString())
                .containsOnly(entry(ReplayDifference.Kind.MISSING, 3L), entry(ReplayDifference.Kind.ADDITIONAL, 2L));
        assertThat(fed.of("score").differences())
                .as(fed.toString())
                .containsOnly(entry(ReplayDifference.Kind.MISSING, 3L), entry(ReplayDifference.Kind.ADDITIONAL, 2L));
        assertThat(fed.of("score").same()).isEqualTo(INPUTS - 4);
    }

    @Test
    void ticksFollowNewOutputs() {
        record(chain());
        Chain changed = passing((in, out) -> {
            if (in.sequence() != DROPPED && in.sequence() != 500) {
                out.forward(in);
            }
        });

        ReplayComparison.Part sum =
                Replay.of(changed).feed(Feed.NEW).compareWith(transport).of("sum");
        assertThat(sum.differences()).as(sum.toString()).containsOnly(entry(ReplayDifference.Kind.PAYLOAD, 1L));
    }

    @Test
    void concurrentCallsAreRetriedAtTheEnd() {
        Chain chain = Chain.named("scores")
                .then(
                        "slow",
                        () -> new Service() {
                            private boolean hasFailed;

                            @Override
                            public void onMessage(Message in, Outlet out) {
                                hasFailed = !hasFailed;
                                if (hasFailed) {
                                    throw new IllegalStateException("the first attempt");
                                }
                                out.forward(in);
                            }
                        },
                        Concurrency.perKey(8),
                        ErrorPolicy.retry(3).after(Duration.ofMillis(2)))
                .build();
        record(chain.decorated((name, real) -> (in, out) -> out.forward(in)));

        ReplayComparison same = Replay.of(chain).compareWith(transport);
        assertThat(same.isSame()).as(same.toString()).isTrue();
        assertThat(same.of("slow").same()).isEqualTo(INPUTS);
    }

    @Test
    void replayLeavesNothingBehind() throws Exception {
        record(chain());
        Map<String, Object> before = TopicsFound.in(transport);
        List<Path> files = TopicsFound.files(directory);

        try (Transport reading = new ChronicleProvider().openForInspection(Map.of("dir", directory.toString()))) {
            Replay.of(chain()).feed(Feed.NEW).compareWith(reading);
        }
        Replay.of(chain()).compareWith(transport);
        assertThat(TopicsFound.in(transport)).isEqualTo(before);
        assertThat(TopicsFound.files(directory)).isEqualTo(files);
    }

    @Test
    void impossibleReplaysAreRefused() {
        record(chain());
        assertThatThrownBy(() -> Replay.of(chain()).only("guess")).hasMessageContaining("pass, score, sum");
        assertThatThrownBy(() ->
                        Replay.of(chain()).only("pass", "sum").feed(Feed.NEW).compareWith(transport))
                .hasMessageContaining("not in a row");
        assertThatThrownBy(() -> Replay.of(chain().renamed("other")).compareWith(transport))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("other-0");
        assertThatThrownBy(() -> Replay.of(chain()).compareWith(transport, Scored.CODEC, Scored.CODEC))
                .hasMessageContaining("type 0");
        Instant now = Instant.now();
        assertThatThrownBy(() -> Replay.of(chain()).between(now, now.minusSeconds(1)))
                .hasMessageContaining("its end is before its start");
    }

    /** Sends the sum of each second by a tick. */
    private static final class PerSecond implements TickingService {
        private static final long SECOND = 1_000_000_000;
        private ServiceContext context;
        private long sum;
        private long end = Long.MAX_VALUE;

        @Override
        public void onStart(ServiceContext started) {
            context = started;
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            sum += in.getLong(Long.BYTES);
            if (end == Long.MAX_VALUE) {
                end = context.time() + SECOND;
            }
        }

        @Override
        public int onTick(Outlet out) {
            if (end == Long.MAX_VALUE || context.time() < end || out.remainingCapacity() == 0) {
                return 0;
            }
            out.claim(Long.BYTES).putLong(0, sum).commit(Long.BYTES);
            sum = 0;
            end += SECOND;
            return 1;
        }
    }
}
