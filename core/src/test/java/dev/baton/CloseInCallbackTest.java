package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import dev.baton.spi.Frame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Chains that callbacks close, and callbacks during a close. */
class CloseInCallbackTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final HostileTransport transport = new HostileTransport();
    private final CompletableFuture<RunningChain> running = new CompletableFuture<>();
    private final List<Long> handled = new ArrayList<>();

    CloseInCallbackTest() {
        transport.room = 16;
    }

    @Test
    @Timeout(60)
    void manualLoopDeliversCurrentMessageOnce() {
        try (Loops loops = Loops.manual()) {
            run(loops, true);
            for (int turn = 0; turn < 5; turn++) {
                loops.turn();
            }
            assertThat(running.join().failure()).isEmpty();
        }
        assertThat(handled).containsExactly(1L, 2L, 3L);
        assertThat(transport.frames("c-1").stream().map(CloseInCallbackTest::value))
                .containsExactly(1L, 2L, 3L);
    }

    @Test
    void closedManualLoopEndsItsTurnFirst() {
        List<String> calls = new ArrayList<>();
        List<Throwable> failures = new ArrayList<>();
        Loops loops = Loops.manual();
        RunningChain chain = Chain.named("c")
                .then("s", () -> new Service() {
                    @Override
                    public void onMessage(Message in, Outlet out) {
                        loops.close();
                        out.forward(in);
                        calls.add("handled " + in.getLong(0));
                    }

                    @Override
                    public void onClosed() {
                        calls.add("closed");
                    }
                })
                .build()
                .on(transport)
                .with(loops)
                .onFailure(failures::add)
                .start();
        try (Inlet.Batch batch = chain.inlet().batch()) {
            batch.send(bytes(1), new MessageFields());
            batch.send(bytes(2), new MessageFields());
        }
        loops.turn();
        chain.close();
        assertThat(calls).containsExactly("handled 1", "handled 2", "closed");
        assertThat(failures).singleElement().asString().contains("the loops were closed before the chain");
        assertThat(transport.frames("c-1")).hasSize(2);
        assertThat(transport.openConnections).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Timeout(60)
    void callbackGetsInletDuringClose(boolean isRestarting) throws Exception {
        Thread closer = Thread.currentThread();
        CountDownLatch inCall = new CountDownLatch(1);
        try (Loops loops = Loops.cooperative(1)) {
            Deployment deployment = Chain.named("c")
                    .then("s", () -> (in, out) -> {
                        inCall.countDown();
                        while (closer.getState() != Thread.State.TIMED_WAITING) { // for the end of this call
                            Thread.onSpinWait();
                        }
                        try {
                            running.join().inlet();
                        } catch (IllegalStateException closed) {
                            assertThat(closed).hasMessageContaining("closed");
                        }
                        out.forward(in);
                    })
                    .build()
                    .on(transport)
                    .with(loops);
            if (isRestarting) {
                deployment.restart(RestartPolicy.backoff(Duration.ofMillis(1), Duration.ofMillis(5)));
            }
            running.complete(deployment.start());
            running.join().inlet().send(bytes(1), new MessageFields());
            inCall.await();
            assertThat(running.join().close(LONG)).isTrue();
        }
    }

    private void run(Loops loops, boolean closes) {
        running.complete(chain(closes).on(transport).with(loops).start());
        for (long value = 1; value <= 3; value++) {
            running.join().inlet().send(bytes(value), new MessageFields());
        }
    }

    private Chain chain(boolean closes) {
        return Chain.named("c")
                .then("s", () -> (in, out) -> {
                    handled.add(in.getLong(0));
                    out.forward(in);
                    if (closes && in.getLong(0) == 3) {
                        running.join().close(LONG);
                    }
                })
                .build();
    }

    private static ByteBuffer bytes(long value) {
        return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, value);
    }

    private static long value(Frame frame) {
        frame.validate();
        return frame.getLong(0);
    }
}
