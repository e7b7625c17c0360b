package dev.baton.lab.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.disruptor.DisruptorTransport;
import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.rig.ChainEnds;
import dev.baton.measuring.rig.MessageSink;
import dev.baton.measuring.rig.MessageSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class ReferenceRigTest {
    private final List<String> closed = new CopyOnWriteArrayList<>();
    private final List<String> made = new ArrayList<>();

    /** Stages that do nothing until they are stopped, but for the second. */
    private final class Fake implements ReferenceRig.Library {
        private final ReferenceStage second;

        Fake(ReferenceStage second) {
            this.second = second;
        }

        @Override
        public Map<String, String> properties() {
            return Map.of();
        }

        @Override
        public Pause pause() {
            return new Pause(Pause.Kind.SPIN, 0);
        }

        @Override
        public void createTopics(List<String> names) {
            made.addAll(names);
        }

        @Override
        public List<ReferenceStage> stages(ChainEnds ends, List<String> topics) {
            return List.of(idle("source"), second, idle("sink"));
        }

        @Override
        public void close() {
            made.clear();
        }
    }

    private ReferenceStage idle(String name) {
        return new ReferenceStage() {
            @Override
            public void run(ReferenceStage.StopSignal stop) {
                while (!stop.isSet()) {
                    Thread.onSpinWait();
                }
            }

            @Override
            public void close() {
                closed.add(name);
            }
        };
    }

    private record Ends(int index) implements ChainEnds {
        @Override
        public MessageSource generator() {
            return null;
        }

        @Override
        public MessageSink receiver() {
            return null;
        }

        @Override
        public PayloadPattern pattern() {
            return new PayloadPattern(0, 1);
        }
    }

    private ReferenceRig rig(ReferenceStage second) {
        ReferenceRig rig =
                new ReferenceRig(1, "disruptor", DisruptorTransport.create(), new Fake(second), part -> {}, false);
        rig.prepare(2);
        rig.start(new Ends(1));
        return rig;
    }

    @Test
    void loopsPromiseNothing() {
        ReferenceRig rig = rig(idle("service"));
        assertThat(rig.properties().guarantees()).isEmpty();
        assertThat(rig.properties().properties()).containsKey("not promised");
        rig.close();
    }

    @Test
    void stagesEndInOrderThenTopics() {
        ReferenceRig rig = rig(idle("service"));
        assertThat(made).hasSize(4).doesNotHaveDuplicates();
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .contains("reference-2-source", "reference-2-s1", "reference-2-sink");
        rig.stop(Duration.ofSeconds(5));
        rig.stop(Duration.ofSeconds(5));
        assertThat(closed).containsExactly("source", "service", "sink");
        assertThat(made).isNotEmpty();
        rig.close();
        rig.close();
        assertThat(made).isEmpty();
        assertThat(rig.failure()).isEmpty();
    }

    @Test
    void failedThreadIsReportedWithInstance() {
        try (ReferenceRig rig = rig(new ReferenceStage() {
            @Override
            public void open() {
                throw new IllegalStateException("no such queue");
            }

            @Override
            public void run(ReferenceStage.StopSignal stop) {}

            @Override
            public void close() {
                closed.add("service");
            }
        })) {
            await().until(() -> rig.failure().isPresent());
            assertThat(rig.failure()).hasValueSatisfying(failure -> {
                assertThat(failure.instance()).isEqualTo(2);
                assertThat(failure.cause()).hasMessage("no such queue");
            });
            assertThat(closed).containsExactly("service");
        }
        // Closing at once waits for no thread: which of the two is first is the scheduler's.
        assertThat(closed).startsWith("service").containsExactlyInAnyOrder("service", "source", "sink");
    }
}
