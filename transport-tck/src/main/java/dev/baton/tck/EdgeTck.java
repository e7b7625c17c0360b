package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Chain;
import dev.baton.Deployment;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.ReplacedInput;
import dev.baton.RunningChain;
import dev.baton.Service;
import dev.baton.ServiceContext;
import dev.baton.run.Loops;
import dev.baton.spi.TransportException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a chain owes where a run begins and ends: opened again, over other topics, with something held back. */
public abstract class EdgeTck extends WholeChainTck {
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(20);

    private final List<Long> received = Collections.synchronizedList(new ArrayList<>());
    private String name;

    /** For transports. */
    protected EdgeTck() {}

    @BeforeEach
    final void nameTheChain() {
        name = fixture.newTopic();
    }

    @Test
    void whatAnInletSendsIsNotDroppedWhenItsTopicWasDeleted() {
        run(passing(), ReplacedInput.REFUSE, 1, 5);
        transport.deleteTopics(List.of(name + "-0"));
        assertThatThrownBy(() -> run(passing(), ReplacedInput.REFUSE, 6, 15))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining(name + "-0")
                .hasMessageContaining("deleted and created again")
                .hasMessageContaining("HANDLE_ALL");
        run(passing(), ReplacedInput.HANDLE_ALL, 6, 15);
        run(passing(), ReplacedInput.REFUSE, 16, 17);
        assertThat(received)
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 17).boxed().toList());
    }

    @Test
    void whenTheOutputTopicWasDeletedInputsThatWereAcknowledgedStayAnswered() {
        run(passing(), ReplacedInput.REFUSE, 1, 5);
        transport.deleteTopics(List.of(name + "-1"));
        run(passing(), ReplacedInput.REFUSE, 6, 7);
        assertThat(received)
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 7).boxed().toList());
    }

    @Test
    void aChainWithAnotherServiceIsRefused() {
        run(passing(), ReplacedInput.REFUSE, 1, 2);
        Chain changed = Chain.named(name)
                .then("s1", () -> (in, out) -> out.forward(in))
                .then("s2", () -> (in, out) -> out.forward(in))
                .build();
        try (Loops loops = Loops.cooperative(1)) {
            Deployment deployment = changed.on(transport).with(loops).from(out -> 0);
            assertThatThrownBy(deployment::start)
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("it was s1, it is s1 > s2");
        }
        run(passing(), ReplacedInput.REFUSE, 3, 3);
        assertThat(received).containsExactly(1L, 2L, 3L);
    }

    @Test
    void aServiceThatHoldsInputsHasTheLastWord() {
        AtomicBoolean flushes = new AtomicBoolean(true);
        run(() -> new SumOfThree(flushes), ReplacedInput.REFUSE, 1, 4);
        assertThat(received).containsExactly(6L, 4L);
        run(() -> new SumOfThree(flushes), ReplacedInput.REFUSE, 5, 7);
        assertThat(received).containsExactly(6L, 4L, 18L);
    }

    @Test
    void inputsThatAreHeldComeAgainAfterARestart() {
        AtomicBoolean keeps = new AtomicBoolean(false);
        run(() -> new SumOfThree(keeps), ReplacedInput.REFUSE, 1, 5);
        assertThat(received).containsExactly(6L);
        run(() -> new SumOfThree(keeps), ReplacedInput.REFUSE, 6, 7);
        assertThat(received).containsExactly(6L, 15L);
        run(() -> new SumOfThree(keeps), ReplacedInput.REFUSE, 8, 9);
        assertThat(received).containsExactly(6L, 15L, 24L);
    }

    private static Supplier<Service> passing() {
        return () -> (in, out) -> out.forward(in);
    }

    private void run(Supplier<Service> service, ReplacedInput policy, long from, long to) {
        Chain chain = Chain.named(name).then("s1", service).build();
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = chain.on(transport)
                        .with(loops)
                        .replacedInput(policy)
                        .onOutput(in -> received.add(in.getLong(0)))
                        .start()) {
            for (long value = from; value <= to; value++) {
                running.inlet()
                        .send(ByteBuffer.allocate(Long.BYTES)
                                .order(ByteOrder.LITTLE_ENDIAN)
                                .putLong(0, value)
                                .array());
            }
            assertThat(running.close(CLOSE_LIMIT))
                    .as(running.failure().toString())
                    .isTrue();
        }
    }

    /** Sums three inputs to one output, and what is left when it closes, if it is to flush that. */
    private static final class SumOfThree implements Service {
        private final AtomicBoolean flushes;
        private ServiceContext context;
        private long sum;
        private int count;

        SumOfThree(AtomicBoolean flushes) {
            this.flushes = flushes;
        }

        @Override
        public boolean holdsInputs() {
            return true;
        }

        @Override
        public void onStart(ServiceContext given) {
            context = given;
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            if (count == 0) {
                context.holdFrom(in.sequence());
            }
            sum += in.getLong(0);
            count++;
            if (count == 3) {
                send(out, in.sequence() + 1);
            }
        }

        @Override
        public void onClosing(Outlet out) {
            if (count > 0 && flushes.get()) {
                send(out, Long.MAX_VALUE);
            }
        }

        private void send(Outlet out, long next) {
            out.claim(Long.BYTES).putLong(0, sum).commit(Long.BYTES);
            context.holdFrom(next);
            sum = 0;
            count = 0;
        }
    }
}
