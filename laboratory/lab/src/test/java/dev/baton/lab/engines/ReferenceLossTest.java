package dev.baton.lab.engines;

import static org.assertj.core.api.Assertions.assertThat;

import com.lmax.disruptor.EventHandler;
import com.lmax.disruptor.RingBuffer;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Place;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.trial.ChainWorkload;
import dev.baton.lab.trial.TrialRunner;
import dev.baton.measuring.rig.ChainEnds;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reference loops that drop a message, and loops that are only slow: the laboratory tells the one from the other. */
@Tag("long")
class ReferenceLossTest {
    private static final long MILLI = 1_000_000;
    private static final Pause PAUSE = new Pause(Pause.Kind.YIELD, 0);

    @TempDir
    private Path results;

    private volatile boolean isHalted; // a ring's loop ends after its current batch

    private enum Loops {
        TURNING,
        RING
    }

    @AfterEach
    void noThreadIsLeft() {
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("reference-"));
    }

    @ParameterizedTest
    @EnumSource(Loops.class)
    void aMessageThatALoopDropsIsLost(Loops loops) {
        TrialResult result = run(loops, number -> number != 150);

        assertThat(result.delivery().lost()).isEqualTo(1);
        assertThat(result.delivery().undrained()).isZero();
        assertThat(result.outcome().verdict()).isEqualTo(Verdict.FAIL);
        assertThat(result.outcome().reasons().get(0)).contains("1 of 200 messages lost", "message 151");
    }

    @ParameterizedTest
    @EnumSource(Loops.class)
    void theLastMessageIsLostLikeAnyOther(Loops loops) {
        TrialResult result = run(loops, number -> number != 199);

        assertThat(result.delivery().lost()).isEqualTo(1);
        assertThat(result.outcome().reasons().get(0)).contains("1 of 200 messages lost", "message 200");
    }

    @ParameterizedTest
    @EnumSource(Loops.class)
    void slowLoopLosesNothing(Loops loops) {
        TrialResult result = run(loops, number -> {
            LockSupport.parkNanos(number < 100 || isHalted ? 0 : 200 * MILLI);
            return true;
        });

        assertThat(result.delivery().lost()).isZero();
        assertThat(result.delivery().undrained()).isPositive();
        assertThat(result.outcome().reasons()).noneMatch(reason -> reason.contains("lost"));
    }

    private TrialResult run(Loops loops, LongPredicate relay) {
        TrialPlan plan = new TrialPlan(
                "loss",
                new Subject(Subject.REFERENCE, "disruptor", Map.of()),
                new Shape(1, 1, 0),
                new Load(500, Load.Arrivals.EVEN, 7),
                new LoopPlan("cooperative:1", "yielding", 0),
                new Phases(100 * MILLI, 300 * MILLI, 300 * MILLI),
                List.of());
        ReferenceRig.Library library = new Planted(loops, relay, () -> isHalted = true);
        return new TrialRunner(
                        new PlacedTrial(plan, new Place(results.toString(), null, null, null, null, null, false)),
                        instruments -> new ChainWorkload(
                                instruments, new ReferenceRig(1, "planted", null, library, part -> {}, false)),
                        event -> {})
                .run();
    }

    private static final class Message {
        private long originNanos;
        private int tag;
        private int hops;
    }

    /** A source, one service that passes on what it is told to, and an exit. */
    private record Planted(Loops loops, LongPredicate relay, Runnable onHalt) implements ReferenceRig.Library {
        @Override
        public Map<String, String> properties() {
            return Map.of("copies", "some");
        }

        @Override
        public String rest() {
            return "yield";
        }

        @Override
        public Pause pause() {
            return new Pause(Pause.Kind.YIELD, 0);
        }

        @Override
        public List<ReferenceStage> stages(ChainEnds ends, List<String> topics) {
            return loops == Loops.RING ? rings(ends) : queues(ends);
        }

        private List<ReferenceStage> rings(ChainEnds ends) {
            RingBuffer<Message> first = RingBuffer.createSingleProducer(Message::new, 256);
            RingBuffer<Message> second = RingBuffer.createSingleProducer(Message::new, 256);
            EventHandler<Message> service = (message, sequence, isLast) -> {
                if (relay.test(sequence)) {
                    publish(second, message.originNanos, message.tag, 1);
                }
            };
            return List.of(
                    new ReferenceStage.Feeding(
                            ends.generator(), (number, originNanos, tag) -> publish(first, originNanos, tag, 0), PAUSE),
                    new RingStage<>(first, service, onHalt),
                    new RingStage<>(second, (message, sequence, isLast) -> arrive(ends, message), () -> {}));
        }

        private static boolean publish(RingBuffer<Message> ring, long originNanos, int tag, int hops) {
            ring.publishEvent((message, sequence) -> {
                message.originNanos = originNanos;
                message.tag = tag;
                message.hops = hops;
            });
            return true;
        }

        private List<ReferenceStage> queues(ChainEnds ends) {
            Queue<Message> first = new ConcurrentLinkedQueue<>();
            Queue<Message> second = new ConcurrentLinkedQueue<>();
            return List.of(
                    new ReferenceStage.Feeding(
                            ends.generator(),
                            (number, originNanos, tag) -> {
                                Message message = new Message();
                                message.originNanos = originNanos;
                                message.tag = tag;
                                return first.add(message);
                            },
                            PAUSE),
                    new ReferenceStage.Turning(PAUSE) {
                        private long taken;

                        @Override
                        boolean turn() {
                            Message message = first.poll();
                            if (message != null && relay.test(taken++)) {
                                message.hops++;
                                second.add(message);
                            }
                            return message != null;
                        }
                    },
                    new ReferenceStage.Turning(PAUSE) {
                        @Override
                        boolean turn() {
                            Message message = second.poll();
                            if (message != null) {
                                arrive(ends, message);
                            }
                            return message != null;
                        }
                    });
        }

        private static void arrive(ChainEnds ends, Message message) {
            ends.receiver().onMessage(message.originNanos, message.tag, message.hops, 0, (target, length) -> {});
        }

        @Override
        public void close() {}
    }
}
