package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checked exceptions that callbacks throw undeclared, as Kotlin does: they end no loop. */
class SneakyExceptionTest {
    private enum Callback {
        ON_START,
        ON_MESSAGE,
        ON_TICK,
        DEADLINE,
        ON_CLOSED,
        ON_OUTPUT,
        ON_FAILURE,
        LISTENER
    }

    private static void throwIf(boolean isThrowing) {
        if (isThrowing) {
            SneakyExceptionTest.<RuntimeException>sneak(new IOException("sneaky"));
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    private record Throwing(Callback where) implements TickingService {
        @Override
        public void onStart(ServiceContext context) {
            throwIf(where == Callback.ON_START);
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            throwIf(where == Callback.ON_MESSAGE || where == Callback.ON_FAILURE);
            out.forward(in);
        }

        @Override
        public int onTick(Outlet out) {
            throwIf(where == Callback.ON_TICK);
            return 0;
        }

        @Override
        public long deadlineNanos() {
            throwIf(where == Callback.DEADLINE);
            return Long.MAX_VALUE;
        }

        @Override
        public void onClosed() {
            throwIf(where == Callback.ON_CLOSED);
        }
    }

    @ParameterizedTest
    @EnumSource
    void otherChainsOfTheLoopContinue(Callback where) throws InterruptedException {
        CountDownLatch received = new CountDownLatch(1);
        try (Loops loops = Loops.cooperative(1);
                RunningChain other = Chain.named("other")
                        .then("s1", () -> (in, out) -> out.forward(in))
                        .build()
                        .on(new HostileTransport())
                        .with(loops)
                        .onOutput(in -> received.countDown())
                        .start()) {
            try (RunningChain throwing = throwing(where, loops).start()) {
                throwing.inlet().send(new byte[1]);
                if (where != Callback.ON_CLOSED && where != Callback.LISTENER) {
                    await().until(() -> throwing.failure().isPresent());
                    assertThat(throwing.failure().orElseThrow().toString())
                            .contains(where == Callback.ON_OUTPUT ? "sink" : "s1");
                }
            } catch (Exception refused) {
                assertThat(where).isIn(Callback.ON_START, Callback.ON_TICK, Callback.DEADLINE);
            }
            other.inlet().send(new byte[1]);
            assertThat(received.await(5, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static Deployment throwing(Callback where, Loops loops) {
        return Chain.named("throwing")
                .then("s1", () -> new Throwing(where))
                .build()
                .on(new HostileTransport())
                .with(loops)
                .onFailure(cause -> throwIf(where == Callback.ON_FAILURE))
                .onOutput(in -> throwIf(where == Callback.ON_OUTPUT))
                .listen(new ChainListener() {
                    @Override
                    public void onBatch(String service, String topic, int inputs, int outputs) {
                        throwIf(where == Callback.LISTENER);
                    }
                });
    }
}
