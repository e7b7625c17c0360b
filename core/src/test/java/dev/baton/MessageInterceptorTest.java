package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.MessageInterceptor.SamplingHandler;
import dev.baton.engine.plan.InterceptedService;
import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Code around the messages of a chain. */
class MessageInterceptorTest {
    private final HostileTransport transport = new HostileTransport();
    private final Loops loops = Loops.manual();
    private final List<String> seen = new ArrayList<>();
    private RunningChain running;

    @AfterEach
    void close() {
        if (running != null) {
            running.close();
        }
        loops.close();
    }

    private MessageInterceptor noting(String name) {
        return (context, next) -> {
            seen.add(name + " at " + context.service());
            return (in, out) -> {
                seen.add(name + " before " + context.service() + " " + in.sequence());
                next.onMessage(in, out);
                seen.add(name + " after " + context.service());
            };
        };
    }

    @Test
    void oneAddedLastIsOutermostOfEachPart() {
        running = Chain.named("c")
                .then("one", () -> (in, out) -> out.forward(in))
                .build()
                .on(transport)
                .with(loops)
                .around(noting("inner"))
                .around(noting("outer"))
                .onOutput(in -> seen.add("output"))
                .start();
        assertThat(seen).containsExactlyInAnyOrder("inner at one", "outer at one", "inner at sink", "outer at sink");
        seen.clear();
        running.inlet().send(new byte[1]);
        loops.turn();

        assertThat(seen)
                .containsExactly(
                        "outer before one 1",
                        "inner before one 1",
                        "inner after one",
                        "outer after one",
                        "outer before sink 1",
                        "inner before sink 1",
                        "output",
                        "inner after sink",
                        "outer after sink");
    }

    /** Takes every third batch. */
    private final class EveryThird implements SamplingHandler {
        private final MessageHandler next;
        private int batches;

        EveryThird(MessageHandler next) {
            this.next = next;
        }

        @Override
        public boolean takesBatch(int passed, int most) {
            seen.add("passed " + passed);
            return ++batches % 3 == 0;
        }

        @Override
        public void onMessage(Message in, Outlet out) throws Exception {
            seen.add("sampled " + in.sequence());
            next.onMessage(in, out);
        }
    }

    @Test
    void sendingAtTheSinkIsRefusedWithItsReason() {
        List<Throwable> failures = new ArrayList<>();
        running = Chain.named("c")
                .then("one", () -> (in, out) -> out.forward(in))
                .build()
                .on(transport)
                .with(loops)
                .around((context, next) -> (in, out) -> {
                    next.onMessage(in, out);
                    if (context.service().equals("sink")) {
                        out.claim(8);
                    }
                })
                .onOutput(in -> seen.add("output"))
                .onFailure(failures::add)
                .start();
        running.inlet().send(new byte[1]);
        loops.turn();
        assertThat(failures).singleElement().asString().contains("the chain ends here", "cannot send");
    }

    @Test
    void samplingHandlerIsCalledForSampledBatchesOnly() {
        running = Chain.named("c")
                .then("one", () -> (in, out) -> {
                    seen.add("one " + in.sequence());
                    out.forward(in);
                })
                .build()
                .on(transport)
                .with(loops)
                .around((context, next) -> context.service().equals("one") ? new EveryThird(next) : next)
                .start();
        for (int batch : new int[] {1, 2, 3, 1}) {
            for (int message = 0; message < batch; message++) {
                running.inlet().send(new byte[1]);
            }
            loops.turn();
        }
        loops.turn();

        assertThat(seen)
                .startsWith("passed 0", "one 1", "passed 1", "one 2", "one 3", "passed 2", "sampled 4", "one 4")
                .endsWith("sampled 6", "one 6", "passed 0", "one 7", "passed 1");
    }

    @Test
    void nestedSamplingHandlerIsCalledForEachMessage() {
        running = Chain.named("c")
                .then("one", () -> (in, out) -> out.forward(in))
                .build()
                .on(transport)
                .with(loops)
                .around((context, next) -> context.service().equals("one") ? new EveryThird(next) : next)
                .around((context, next) -> (in, out) -> next.onMessage(in, out))
                .start();
        running.inlet().send(new byte[1]);
        loops.turn();

        assertThat(seen).containsExactly("sampled 1");
    }

    @Test
    void serviceExceptionsPassThroughAndAreRetried() {
        int[] calls = {0};
        running = Chain.named("c")
                .then("one", () -> (in, out) -> {
                    if (++calls[0] < 3) {
                        throw new IllegalStateException("no");
                    }
                    out.forward(in);
                })
                .build()
                .on(transport)
                .with(loops)
                .onError(ErrorPolicy.retry(5))
                .around(noting("i"))
                .start();
        seen.clear();
        running.inlet().send(new byte[1]);
        for (int turn = 0; turn < 4; turn++) {
            loops.turn();
        }

        assertThat(seen).containsExactly("i before one 1", "i before one 1", "i before one 1", "i after one");
        assertThat(running.status().parts().get(0).output().sent()).isEqualTo(1);
    }

    @Test
    void interceptedServiceKeepsItsTicksAndLimits() {
        List<String> ticks = new ArrayList<>();
        running = Chain.named("c")
                .then("ticking", () -> new TickingService() {
                    @Override
                    public void onMessage(Message in, Outlet out) {
                        out.forward(in);
                        out.forward(in);
                    }

                    @Override
                    public int maxOutputs() {
                        return 2;
                    }

                    @Override
                    public int onTick(Outlet out) {
                        ticks.add("tick");
                        return 0;
                    }

                    @Override
                    public void onClosing(Outlet out) {
                        ticks.add("closing");
                    }
                })
                .build()
                .on(transport)
                .with(loops)
                .around(noting("i"))
                .start();
        running.inlet().send(new byte[1]);
        loops.turn();
        assertThat(running.status().parts().get(0).output().sent()).isEqualTo(2);
        running.close();

        assertThat(ticks).contains("tick").endsWith("closing");
    }

    @Test
    void serviceWithoutTicksGetsNoneForBeingIntercepted() {
        Service plain = (in, out) -> {};
        assertThat(InterceptedService.innermost(
                        new InterceptedService(new InterceptedService(plain, noting("a")), noting("b"))))
                .isSameAs(plain);
    }

    @Test
    void anInterceptorThatReturnsNothingFailsTheStart() {
        Deployment deployment = Chain.named("c")
                .then("one", () -> (in, out) -> {})
                .build()
                .on(transport)
                .with(loops)
                .around((context, next) -> null);

        assertThatThrownBy(deployment::start).hasMessageContaining("the interceptor returned no handler");
    }

    @Test
    void interceptedServiceIsClosed() {
        Service closing = new Service() {
            @Override
            public void onMessage(Message in, Outlet out) {}

            @Override
            public void onClosed() {
                seen.add("closed");
            }
        };
        running = Chain.named("c")
                .then("one", () -> closing)
                .build()
                .on(transport)
                .with(loops)
                .around(noting("any"))
                .start();
        seen.clear();
        running.close();
        assertThat(seen).containsExactly("closed");
    }
}
